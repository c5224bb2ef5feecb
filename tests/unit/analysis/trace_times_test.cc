// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "analysis/indexes.h"
#include "analysis/intervals/lane_times.h"
#include "analysis/trace_nodes/trace_nodes.h"
#include "core/store/note_catalogue.h"
#include "loaders/open.h"
#include "tests/support/recorded_traces.h"
#include "views/views.h"

// On recorded profiles, ours and those that lie beside the checkout: no time of a device is lost
// or counted twice when its events become nodes.

namespace tfprof::trace_times_test {
namespace {

// As `planes` tells it.
int64_t DevicePs(const Store& store) {
  int64_t ps = 0;
  std::vector<LaneId> lanes;
  for (size_t i = 0; i < store.lanes.size(); ++i) {
    if (store.lanes[i].measures == Measures::accelerator_time) lanes.emplace_back(i);
  }
  for (const LaneId lane : lanes) ps += SumUnion(store, std::vector<LaneId>{lane}).sum_ps;
  return ps;
}

int64_t AcceleratorPs(const Store& store) {
  int64_t ps = 0;
  for (const Lane& lane : store.lanes) {
    if (lane.measures != Measures::accelerator_time) continue;
    for (uint32_t i = 0; i < lane.rows.count; ++i) {
      ps += store.events.duration_ps[lane.rows.first + i];
    }
  }
  return ps;
}

int64_t NotedPs(const Store& store) {
  int64_t ps = 0;
  for (const Note& note : store.notes) {
    const bool left_out =
        note.what == note::unattributed_work || note.what == note::operations_within_operations;
    if (left_out) ps += note.cost_ps;
  }
  return ps;
}

}  // namespace

TEST_CASE("nodes of a trace: nodes and notes together account for all device time") {
  const std::vector<std::string> paths = RecordedTraces();
  REQUIRE(paths.size() >= 3);
  for (const std::string& path : paths) {
    INFO(path);
    Context context;
    const StorePtr store = Load({{path, ""}}, context).value();
    if (!LacksNodes(*store)) continue;
    const Indexes indexes(store);
    const auto nodes = indexes.Get<TraceNodes>(context).value();
    CHECK(AcceleratorPs(*nodes->store) + NotedPs(*nodes->store) == DevicePs(*store));
    const Report op = Op(nodes->store, *nodes->indexes, {}, context).value();
    const int64_t of_rows = op.Find("total_accelerator_micros")->integer;
    CHECK((of_rows == kNoInt ? 0 : of_rows) == AcceleratorPs(*nodes->store));
  }
}

}  // namespace tfprof::trace_times_test
