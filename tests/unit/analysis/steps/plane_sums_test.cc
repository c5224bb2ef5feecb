// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/plane_sums.h"

#include <catch2/catch.hpp>

#include "analysis/indexes.h"
#include "analysis/steps/grouping/event_groups.h"
#include "analysis/steps/times.h"
#include "tests/support/trace_of.h"

namespace tfprof::plane_sums_test {
namespace {

// Of the planes of the only host in its only step.
std::vector<DeviceStep> SumsIn(const StorePtr& store) {
  Context context;
  const Indexes indexes(store);
  const auto hosts = MeasureSteps(*store, indexes, {}, context).value();
  REQUIRE(hosts.at(0).steps.size() == 1);
  const auto groups = indexes.Get<EventGroups>(context).value();
  return PlaneStepsOf(*store, indexes, *groups, hosts[0], {}, StepPlanes::all, context).value();
}

DeviceStep OfTpu(std::vector<TestEvent> ops) {
  const StorePtr store =
      TraceOf({{.name = "/device:TPU:0",
                .lanes = {{.name = "Steps", .events = {{"5", 0, 200}}, .role = LaneRole::steps},
                          {.name = "XLA Ops", .events = std::move(ops), .role = LaneRole::ops}},
                .device = DeviceKind::tpu}});
  return SumsIn(store).at(0);
}

TestEvent OfGpu(std::string name, int64_t start_ps, int64_t ps, WorkKind kind) {
  return {std::move(name),
          start_ps,
          ps,
          {{"group", int64_t{1}}, {"correlation", start_ps}, {"work", static_cast<int64_t>(kind)}}};
}

}  // namespace

TEST_CASE("collectives without other work are exposed; a stall on a copy is not communication") {
  const DeviceStep step =
      OfTpu({{"dot.1", 0, 20}, {"copy-done.2", 20, 30}, {"all-reduce.3", 60, 20}});
  CHECK(step.busy_ps == 70);
  CHECK(step.exchange_ps == 20);
  CHECK(step.stalled_ps == 30);
}

TEST_CASE("every collective is exposed if nothing else runs") {
  for (const char* name :
       {"all-reduce.1", "all-gather.1", "all-to-all.1", "reduce-scatter.1", "collective-permute.1",
        "collective-broadcast.1", "reduce-scatter-start.1", "reduce-scatter-done.1"}) {
    INFO(name);
    CHECK(OfTpu({{"dot.1", 0, 20}, {name, 50, 7}}).exchange_ps == 7);
  }
}

TEST_CASE("a step of a GPU starts with its first copy, not with a fill") {
  const StorePtr store =
      TraceOf({{.name = "/device:GPU:0",
                .lanes = {{.events = {OfGpu("memset", 5, 10, WorkKind::fill),
                                      OfGpu("MemcpyH2D", 60, 20, WorkKind::copy),
                                      OfGpu("gemm", 100, 50, WorkKind::kernel)}}}}});
  Context context;
  const auto hosts = MeasureSteps(*store, Indexes(store), {}, context).value();
  CHECK(hosts.at(0).steps.at(0).start_ps == 60);
  CHECK(hosts.at(0).steps.at(0).duration_ps == 90);
}

TEST_CASE("only the part of a collective within the step counts") {
  // The step is as long as on the device that takes longest: from 0 to 100.
  const StorePtr store = TraceOf(
      {{.name = "/device:GPU:0", .lanes = {{.events = {OfGpu("gemm", 0, 100, WorkKind::kernel)}}}},
       {.name = "/device:GPU:1",
        .lanes = {{.events = {OfGpu("ncclAllReduce", 80, 50, WorkKind::kernel)}}}}});
  Context context;
  const StepTime step = MeasureSteps(*store, Indexes(store), {}, context).value().at(0).steps.at(0);
  CHECK(step.duration_ps == 100);
  CHECK(step.collectives_ps == 20);
}

}  // namespace tfprof::plane_sums_test
