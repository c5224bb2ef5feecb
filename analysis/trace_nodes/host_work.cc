// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>

#include "analysis/indexes.h"
#include "analysis/intervals/nesting.h"
#include "analysis/ops/event_ops.h"
#include "analysis/trace_nodes/making.h"
#include "core/store/op_name.h"

namespace tfprof {
namespace {

// Of an operation whose node nobody needs so far.
constexpr NodeId kAnyNode(NodeId::kNone - 1);

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

// `counts`: else nodes come to be when they are needed, see NodeOfOp.
void NameLabels(const Process& process, bool counts, Making* making, HostOps* ops) {
  ops->first_label = process.labels.first;
  ops->of_label.resize(process.labels.count);
  for (uint32_t i = 0; i < process.labels.count; ++i) {
    const Label& label = making->trace.labels[process.labels.first + i];
    const OpName op = ParseOpName(making->trace.Text(label.name));
    if (!op || op.family == OpFamily::copy) continue;
    ops->of_label[i] = counts ? making->NodeOf(op.name, op.type) : kAnyNode;
  }
}

NodeId NodeOfOp(const HostOps& ops, uint32_t row, Making* making) {
  const NodeId known = ops.Of(making->trace, row);
  if (known != kAnyNode) return known;
  const Label& label = making->trace.labels[making->trace.events.label[row].value];
  const OpName op = ParseOpName(making->trace.Text(label.name));
  return making->NodeOf(op.name, op.type);
}

Result<HostOps> FindHostOps(ProcessId id, bool counts, Making* making) {
  HostOps ops;
  NameLabels(making->trace.processes[id.value], counts, making, &ops);
  TFPROF_ASSIGN(ops.launches,
                making->indexes.Details(id, AttributeKey::correlation, making->context));
  TFPROF_ASSIGN(const auto hlo,
                making->indexes.Details(id, AttributeKey::instruction, making->context));
  if (hlo->rows.count == 0) return ops;
  TFPROF_ASSIGN(ops.instructions,
                FindEventOps(making->trace, making->indexes, id, making->context));
  TFPROF_ASSIGN(ops.of_instruction, NodesOfOps(ops.instructions, true, making));
  return ops;
}

// An operation that lasts.
struct OpenOp {
  uint32_t row;
  NodeId node;
  int64_t end_ps;
  ExclusiveTime time;  // without the operations within it so far
};

// The operations of a lane, row by row as analysis/intervals/nesting.h has them: an event lies in
// those that last at least as long as it. What is no operation changes nothing.
class LaneOps {
 public:
  // `sums`: null: nothing counts.
  LaneOps(const HostOps& ops, Making* making, WorkSums* sums, NotOfNodes* rest)
      : ops_(ops), making_(*making), events_(making->trace.events), sums_(sums), rest_(*rest) {}

  // The next event. The row of the operation that it is or lies in; kNoRow: it lies in none.
  uint32_t Next(uint32_t row) {
    const int64_t start_ps = events_.start_ps[row], duration_ps = events_.duration_ps[row];
    const int64_t end_ps = SaturatingAdd(start_ps, duration_ps);
    while (!open_.empty() && open_.back().end_ps < end_ps) Close();
    const NodeId node = ops_.Of(making_.trace, row);
    if (!node.some()) return open_.empty() ? kNoRow : open_.back().row;
    if (!open_.empty()) open_.back().time.Take(start_ps, end_ps);
    open_.push_back({row, node, end_ps, {duration_ps}});
    return row;
  }
  void Finish() {
    while (!open_.empty()) Close();
  }
  // A sum without a place in time.
  void AddSum(uint32_t row) {
    const NodeId node = ops_.Of(making_.trace, row);
    if (node.some()) Add(row, node, events_.duration_ps[row], making_.RunsOf(row));
  }

 private:
  void Close() {
    const OpenOp op = open_.back();
    open_.pop_back();
    Add(op.row, op.node, op.time.ps, 1);
  }
  void Add(uint32_t row, NodeId node, int64_t ps, int64_t runs) {
    if (sums_ == nullptr) return;
    if (!making_.Asks(row)) {
      if (making_.chosen.IsOfNoStep(row)) rest_.stepless.Add(events_.label[row], ps);
      return;
    }
    const NodeId below =
        making_.python.empty() ? node : making_.Below(node, making_.python.of_event[row]);
    sums_->Add(below, events_.start_ps[row], ps, runs);
  }

  const HostOps& ops_;
  Making& making_;
  const Events& events_;
  WorkSums* sums_;
  NotOfNodes& rest_;
  std::vector<OpenOp> open_;  // each lies in the one before it
};

// Events that begin at once: longest first.
void AddAtOnce(uint32_t first, uint32_t end, LaneOps* ops, Making* making) {
  const Column<int64_t>& duration_ps = making->trace.events.duration_ps;
  std::vector<uint32_t> rows(end - first);
  std::iota(rows.begin(), rows.end(), first);
  std::stable_sort(rows.begin(), rows.end(),
                   [&](uint32_t a, uint32_t b) { return duration_ps[a] > duration_ps[b]; });
  LaunchCalls& calls = making->calls;
  for (const uint32_t row : rows) {
    const uint32_t op = ops->Next(row);
    const size_t call = calls.From(row);
    if (call < calls.row.size() && calls.row[call] == row) calls.op[call] = op;
  }
}

void AddLane(const Lane& lane, LaneOps* ops, Making* making) {
  const Column<int64_t>& start_ps = making->trace.events.start_ps;
  LaunchCalls& calls = making->calls;
  const uint32_t first = lane.rows.first + lane.unplaced, end = lane.rows.first + lane.rows.count;
  for (uint32_t row = lane.rows.first; row < first; ++row) ops->AddSum(row);
  size_t call = calls.From(first);
  for (uint32_t row = first; row < end;) {
    uint32_t after = row + 1;
    while (after < end && start_ps[after] == start_ps[row]) ++after;
    if (after - row > 1) {
      AddAtOnce(row, after, ops, making);
      while (call < calls.row.size() && calls.row[call] < after) ++call;
    } else {
      const uint32_t op = ops->Next(row);
      const bool is_call = call < calls.row.size() && calls.row[call] == row;
      if (is_call) calls.op[call++] = op;
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

Result<void> AddHostWork(ProcessId id, bool counts, Making* making) {
  TFPROF_ASSIGN(const HostOps ops, FindHostOps(id, counts, making));
  if (!HasOps(ops)) return {};
  const auto lanes = LanesThatMeasure(making->trace, id, Measures::host_time);
  TFPROF_TRY(AddLanes(lanes, making, [&](const Lane& lane, WorkSums* sums, NotOfNodes* rest) {
    LaneOps of_lane(ops, making, counts ? sums : nullptr, rest);
    AddLane(lane, &of_lane, making);
  }));
  LaunchCalls& calls = making->calls;
  for (const Lane* lane : lanes) {
    const size_t end = calls.From(lane->rows.first + lane->rows.count);
    for (size_t i = calls.From(lane->rows.first); i < end; ++i) {
      if (calls.op[i] != kNoRow) calls.node[i] = NodeOfOp(ops, calls.op[i], making);
    }
  }
  return {};
}

}  // namespace tfprof
