// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/intervals/nesting.h"
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

// Finds the node of work without an operation: the operation around the call that launched it, else
// the copy that its name describes.
void FindUnnamed(DeviceOps* ops, NodeMaker* maker) {
  for (size_t i = 0; i < ops->unnamed.size(); ++i) {
    NodeId node = maker->calls.Of(ops->call_of[i]);
    if (!node.some()) {
      ops->call_of[i] = {};
      const LabelId label = maker->trace.events.label[ops->unnamed[i]];
      NodeId& of_label = ops->of_label[label.value - ops->first_label];
      const std::string_view name = maker->trace.Text(maker->trace.labels[label.value].name);
      const std::string_view copy = of_label.some() ? "" : TypeOf(CopyKindOf(name));
      if (!copy.empty()) of_label = maker->NodeOf(copy, copy);
      node = of_label;
    }
    ops->unnamed_node.push_back(node);
  }
}

// Returns the Python calls around the call that launched the row. If that call is on a separate
// thread, as with some drivers, uses those around the host event of the same instruction.
uint32_t PythonCallOf(const DeviceOps& ops, uint32_t row, const NodeMaker& maker) {
  if (maker.python.empty()) return PythonStacks::kNone;
  const EventId launch = LaunchOf(row, maker);
  if (!launch.some()) return PythonStacks::kNone;
  const uint32_t call = maker.python.of_event[launch.value];
  const uint32_t op = ops.ops.Of(row);
  if (call != PythonStacks::kNone || op == EventOps::kNone) return call;
  return maker.host_instructions.CallAt(ops.ops.ops[op].hlo_name, launch, maker);
}

// The work of one lane of a device.
class LaneWork {
 public:
  LaneWork(const DeviceOps& ops, NodeMaker* maker, WorkSums* sums, UnattributedWork* rest,
           uint32_t first)
      : ops_(ops), maker_(*maker), events_(maker->trace.events), sums_(*sums), rest_(*rest) {
    next_ = static_cast<size_t>(std::ranges::lower_bound(ops.unnamed, first) - ops.unnamed.begin());
  }

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
      sums_.Add(Below(of.node, row), events_.start_ps[row], own_ps, 1, of.kernel);
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
      sums_.Add(Below(of.node, row), kNoTime, 0, maker_.RunsOf(row), of.kernel);
    }
    rest_.unplaced.Add(events_.label[row], events_.duration_ps[row]);
  }

 private:
  // The node and kernel that a row counts for.
  struct RowTarget {
    NodeId node;
    Kernel kernel = {};  // none: the row is a run of the node
  };
  RowTarget Of(uint32_t row) {
    const LabelId label = events_.label[row];
    const bool is_unnamed = next_ < ops_.unnamed.size() && ops_.unnamed[next_] == row;
    if (!is_unnamed) {
      const uint32_t op = ops_.ops.Of(row);
      const NodeId node = ops_.Named(maker_.trace, row);
      return op == EventOps::kNone ? RowTarget{node} : RowTarget{node, {op, label.value}};
    }
    const NodeId node = ops_.unnamed_node[next_];
    const bool is_launched = ops_.call_of[next_++].some();
    return is_launched ? RowTarget{node, {Kernel::kNone, label.value}} : RowTarget{node};
  }
  NodeId Below(NodeId node, uint32_t row) {
    if (maker_.python.empty()) return node;
    return maker_.Below(node, PythonCallOf(ops_, row, maker_));
  }

  const DeviceOps& ops_;
  NodeMaker& maker_;
  const Events& events_;
  WorkSums& sums_;
  UnattributedWork& rest_;
  size_t next_ = 0;  // index into ops_.unnamed
};

void AddLane(const Lane& lane, const DeviceOps& ops, NodeMaker* maker, WorkSums* sums,
             UnattributedWork* rest) {
  LaneWork work(ops, maker, sums, rest, lane.rows.first);
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
  FindUnnamed(ops, maker);
  const auto lanes = LanesThatMeasure(maker->trace, ops->process, Measures::accelerator_time);
  return AddLanes(lanes, maker, [&](const Lane& lane, WorkSums* sums, UnattributedWork* rest) {
    AddLane(lane, *ops, maker, sums, rest);
  });
}

}  // namespace tfprof
