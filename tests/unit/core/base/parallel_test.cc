// SPDX-License-Identifier: Apache-2.0
#include "core/base/parallel.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <string>

namespace tfprof {
namespace {

Result<void> FailFrom(size_t least, size_t task) {
  if (task < least) return {};
  return Fail(ErrorKind::corrupt, "task " + std::to_string(task));
}

}  // namespace

TEST_CASE("tasks: each is done once, on any number of threads") {
  const size_t threads = GENERATE(1u, 2u, 5u);
  std::vector<std::atomic<int>> done(1000);
  Context context;
  REQUIRE(ForEachTask(done.size(), threads, context, [&](size_t task) { ++done[task]; }));
  for (const std::atomic<int>& of_task : done) CHECK(of_task == 1);
}

TEST_CASE("tasks: of those that fail the first is told") {
  const size_t threads = GENERATE(1u, 4u);
  Context context;
  const auto failed =
      TryEachTask(100, threads, context, [&](size_t task, Context&) { return FailFrom(7, task); });
  REQUIRE_FALSE(failed);
  CHECK(failed.error().what == "task 7");
  CHECK(TryEachTask(5, threads, context, [&](size_t task, Context&) { return FailFrom(7, task); }));
  CHECK(TryEachTask(0, threads, context, [&](size_t task, Context&) { return FailFrom(0, task); }));
}

TEST_CASE("tasks: a signal cancels what polls within them, a count of polls on one thread") {
  const size_t threads = GENERATE(1u, 3u);
  const std::atomic<bool> stop{true};
  Context stopped;
  stopped.stop = &stop;
  const auto poll = [](size_t, Context& of_task) { return Poll(of_task); };
  const auto cancelled = TryEachTask(3, threads, stopped, poll);
  REQUIRE_FALSE(cancelled);
  CHECK(cancelled.error().kind == ErrorKind::cancelled);
  Context counted;
  counted.polls_until_cancel = 5;
  CHECK_FALSE(TryEachTask(10, 1, counted, poll));
}

}  // namespace tfprof
