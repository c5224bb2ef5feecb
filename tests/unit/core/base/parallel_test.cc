// SPDX-License-Identifier: Apache-2.0
#include "core/base/parallel.h"

#include <pthread.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <new>
#include <string>

namespace tfprof::parallel_test {
namespace {

Result<void> FailFrom(size_t min, size_t task) {
  if (task < min) return {};
  return Fail(ErrorKind::corrupt, "task " + std::to_string(task));
}

// While it lives no thread can start: none gets a stack of 64 TiB.
class NoThreads {
 public:
  NoThreads() {
    pthread_getattr_default_np(&before_);
    pthread_attr_t huge = before_;
    pthread_attr_setstacksize(&huge, size_t{1} << 46);
    pthread_setattr_default_np(&huge);
  }
  ~NoThreads() { pthread_setattr_default_np(&before_); }
  NoThreads(const NoThreads&) = delete;
  NoThreads& operator=(const NoThreads&) = delete;

 private:
  pthread_attr_t before_;
};

}  // namespace

TEST_CASE("tasks: each runs once, on any number of threads") {
  const size_t threads = GENERATE(1u, 2u, 5u);
  std::vector<std::atomic<int>> done(1000);
  Context context;
  REQUIRE(ForEachTask(done.size(), threads, context, [&](size_t task) { ++done[task]; }));
  for (const std::atomic<int>& of_task : done) CHECK(of_task == 1);
}

TEST_CASE("tasks: tasks without a thread of their own run all the same") {
  const NoThreads none;
  REQUIRE_FALSE(TryThread([] {}).joinable());
  std::vector<int> done(1000);
  Context context;
  REQUIRE(ForEachTask(done.size(), 8, context, [&](size_t task) { ++done[task]; }));
  CHECK(done == std::vector<int>(1000, 1));
}

TEST_CASE("tasks: an exception is rethrown in the caller") {
  const size_t threads = GENERATE(1u, 2u, 5u);
  const size_t bad = GENERATE(0u, 1u, 99u);
  Context context;
  const auto work = [&](size_t task) {
    if (task == bad) throw std::bad_alloc();
  };
  CHECK_THROWS_AS(ForEachTask(100, threads, context, work), std::bad_alloc);
}

TEST_CASE("tasks: the first error is returned") {
  const size_t threads = GENERATE(1u, 4u);
  Context context;
  const auto failed =
      TryEachTask(100, threads, context, [&](size_t task, Context&) { return FailFrom(7, task); });
  REQUIRE_FALSE(failed);
  CHECK(failed.error().what == "task 7");
  CHECK(TryEachTask(5, threads, context, [&](size_t task, Context&) { return FailFrom(7, task); }));
  CHECK(TryEachTask(0, threads, context, [&](size_t task, Context&) { return FailFrom(0, task); }));
}

TEST_CASE("tasks: a signal cancels tasks that poll; a limit on polls does so on one thread") {
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

}  // namespace tfprof::parallel_test
