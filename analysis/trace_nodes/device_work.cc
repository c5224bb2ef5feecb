// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/intervals/nesting.h"
#include "analysis/trace_nodes/making.h"

namespace tfprof {
namespace {

NodeId CopyNode(std::string_view name, Making* making) {
  switch (CopyKindOf(name)) {
    case CopyKind::none: return {};
    case CopyKind::host_to_device: return making->NodeOf("MemcpyHToD", "MemcpyHToD");
    case CopyKind::device_to_host: return making->NodeOf("MemcpyDToH", "MemcpyDToH");
    case CopyKind::device_to_device: return making->NodeOf("MemcpyDToD", "MemcpyDToD");
    case CopyKind::host_to_host: break;
  }
  return making->NodeOf("MemcpyHToH", "MemcpyHToH");
}

// What work is that names no operation: the operation around the call that launched it, else the
// copy that it is called.
void FindUnnamed(DeviceOps* ops, Making* making) {
  for (size_t i = 0; i < ops->unnamed.size(); ++i) {
    NodeId node = making->calls.Of(ops->call_of[i]);
    if (!node.some()) {
      ops->call_of[i] = {};
      const LabelId label = making->trace.events.label[ops->unnamed[i]];
      NodeId& of_label = ops->of_label[label.value - ops->first_label];
      if (!of_label.some()) {
        of_label = CopyNode(making->trace.Text(making->trace.labels[label.value].name), making);
      }
      node = of_label;
    }
    ops->unnamed_node.push_back(node);
  }
}

// The Python calls around the call that launched it. Where that lies on a thread of its own, as
// those of some drivers do, they are those around the host's event of the same instruction.
uint32_t PythonCallOf(const DeviceOps& ops, uint32_t row, const Making& making) {
  if (making.python.empty()) return PythonStacks::kNone;
  const EventId launch = LaunchOf(row, making);
  if (!launch.some()) return PythonStacks::kNone;
  const uint32_t call = making.python.of_event[launch.value];
  const uint32_t op = ops.ops.Of(row);
  if (call != PythonStacks::kNone || op == EventOps::kNone) return call;
  return making.host_instructions.CallAt(ops.ops.ops[op].hlo_name, launch, making);
}

// The work of one lane of a device.
class LaneWork {
 public:
  LaneWork(const DeviceOps& ops, Making* making, WorkSums* sums, NotOfNodes* rest, uint32_t first)
      : ops_(ops), making_(*making), events_(making->trace.events), sums_(*sums), rest_(*rest) {
    next_ = static_cast<size_t>(std::ranges::lower_bound(ops.unnamed, first) - ops.unnamed.begin());
  }

  // Rows in order; those of -step count. `own_ps`: its time without that of others within.
  void Add(uint32_t row, int64_t own_ps) {
    const OfRow of = Of(row);
    if (!making_.Asks(row)) {
      if (making_.chosen.IsOfNoStep(row)) rest_.stepless.Add(events_.label[row], own_ps);
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
  // A sum over many executions has no place in time, so it is no part of what the device was busy
  // with; it tells how often they ran.
  void AddSum(uint32_t row) {
    const OfRow of = Of(row);
    if (!making_.Asks(row)) return;
    if (of.node.some()) {
      sums_.Add(Below(of.node, row), kNoTime, 0, making_.RunsOf(row), of.kernel);
    }
    rest_.unplaced.Add(events_.label[row], events_.duration_ps[row]);
  }

 private:
  // What a row counts for.
  struct OfRow {
    NodeId node;
    Kernel kernel = {};  // none: the row is a run of the node
  };
  OfRow Of(uint32_t row) {
    const LabelId label = events_.label[row];
    const bool is_unnamed = next_ < ops_.unnamed.size() && ops_.unnamed[next_] == row;
    if (!is_unnamed) {
      const uint32_t op = ops_.ops.Of(row);
      const NodeId node = ops_.Named(making_.trace, row);
      return op == EventOps::kNone ? OfRow{node} : OfRow{node, {op, label.value}};
    }
    const NodeId node = ops_.unnamed_node[next_];
    const bool is_launched = ops_.call_of[next_++].some();
    return is_launched ? OfRow{node, {Kernel::kNone, label.value}} : OfRow{node};
  }
  NodeId Below(NodeId node, uint32_t row) {
    if (making_.python.empty()) return node;
    return making_.Below(node, PythonCallOf(ops_, row, making_));
  }

  const DeviceOps& ops_;
  Making& making_;
  const Events& events_;
  WorkSums& sums_;
  NotOfNodes& rest_;
  size_t next_ = 0;  // of ops_.unnamed
};

void AddLane(const Lane& lane, const DeviceOps& ops, Making* making, WorkSums* sums,
             NotOfNodes* rest) {
  LaneWork work(ops, making, sums, rest, lane.rows.first);
  const uint32_t first = lane.rows.first + lane.unplaced, end = lane.rows.first + lane.rows.count;
  for (uint32_t row = lane.rows.first; row < first; ++row) work.AddSum(row);
  if (lane.nesting != Nesting::stack) {
    const Column<int64_t>& duration_ps = making->trace.events.duration_ps;
    for (uint32_t row = first; row < end; ++row) work.Add(row, duration_ps[row]);
    return;
  }
  LaneNesting nesting;
  std::vector<int64_t> own_ps;
  NestEvents(making->trace, lane, &nesting);
  SelfTimes(making->trace, nesting, &own_ps);
  for (uint32_t row = first; row < end; ++row) work.Add(row, own_ps[row - first]);
}

}  // namespace

Result<void> AddDeviceWork(DeviceOps* ops, Making* making) {
  FindUnnamed(ops, making);
  const auto lanes = LanesThatMeasure(making->trace, ops->process, Measures::accelerator_time);
  return AddLanes(lanes, making, [&](const Lane& lane, WorkSums* sums, NotOfNodes* rest) {
    AddLane(lane, *ops, making, sums, rest);
  });
}

}  // namespace tfprof
