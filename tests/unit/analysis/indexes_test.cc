// SPDX-License-Identifier: Apache-2.0
#include "analysis/indexes.h"

#include <catch2/catch.hpp>

#include "analysis/ops/kernel_rows.h"
#include "analysis/transfers/copies.h"
#include "tests/support/trace_of.h"

namespace tfprof {
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

}  // namespace

TEST_CASE("copies of a device are found once; a cancelled search leaves nothing") {
  const Indexes indexes(TwoGpus());
  Context cancelled;
  cancelled.polls_until_cancel = 0;
  REQUIRE(indexes.Copies(ProcessId(0), cancelled).error().kind == ErrorKind::cancelled);
  Context context;
  const auto of_first = indexes.Copies(ProcessId(0), context).value();
  CHECK(of_first->copies.size() == 1);
  CHECK(indexes.Copies(ProcessId(0), context).value() == of_first);
  CHECK(indexes.Copies(ProcessId(1), context).value()->device == ProcessId(1));
}

TEST_CASE("kernels are kept of the places that were asked last") {
  const Indexes indexes(TwoGpus());
  Context context;
  const auto launches = [&](const std::string& device) {
    Query query;
    query.place.device = device;
    return indexes.Kernels(query.place, context).value();
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
  CHECK(indexes.Kernels(no_step.place, context).error().kind == ErrorKind::usage);
  CHECK(launches("")->launches == 2);
}

}  // namespace tfprof
