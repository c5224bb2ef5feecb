// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/loop/executions.h"

#include <algorithm>
#include <unordered_map>

#include "analysis/ops/links.h"
#include "core/base/hash.h"

namespace tfprof {
namespace {

struct Columns {
  IndexPtr<DetailColumn> instruction, module, run;
};

Result<Columns> ReadColumns(const Indexes& indexes, ProcessId process, Context& context) {
  constexpr DetailKey kKeys[] = {AttributeKey::instruction, AttributeKey::module,
                                 AttributeKey::program_run};
  TFPROF_ASSIGN(auto read, indexes.Details(process, kKeys, context));
  return Columns{std::move(read[0]), std::move(read[1]), std::move(read[2])};
}

// Collects the instructions of all threads.
class Collecting {
 public:
  Collecting(const Store& store, const Columns& columns) : store_(store), columns_(columns) {}

  void Add(uint32_t row) {
    const std::string_view instruction = columns_.instruction->Text(row);
    if (instruction.empty()) return;
    const int64_t start_ps = store_.events.start_ps[row];
    const int64_t end_ps = SaturatingAdd(start_ps, store_.events.duration_ps[row]);
    Include(row, start_ps, end_ps);
    const Callback call = CallbackOf(instruction);
    if (call != Callback::none) {
      if (found_.callbacks.what == Callback::none) found_.callbacks.what = call;
      callbacks_.Add(start_ps, end_ps);
      found_.callbacks.rows.push_back(row);
    } else if (LinkOf(instruction) == Link::devices) {
      communication_.Add(start_ps, end_ps);
      found_.collective_row = row;
    } else {
      compute_.Add(start_ps, end_ps);
    }
  }

  HostExecutions Finish() {
    std::ranges::sort(found_.executions, {}, &HostExecution::start_ps);
    const Intervals compute = compute_.Parts();
    found_.callbacks.intervals = Subtract(callbacks_.Parts(), compute);
    found_.communication = Subtract(communication_.Parts(), compute);
    return std::move(found_);
  }

 private:
  void Include(uint32_t row, int64_t start_ps, int64_t end_ps) {
    const int64_t run = columns_.run->rows.count == 0 ? kNoInt : columns_.run->Integer(row);
    const NameId module =
        columns_.module->rows.count == 0 ? NameId() : columns_.module->TextId(row);
    const uint64_t key = run == kNoInt ? row : HashPair(static_cast<uint64_t>(run), module.value);
    const auto [at, is_new] = index_.try_emplace(key, found_.executions.size());
    if (is_new) {
      const std::string_view program = module.some() ? columns_.module->texts[module] : "";
      found_.executions.push_back({start_ps, end_ps, program});
    }
    HostExecution& execution = found_.executions[at->second];
    execution.start_ps = std::min(execution.start_ps, start_ps);
    execution.end_ps = std::max(execution.end_ps, end_ps);
    execution.sum_ps = SaturatingAdd(execution.sum_ps, SpanOf(start_ps, end_ps));
    ++execution.instructions;
  }

  const Store& store_;
  const Columns& columns_;
  HostExecutions found_;
  std::unordered_map<uint64_t, size_t> index_;  // by run and program
  IntervalSet compute_, communication_, callbacks_;
};

}  // namespace

uint32_t CollectiveOn(const Store& store, const Process& host) {
  const bool any = std::ranges::any_of(
      store.LabelsOf(host), [](const Label& label) { return label.role == EventRole::collective; });
  if (!any) return kNoRow;
  for (const Lane& lane : store.LanesOf(host)) {
    for (const uint32_t row : lane.PlacedRows()) {
      if (store.labels[store.events.label[row].value].role == EventRole::collective) return row;
    }
  }
  return kNoRow;
}

Result<HostExecutions> ExecutionsOnHost(const Store& store, const Indexes& indexes, ProcessId id,
                                        Context& context) {
  TFPROF_ASSIGN(const Columns columns, ReadColumns(indexes, id, context));
  if (columns.instruction->rows.count == 0) {
    HostExecutions none;
    none.collective_row = CollectiveOn(store, store.processes[id.value]);
    none.callbacks = CallbacksOn(store, store.processes[id.value]);
    return none;
  }
  Collecting collecting(store, columns);
  const Process& process = store.processes[id.value];
  for (uint32_t i = process.lanes.first; i < process.lanes.first + process.lanes.count; ++i) {
    const Lane& lane = store.lanes[i];
    if (lane.derived) continue;
    TFPROF_TRY(Poll(context));
    for (uint32_t row = lane.rows.first + lane.unplaced; row < lane.rows.first + lane.rows.count;
         ++row) {
      collecting.Add(row);
    }
  }
  HostExecutions found = collecting.Finish();
  found.programs = columns.module;
  return found;
}

}  // namespace tfprof
