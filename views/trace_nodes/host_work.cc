// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/op_name.h"
#include "views/nesting.h"
#include "views/ops/event_ops.h"
#include "views/trace_nodes/making.h"

namespace tfprof {
namespace {

constexpr uint32_t kRowsPerPoll = 1 << 16;

// The operations of a host process: events that are called like one, and instructions of compiled
// programs that ran on the host itself. A call that only launches one is none.
struct HostOps {
  std::vector<NodeId> of_label;  // by label of the process
  uint32_t first_label = 0;
  EventOps instructions;
  std::vector<NodeId> of_instruction;  // by EventOps::ops
  IndexPtr<DetailColumn> launches;

  NodeId Of(const Store& trace, uint32_t row) const {
    const NodeId named = of_label[trace.events.label[row].value - first_label];
    const uint32_t op = named.some() ? EventOps::kNone : instructions.Of(row);
    if (op == EventOps::kNone || !of_instruction[op].some()) return named;
    const bool launches_it = launches->rows.count > 0 && launches->Has(row);
    return launches_it ? NodeId() : of_instruction[op];
  }
};

void NameLabels(const Process& process, Making* making, HostOps* ops) {
  ops->first_label = process.labels.first;
  ops->of_label.resize(process.labels.count);
  for (uint32_t i = 0; i < process.labels.count; ++i) {
    const Label& label = making->trace.labels[process.labels.first + i];
    const OpName op = ParseOpName(making->trace.Text(label.name));
    if (op && op.family != OpFamily::copy) ops->of_label[i] = making->NodeOf(op.name, op.type);
  }
}

Result<HostOps> FindHostOps(ProcessId id, Making* making) {
  HostOps ops;
  NameLabels(making->trace.processes[id.value], making, &ops);
  TFPROF_ASSIGN(ops.launches, making->indexes.Details(id, "correlation", making->context));
  TFPROF_ASSIGN(const auto hlo, making->indexes.Details(id, "hlo_op", making->context));
  if (hlo->rows.count == 0) return ops;
  TFPROF_ASSIGN(ops.instructions,
                FindEventOps(making->trace, making->indexes, id, making->context));
  TFPROF_ASSIGN(ops.of_instruction, NodesOfOps(ops.instructions, true, making));
  return ops;
}

// By row of the lane: the nearest operation that it is or lies in; kNoRow: none.
struct LaneOps {
  std::vector<uint32_t> row;
  std::vector<NodeId> node;  // of that row
  std::vector<int64_t> self_ps;
};

// Of operations: their time without that of operations within.
Result<void> MeasureLane(const HostOps& ops, const Lane& lane, const LaneNesting& nesting,
                         Making* making, LaneOps* measured) {
  const Store& trace = making->trace;
  measured->row.assign(lane.rows.count, kNoRow);
  measured->node.assign(lane.rows.count, NodeId());
  measured->self_ps.assign(lane.rows.count, 0);
  const uint32_t first = lane.rows.first;
  size_t polls = 0;
  for (const uint32_t row : nesting.order) {
    if (++polls % kRowsPerPoll == 0) TFPROF_TRY(Poll(making->context));
    const uint32_t parent = nesting.ParentOf(row);
    const uint32_t outer = parent == kNoRow ? kNoRow : measured->row[parent - first];
    const NodeId node = ops.Of(trace, row);
    measured->row[row - first] = node.some() ? row : outer;
    const bool inherits = !node.some() && outer != kNoRow;
    measured->node[row - first] = inherits ? measured->node[outer - first] : node;
    if (!node.some()) continue;
    const int64_t ps = trace.events.duration_ps[row];
    measured->self_ps[row - first] = SaturatingAdd(measured->self_ps[row - first], ps);
    if (outer == kNoRow) continue;
    int64_t& outer_ps = measured->self_ps[outer - first];
    outer_ps = SaturatingAdd(outer_ps, -ps);
  }
  return {};
}

// Operations of equal intervals may seem to overlap: no time is negative.
void AddLane(const HostOps& ops, const Lane& lane, const LaneOps& measured, Making* making) {
  const Events& events = making->trace.events;
  for (uint32_t i = 0; i < lane.rows.count; ++i) {
    const uint32_t row = lane.rows.first + i;
    const NodeId node = ops.Of(making->trace, row);
    if (!node.some() || !making->Asks(row)) continue;
    const bool placed = events.start_ps[row] != kNoTime;
    const int64_t ps = placed ? measured.self_ps[i] : events.duration_ps[row];
    const NodeId below =
        making->python.empty() ? node : making->Below(node, making->python.of_event[row]);
    making->AddWork(below, events.start_ps[row], std::max<int64_t>(0, ps), making->RunsOf(row));
  }
}

bool HasOps(const HostOps& ops) {
  return !ops.of_instruction.empty() ||
         std::any_of(ops.of_label.begin(), ops.of_label.end(), [](NodeId n) { return n.some(); });
}

}  // namespace

Result<void> AddHostWork(ProcessId id, Making* making) {
  const Process& process = making->trace.processes[id.value];
  TFPROF_ASSIGN(const HostOps ops, FindHostOps(id, making));
  if (!HasOps(ops)) return {};
  LaneNesting nesting;
  LaneOps measured;
  for (uint32_t i = process.lanes.first; i < process.lanes.first + process.lanes.count; ++i) {
    const Lane& lane = making->trace.lanes[i];
    if (lane.measures != Measures::host_time || lane.rows.count == 0) continue;
    TFPROF_TRY(Poll(making->context));
    NestEvents(making->trace, lane, &nesting);
    TFPROF_TRY(MeasureLane(ops, lane, nesting, making, &measured));
    AddLane(ops, lane, measured, making);
    if (making->around.empty()) continue;
    std::copy(measured.node.begin(), measured.node.end(), making->around.begin() + lane.rows.first);
  }
  return {};
}

}  // namespace tfprof
