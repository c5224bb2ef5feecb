// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/intervals/nesting.h"
#include "analysis/place.h"
#include "analysis/trace_nodes/node_maker.h"

namespace tfprof {
namespace {

std::string_view TypeOf(CopyKind kind) {
  switch (kind) {
    case CopyKind::none: return {};
    case CopyKind::host_to_device: return "MemcpyHToD";
    case CopyKind::device_to_host: return "MemcpyDToH";
    case CopyKind::device_to_device: return "MemcpyDToD";
    case CopyKind::host_to_host: break;
  }
  return "MemcpyHToH";
}

// Returns the copy that the name of the work describes; none: it is no copy.
NodeId CopyOfLabel(DeviceOps* ops, LabelId label, NodeMaker* maker) {
  NodeId& of_label = ops->of_label[label.value - ops->first_label];
  const std::string_view name = maker->trace.Text(maker->trace.labels[label.value].name);
  const std::string_view copy = of_label.some() ? "" : TypeOf(CopyKindOf(name));
  if (!copy.empty()) of_label = maker->NodeOf(copy, copy);
  return of_label;
}

// Work that no operation is known for counts as the copy that its name describes.
void FindCopies(DeviceOps* ops, NodeMaker* maker) {
  const Store& trace = maker->trace;
  for (const Lane* lane : LanesThatMeasure(trace, ops->process, Measures::accelerator_time)) {
    for (const uint32_t row : lane->rows) {
      if (!ops->Named(trace, row).some()) CopyOfLabel(ops, trace.events.label[row], maker);
    }
  }
}

// Returns the Python calls around the call that launched the row. If that call is on a separate
// thread, as with some drivers, uses those around the host event of the same instruction.
uint32_t PythonCallOf(const DeviceOps& ops, uint32_t row, const NodeMaker& maker) {
  if (maker.python.empty()) return PythonStacks::kNone;
  const EventId launch = LaunchOf(*maker.links, row);
  if (!launch.some()) return PythonStacks::kNone;
  const uint32_t call = maker.python.of_event[launch.value];
  const uint32_t op = ops.Ops().Of(row);
  if (call != PythonStacks::kNone || op == EventOps::kNone) return call;
  return maker.host_instructions.CallAt(ops.Ops().ops[op].hlo_name, launch, maker);
}

// The work of one lane of a device.
class LaneWork {
 public:
  LaneWork(const DeviceOps& ops, NodeMaker* maker, WorkSums* sums, UnattributedWork* rest)
      : ops_(ops), maker_(*maker), events_(maker->trace.events), sums_(*sums), rest_(*rest) {}

  // Adds a row, in order; only rows that -step selects count. `own_ps`: its time minus enclosed
  // rows.
  void Add(uint32_t row, int64_t own_ps) {
    const RowTarget of = Of(row);
    if (!maker_.IsChosen(row)) {
      if (maker_.chosen.IsOutsideSteps(row)) rest_.stepless.Add(events_.label[row], own_ps);
      return;
    }
    const int64_t inside_ps = events_.duration_ps[row] - own_ps;
    if (inside_ps > 0) rest_.nested.Add(events_.label[row], inside_ps);
    if (of.node.some()) {
      const NodeId below = Below(of.node, row);
      sums_.Add(below, events_.start_ps[row], own_ps, of.runs, of.kernel);
      if (maker_.keeps_executions) AddPart(below, row, own_ps, of);
    } else {
      rest_.unnamed.Add(events_.label[row], own_ps);
    }
  }
  // An aggregate has no time, so it is not part of the device's busy time; it records the number of
  // runs.
  void AddSum(uint32_t row) {
    const RowTarget of = Of(row);
    if (!maker_.IsChosen(row)) return;
    if (of.node.some()) {
      const NodeId below = Below(of.node, row);
      sums_.Add(below, kNoTime, 0, of.runs * maker_.RunsOf(row), of.kernel);
      if (maker_.keeps_executions) sums_.AddPart({below.value});
    }
    rest_.unplaced.Add(events_.label[row], events_.duration_ps[row]);
  }

 private:
  // What a row counts for.
  struct RowTarget {
    NodeId node;
    Kernel kernel = {};  // none: the row is a run of the node, or a part of one
    int64_t runs = 1;
  };
  RowTarget Of(uint32_t row) const {
    const uint32_t op = ops_.Ops().Of(row);
    const NodeId node = ops_.Named(maker_.trace, row);
    if (op == EventOps::kNone || !ops_.of_op[op].some()) return {node};
    if (ops_.Ops().ops[op].is_xla) return {node, {}, ops_.runs->Starts(row) ? 1 : 0};
    return {node, {op, events_.label[row].value}};
  }
  void AddPart(NodeId node, uint32_t row, int64_t ps, const RowTarget& of) {
    ExecutionPart part{node.value, row, Kernel::kNone, ps};
    if (of.kernel.some()) {
      // The operation on the host around the launch; kNoRow is kUnknown.
      part.execution = maker_.launch_ops->Around(row);
      part.label = of.kernel.label;
    } else if (of.runs > 0) {
      started_[node.value] = row;
    } else {
      const auto started = started_.find(node.value);
      part.execution = started == started_.end() ? ExecutionPart::kUnknown : started->second;
    }
    sums_.AddPart(part);
  }
  NodeId Below(NodeId node, uint32_t row) {
    const NodeId part = maker_.InScope(node, row);
    if (maker_.python.empty()) return part;
    return maker_.Below(part, PythonCallOf(ops_, row, maker_));
  }

  const DeviceOps& ops_;
  NodeMaker& maker_;
  const Events& events_;
  WorkSums& sums_;
  UnattributedWork& rest_;
  // By node: the kernel that began its last execution, with keeps_executions.
  std::unordered_map<uint32_t, uint32_t> started_ = {};
};

void AddLane(const Lane& lane, const DeviceOps& ops, NodeMaker* maker, WorkSums* sums,
             UnattributedWork* rest) {
  LaneWork work(ops, maker, sums, rest);
  const Range placed = lane.PlacedRows();
  for (uint32_t row = lane.rows.first; row < placed.first; ++row) work.AddSum(row);
  if (lane.nesting != Nesting::stack) {
    const Column<int64_t>& duration_ps = maker->trace.events.duration_ps;
    for (const uint32_t row : placed) work.Add(row, duration_ps[row]);
    return;
  }
  LaneNesting nesting;
  std::vector<int64_t> own_ps;
  NestEvents(maker->trace, lane, &nesting);
  SelfTimes(maker->trace, nesting, &own_ps);
  for (const uint32_t row : placed) work.Add(row, own_ps[row - placed.first]);
}

}  // namespace

Result<void> AddDeviceWork(DeviceOps* ops, NodeMaker* maker) {
  FindCopies(ops, maker);
  const auto lanes = LanesThatMeasure(maker->trace, ops->process, Measures::accelerator_time);
  return AddLanes(lanes, maker, [&](const Lane& lane, WorkSums* sums, UnattributedWork* rest) {
    AddLane(lane, *ops, maker, sums, rest);
  });
}

}  // namespace tfprof
