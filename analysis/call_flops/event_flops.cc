// SPDX-License-Identifier: Apache-2.0
#include "analysis/call_flops/event_flops.h"

#include <string_view>
#include <vector>

#include "analysis/call_flops/call_flops.h"
#include "analysis/indexes.h"
#include "analysis/intervals/nesting.h"

namespace tfprof {
namespace {

// What a call logs, and what the rules say; kNoInt: nothing.
struct CallNumbers {
  int64_t logged = kNoInt;
  int64_t by_rule = kNoInt;
};

// The columns of a process.
class Calls {
 public:
  static Result<Calls> Read(const Indexes& indexes, ProcessId id, Context& context) {
    constexpr DetailKey kKeys[] = {AttributeKey::model_flops, AttributeKey::input_shapes,
                                   AttributeKey::input_values};
    TFPROF_ASSIGN(auto columns, indexes.Details(id, kKeys, context));
    return Calls(*indexes.store(), std::move(columns));
  }
  bool empty() const { return columns_[0]->rows.count == 0 && columns_[1]->rows.count == 0; }

  CallNumbers Of(uint32_t row) const {
    CallNumbers numbers;
    if (columns_[0]->rows.count > 0) numbers.logged = columns_[0]->Integer(row);
    if (numbers.logged < 0) numbers.logged = kNoInt;
    const Label& label = store_.labels[store_.events.label[row].value];
    const std::string_view type = store_.Text(label.name);
    if (label.of != EventClass::op || columns_[1]->rows.count == 0 || !HasCallRule(type)) {
      return numbers;
    }
    const std::vector<CallInput> inputs = ParseInputs(columns_[1]->Text(row));
    const std::vector<std::string_view> values = ParseValues(columns_[2]->TextIfRead(row));
    numbers.by_rule = CallFlops({type, inputs, values});
    return numbers;
  }

 private:
  Calls(const Store& store, std::vector<IndexPtr<DetailColumn>> columns)
      : store_(store), columns_(std::move(columns)) {}

  const Store& store_;
  std::vector<IndexPtr<DetailColumn>> columns_;
};

// What is known below an event.
struct Below {
  uint32_t known = 0;
  uint32_t last = kNoRow;  // of those

  void Add(const Below& more) {
    known += more.known;
    if (more.known > 0) last = more.last;
  }
};

// Children come after their parents in the order of nesting.
void AddLane(const Store& store, const Lane& lane, const Calls& calls, EventFlops* found) {
  LaneNesting nesting;
  NestEvents(store, lane, &nesting);
  std::vector<Below> below(lane.rows.count);
  for (auto row = nesting.order.rbegin(); row != nesting.order.rend(); ++row) {
    const CallNumbers numbers = calls.Of(*row);
    Below& of = below[*row - lane.rows.first];
    if (of.known == 0) {
      const int64_t flops = numbers.logged != kNoInt ? numbers.logged : numbers.by_rule;
      found->flops[*row] = flops;
      if (flops != kNoInt) of = {1, *row};
    } else if (of.known == 1 && numbers.logged != kNoInt) {
      found->flops[of.last] = numbers.logged;
    }
    const uint32_t parent = nesting.ParentOf(*row);
    if (parent != kNoRow) below[parent - lane.rows.first].Add(of);
  }
  for (const uint32_t row : nesting.order) {
    const uint32_t parent = nesting.ParentOf(row);
    const bool has_own = found->flops[row] != kNoInt;
    found->owner[row] = has_own ? row : parent == kNoRow ? kNoRow : found->owner[parent];
  }
}

bool HasOps(const Store& store, const Process& process) {
  for (const Label& label : store.LabelsOf(process)) {
    if (label.of == EventClass::op) return true;
  }
  return false;
}

}  // namespace

Result<EventFlops> EventFlops::Build(const Indexes& indexes, Context& context) {
  const Store& store = *indexes.store();
  EventFlops found;
  for (uint32_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    if (process.kind != ProcessKind::host || !HasOps(store, process)) continue;
    TFPROF_ASSIGN(const Calls calls, Calls::Read(indexes, ProcessId(i), context));
    if (calls.empty()) continue;
    if (found.empty()) {
      found.flops.Resize(store.EventCount(), kNoInt);
      found.owner.Resize(store.EventCount(), kNoRow);
    }
    for (const Lane& lane : store.LanesOf(process)) {
      if (lane.measures != Measures::host_time) continue;
      TFPROF_TRY(Poll(context));
      AddLane(store, lane, calls, &found);
    }
  }
  return found;
}

}  // namespace tfprof
