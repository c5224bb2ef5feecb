// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <queue>

#include "core/base/arith.h"
#include "views/timeline/lanes.h"

namespace tfprof {
namespace {

// The last execution of a node on its device before the sweep's current time.
struct Last {
  int64_t start_ps = 0;
  int64_t end_ps = kNoTime;
  StepId step;
  uint32_t track = 0;
  uint32_t level = 0;
  EventId flow_to;  // the last execution that a flow from it leads to
};

// Sweeps all lanes by start, so that flows need only each node's last execution.
struct Sweep {
  using Due = std::pair<int64_t, uint32_t>;  // start of a lane's next row, lane

  ExportedLanesPtr exported;
  std::vector<LaneReader> readers;
  std::vector<LaneRow> rows;  // the next row of each lane
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due;
  Column<Last> last;             // by node
  std::vector<TraceFlow> flows;  // flows to the previous execution
  size_t next_flow = 0;
};

bool EndedBefore(const Last& producer, const LaneRow& row) {
  return producer.end_ps != kNoTime && producer.step == row.step && producer.end_ps <= row.start_ps;
}

void AddFlow(std::string_view name, const LaneRow& to, uint32_t to_track, Last* from,
             Sweep* sweep) {
  const EventId event(to.row);
  if (from->flow_to == event) return;
  from->flow_to = event;
  const int64_t start_ps = FlowStart(from->start_ps, from->end_ps, to.start_ps);
  sweep->flows.push_back(
      {start_ps, to.start_ps, name, from->track, from->level, to_track, to.level});
}

void AddInputs(const Node& node, const LaneRow& row, uint32_t track, Sweep* sweep) {
  for (const Edge& edge : sweep->exported->store->Inputs(node)) {
    if (!edge.producer.some()) continue;
    Last& producer = sweep->last[edge.producer.value];
    if (EndedBefore(producer, row)) AddFlow("input", row, track, &producer, sweep);
  }
}

void AddFlowsTo(const LaneRow& row, const ExportedLane& exported_lane, Sweep* sweep) {
  const Store& store = *sweep->exported->store;
  const NodeId node = store.labels[store.events.label[row.row].value].node;
  if (!node.some()) return;
  const Lane& lane = store.lanes[exported_lane.lane.value];
  Last& last = sweep->last[node.value];
  if (lane.measures == Measures::host_time) {
    AddInputs(store.nodes[node.value], row, exported_lane.track, sweep);
    last = {row.start_ps, row.end_ps, row.step, exported_lane.track, row.level, EventId()};
  } else if (lane.measures == Measures::accelerator_time && last.end_ps != kNoTime &&
             last.step == row.step) {
    AddFlow("launch", row, exported_lane.track, &last, sweep);
  }
}

// Advances to the next execution; false: there is none.
bool Advance(Sweep* sweep) {
  sweep->flows.clear();
  sweep->next_flow = 0;
  if (sweep->due.empty()) return false;
  const uint32_t lane = sweep->due.top().second;
  sweep->due.pop();
  AddFlowsTo(sweep->rows[lane], sweep->exported->lanes[lane], sweep);
  if (sweep->readers[lane].Next(&sweep->rows[lane])) {
    sweep->due.push({sweep->rows[lane].start_ps, lane});
  }
  return true;
}

size_t Next(Sweep& sweep, std::span<TraceFlow> out) {
  size_t filled = 0;
  while (filled < out.size()) {
    if (sweep.next_flow < sweep.flows.size()) {
      out[filled++] = sweep.flows[sweep.next_flow++];
    } else if (!Advance(&sweep)) {
      break;
    }
  }
  return filled;
}

}  // namespace

Cursor<TraceFlow> TimelineFlows(ExportedLanesPtr exported) {
  auto sweep = std::make_shared<Sweep>();
  sweep->last.Resize(exported->store->nodes.size());
  sweep->rows.resize(exported->lanes.size());
  for (uint32_t i = 0; i < exported->lanes.size(); ++i) {
    sweep->readers.emplace_back(*exported, exported->lanes[i]);
    if (sweep->readers[i].Next(&sweep->rows[i])) {
      sweep->due.push({sweep->rows[i].start_ps, i});
    }
  }
  sweep->exported = std::move(exported);
  return CursorFrom<TraceFlow>(std::move(sweep), Next);
}

}  // namespace tfprof
