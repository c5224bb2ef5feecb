// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "analysis/indexes.h"
#include "analysis/intervals/nesting.h"
#include "analysis/ops/event_ops.h"
#include "analysis/place.h"
#include "analysis/trace_nodes/iterator_waits.h"
#include "analysis/trace_nodes/node_maker.h"
#include "core/store/op_name.h"

namespace tfprof {
namespace {

// The operations of a host process: events named like operations, and instructions of compiled
// programs that ran on the host itself. A call that only launches an instruction is not one.
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

void NameLabels(const Process& process, NodeMaker* maker, HostOps* ops) {
  ops->first_label = process.labels.first;
  ops->of_label.resize(process.labels.count);
  for (uint32_t i = 0; i < process.labels.count; ++i) {
    const Label& label = maker->trace.labels[process.labels.first + i];
    const OpName op = OpNameOf(label.of, maker->trace.Text(OpText(label)));
    if (op && op.family != OpFamily::copy) ops->of_label[i] = maker->NodeOf(op.name, op.type);
  }
}

Result<HostOps> FindHostOps(ProcessId id, NodeMaker* maker) {
  HostOps ops;
  NameLabels(maker->trace.processes[id.value], maker, &ops);
  TFPROF_ASSIGN(ops.launches,
                maker->indexes.Details(id, AttributeKey::correlation, maker->context));
  TFPROF_ASSIGN(const auto hlo,
                maker->indexes.Details(id, AttributeKey::instruction, maker->context));
  if (hlo->rows.count == 0) return ops;
  TFPROF_ASSIGN(ops.instructions, FindEventOps(maker->trace, maker->indexes, id,
                                               OpSources::recorded, maker->context));
  TFPROF_ASSIGN(ops.of_instruction, NodesOfOps(ops.instructions, true, maker));
  return ops;
}

// An operation that is still running.
struct OpenOp {
  uint32_t row;
  NodeId node;
  int64_t end_ps;
  int64_t start_ps;
  ExclusiveTime time;  // minus the enclosed operations that were added
};

// The operations of a lane, row by row, nested as in analysis/intervals/nesting.h: an event lies
// within those that last at least as long. Events that are not operations change nothing.
class LaneOps {
 public:
  LaneOps(const HostOps& ops, const IteratorWaits& waits, NodeMaker* maker, WorkSums* sums,
          UnattributedWork* rest)
      : ops_(ops),
        waits_(waits),
        maker_(*maker),
        events_(maker->trace.events),
        sums_(*sums),
        rest_(*rest) {}

  // Adds the next event.
  void Next(uint32_t row) {
    const int64_t start_ps = events_.start_ps[row], duration_ps = events_.duration_ps[row];
    const int64_t end_ps = SaturatingAdd(start_ps, duration_ps);
    while (!open_.empty() && open_.back().end_ps < end_ps) Close();
    const NodeId node = ops_.Of(maker_.trace, row);
    if (!node.some()) return;
    if (!open_.empty()) {
      TakeWaits(start_ps, &open_.back());
      open_.back().time.Take(start_ps, end_ps);
    }
    open_.push_back({row, node, end_ps, start_ps, {duration_ps}});
  }
  void Finish() {
    while (!open_.empty()) Close();
  }
  // Adds an aggregate, which has no time.
  void AddSum(uint32_t row) {
    const NodeId node = ops_.Of(maker_.trace, row);
    if (!node.some()) return;
    Add(row, node, events_.duration_ps[row], maker_.RunsOf(row), ExecutionPart::kUnknown);
  }

 private:
  // Takes the waits of an iterator for other threads, from what was taken before to `until_ps`.
  void TakeWaits(int64_t until_ps, OpenOp* op) {
    const int64_t from_ps = std::max(op->start_ps, op->time.taken_until_ps);
    if (from_ps >= until_ps) return;
    op->time.ps -= waits_.PsWithin(maker_.trace, op->row, from_ps, until_ps);
  }
  void Close() {
    OpenOp op = open_.back();
    open_.pop_back();
    TakeWaits(op.end_ps, &op);
    Add(op.row, op.node, op.time.ps, 1, op.row);
  }
  void Add(uint32_t row, NodeId node, int64_t ps, int64_t runs, uint32_t execution) {
    if (!maker_.IsChosen(row)) {
      if (maker_.chosen.IsOutsideSteps(row)) rest_.stepless.Add(events_.label[row], ps);
      return;
    }
    const NodeId part = maker_.InScope(node, row);
    const NodeId below =
        maker_.python.empty() ? part : maker_.Below(part, maker_.python.of_event[row]);
    sums_.Add(below, events_.start_ps[row], ps, runs);
    if (maker_.keeps_executions) sums_.AddPart({below.value, execution, Kernel::kNone, ps});
    if (maker_.flops == nullptr || maker_.flops->empty()) return;
    const int64_t flops = maker_.flops->flops[row];
    if (flops != kNoInt) sums_.AddFlops(below, flops);
  }

  const HostOps& ops_;
  const IteratorWaits& waits_;
  NodeMaker& maker_;
  const Events& events_;
  WorkSums& sums_;
  UnattributedWork& rest_;
  std::vector<OpenOp> open_;  // each lies within the one before it
};

// Adds events that start at once, longest first.
void AddSimultaneousEvents(uint32_t first, uint32_t end, LaneOps* ops, NodeMaker* maker) {
  const Column<int64_t>& duration_ps = maker->trace.events.duration_ps;
  std::vector<uint32_t> rows(end - first);
  std::iota(rows.begin(), rows.end(), first);
  std::stable_sort(rows.begin(), rows.end(),
                   [&](uint32_t a, uint32_t b) { return duration_ps[a] > duration_ps[b]; });
  for (const uint32_t row : rows) ops->Next(row);
}

void AddLane(const Lane& lane, LaneOps* ops, NodeMaker* maker) {
  const Column<int64_t>& start_ps = maker->trace.events.start_ps;
  const uint32_t first = lane.PlacedRows().first, end = lane.rows.After();
  for (uint32_t row = lane.rows.first; row < first; ++row) ops->AddSum(row);
  for (uint32_t row = first; row < end;) {
    uint32_t after = row + 1;
    while (after < end && start_ps[after] == start_ps[row]) ++after;
    if (after - row > 1) {
      AddSimultaneousEvents(row, after, ops, maker);
    } else {
      ops->Next(row);
    }
    row = after;
  }
  ops->Finish();
}

bool HasOps(const HostOps& ops) {
  return !ops.of_instruction.empty() ||
         std::any_of(ops.of_label.begin(), ops.of_label.end(), [](NodeId n) { return n.some(); });
}

}  // namespace

Result<void> AddHostWork(ProcessId id, NodeMaker* maker) {
  TFPROF_ASSIGN(const HostOps ops, FindHostOps(id, maker));
  if (!HasOps(ops)) return {};
  TFPROF_ASSIGN(const IteratorWaits waits,
                FindIteratorWaits(id, maker->trace, maker->indexes, maker->context));
  const auto lanes = LanesThatMeasure(maker->trace, id, Measures::host_time);
  return AddLanes(lanes, maker, [&](const Lane& lane, WorkSums* sums, UnattributedWork* rest) {
    LaneOps of_lane(ops, waits, maker, sums, rest);
    AddLane(lane, &of_lane, maker);
  });
}

}  // namespace tfprof
