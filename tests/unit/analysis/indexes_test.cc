// SPDX-License-Identifier: Apache-2.0
#include "analysis/indexes.h"

#include <array>
#include <atomic>
#include <catch2/catch.hpp>
#include <thread>
#include <vector>

#include "analysis/ops/kernels/kernel_rows.h"
#include "analysis/transfers/copies.h"
#include "tests/support/trace_of.h"

namespace tfprof::indexes_test {
namespace {

TestEvent WorkOf(WorkKind kind, const std::string& name, int64_t start_ps, int64_t ps) {
  return {name, start_ps, ps, {{"work", static_cast<int64_t>(kind)}}};
}

StorePtr TwoGpus() {
  TestEvent kernel = WorkOf(WorkKind::kernel, "k", 10 * kPsPerNs, 7 * kPsPerNs);
  kernel.details["launch"] = std::string("grid:1,1,1");
  const TestEvent copy = WorkOf(WorkKind::copy, "MemcpyH2D", 0, 5 * kPsPerNs);
  const std::vector<TestLane> lanes = {{.events = {copy, kernel}}};
  return TraceOf(
      {{.name = "/device:GPU:0", .lanes = lanes}, {.name = "/device:GPU:1", .lanes = lanes}});
}

// The built number, by a key; how often each was built is counted.
struct Doubled {
  using Value = int64_t;
  using Key = int64_t;
  static constexpr size_t kKept = 2;
  static inline std::atomic<int> builds{0};
  static Result<int64_t> Build(const Indexes&, int64_t key, Context& context) {
    ++builds;
    TFPROF_TRY(Poll(context));
    if (key < 0) return Fail(ErrorKind::usage, "negative");
    return key * 2;
  }
};

}  // namespace

TEST_CASE("an index with keys keeps the most recently used values") {
  const Indexes indexes(TwoGpus());
  Context context;
  const auto builds_of = [&](int64_t key) {
    const int before = Doubled::builds;
    const auto value = indexes.Get<Doubled>(key, context);
    CHECK((key < 0 ? !value : **value == key * 2));
    return Doubled::builds - before;
  };
  CHECK(builds_of(1) == 1);
  CHECK(builds_of(2) == 1);
  CHECK(builds_of(1) == 0);
  CHECK(builds_of(3) == 1);  // 2 goes, which was used before 1
  CHECK(builds_of(1) == 0);
  CHECK(builds_of(2) == 1);
  // A failure is tried again, and pushes nothing out.
  CHECK(builds_of(-1) == 1);
  CHECK(builds_of(-1) == 1);
  CHECK(builds_of(1) == 0);
  CHECK(builds_of(2) == 0);
}

TEST_CASE("several threads share one build of an index") {
  const Indexes indexes(TwoGpus());
  const int before = Doubled::builds;
  std::vector<std::thread> threads;
  std::array<IndexPtr<int64_t>, 8> got;
  for (IndexPtr<int64_t>& value : got) {
    threads.emplace_back([&] {
      Context context;
      value = indexes.Get<Doubled>(7, context).value();
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(Doubled::builds - before == 1);
  for (const IndexPtr<int64_t>& value : got) CHECK(value == got[0]);
}

TEST_CASE("copies of a device are found once; a cancelled search leaves nothing behind") {
  const Indexes indexes(TwoGpus());
  Context cancelled;
  cancelled.polls_until_cancel = 0;
  REQUIRE(indexes.Get<DeviceCopies>(ProcessId(0), cancelled).error().kind == ErrorKind::cancelled);
  Context context;
  const auto of_first = indexes.Get<DeviceCopies>(ProcessId(0), context).value();
  CHECK(of_first->copies.size() == 1);
  CHECK(indexes.Get<DeviceCopies>(ProcessId(0), context).value() == of_first);
  CHECK(indexes.Get<DeviceCopies>(ProcessId(1), context).value()->device == ProcessId(1));
}

TEST_CASE("an index keeps the kernels of the most recently selected places") {
  const Indexes indexes(TwoGpus());
  Context context;
  const auto launches = [&](const std::string& device) {
    Query query;
    query.place.device = device;
    return indexes.Get<KernelRows>({query.place}, context).value();
  };
  const auto all = launches("");
  CHECK(all->launches == 2);
  CHECK(launches("") == all);
  const auto of_one = launches("GPU:1");
  CHECK(of_one->launches == 1);
  CHECK(launches("GPU:1") == of_one);
  CHECK(launches("")->launches == 2);
  Query no_step;
  no_step.place.step = 7;
  CHECK(indexes.Get<KernelRows>({no_step.place}, context).error().kind == ErrorKind::usage);
  CHECK(launches("")->launches == 2);
}

}  // namespace tfprof::indexes_test
