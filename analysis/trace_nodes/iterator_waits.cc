// SPDX-License-Identifier: Apache-2.0
#include "analysis/trace_nodes/iterator_waits.h"

#include <algorithm>
#include <span>
#include <utility>

#include "analysis/intervals/interval_set.h"
#include "analysis/tfdata/iterator_facts.h"
#include "core/store/op_name.h"

namespace tfprof {
namespace {

enum class StageWork : uint8_t { none, iterator, python, other };

std::vector<StageWork> WorkOfLabels(const Store& store, const Process& process) {
  std::vector<StageWork> found;
  for (const Label& label : store.LabelsOf(process)) {
    const OpName op = ParseOpName(store.Text(label.name));
    found.push_back(op.family == OpFamily::dataset      ? StageWork::iterator
                    : op.family != OpFamily::tensorflow ? StageWork::none
                    : RunsPython(op.type)               ? StageWork::python
                                                        : StageWork::other);
  }
  return found;
}

// Adds the functions of a lane. What an iterator calls on its own thread lies within its call.
void AddFunctions(const Store& store, const Lane& lane, const std::vector<StageWork>& work,
                  uint32_t first_label, IntervalSet* functions) {
  const bool on_input_thread = lane.role == LaneRole::input_thread;
  int64_t iterator_end_ps = kMinPs;
  for (const uint32_t row : lane.PlacedRows()) {
    const StageWork of = work[store.events.label[row].value - first_label];
    const int64_t end_ps = store.events.EndPs(row);
    if (of == StageWork::iterator) iterator_end_ps = std::max(iterator_end_ps, end_ps);
    const bool is_function = of == StageWork::python || (of == StageWork::other && on_input_thread);
    if (!is_function || end_ps <= iterator_end_ps) continue;
    functions->Add(store.events.start_ps[row], end_ps);
  }
}

// Sets IteratorWaits::first and workers.
void AddWorkers(IteratorWaits* waits) {
  const std::vector<IteratorCall>& calls = waits->calls->calls;
  std::vector<uint32_t> order;  // of calls that work for another one
  for (uint32_t i = 0; i < calls.size(); ++i) {
    if (calls[i].parent != IteratorCall::kNone) order.push_back(i);
  }
  std::ranges::sort(order, [&](uint32_t a, uint32_t b) {
    const IteratorCall &of_a = calls[a], &of_b = calls[b];
    return of_a.parent != of_b.parent ? of_a.parent < of_b.parent : of_a.start_ps < of_b.start_ps;
  });
  waits->first.push_back(0);
  size_t next = 0;
  for (uint32_t call = 0; call < calls.size(); ++call) {
    const auto begin = static_cast<ptrdiff_t>(waits->workers.size());
    for (; next < order.size() && calls[order[next]].parent == call; ++next) {
      const Interval of{calls[order[next]].start_ps, calls[order[next]].end_ps};
      const bool joins = waits->workers.begin() + begin != waits->workers.end() &&
                         of.start_ps <= waits->workers.back().end_ps;
      if (joins) {
        waits->workers.back().end_ps = std::max(waits->workers.back().end_ps, of.end_ps);
      } else {
        waits->workers.push_back(of);
      }
    }
    waits->first.push_back(static_cast<uint32_t>(waits->workers.size()));
  }
}

}  // namespace

int64_t IteratorWaits::PsWithin(const Store& store, uint32_t row, int64_t start_ps,
                                int64_t end_ps) const {
  if (is_iterator.empty() || !is_iterator[store.events.label[row].value - first_label]) return 0;
  IntervalSet waiting;
  const auto add = [&](int64_t from_ps, int64_t to_ps) { waiting.Add(from_ps, to_ps); };
  EachWithin(functions, start_ps, end_ps, add);
  const auto call = std::ranges::lower_bound(calls->calls, EventId(row), {}, &IteratorCall::event);
  if (call != calls->calls.end() && call->event == EventId(row)) {
    const auto at = static_cast<size_t>(call - calls->calls.begin());
    EachWithin(Intervals(workers).subspan(first[at], first[at + 1] - first[at]), start_ps, end_ps,
               add);
  }
  return waiting.CoveredPs();
}

Result<IteratorWaits> FindIteratorWaits(ProcessId id, const Store& store, const Indexes& indexes,
                                        Context& context) {
  const Process& process = store.processes[id.value];
  const std::vector<StageWork> work = WorkOfLabels(store, process);
  IteratorWaits waits;
  if (std::ranges::find(work, StageWork::iterator) == work.end()) return waits;
  for (const StageWork of : work) waits.is_iterator.push_back(of == StageWork::iterator);
  waits.first_label = process.labels.first;
  IntervalSet functions;
  for (const Lane& lane : store.LanesOf(process)) {
    TFPROF_TRY(Poll(context));
    if (lane.measures != Measures::host_time) continue;
    AddFunctions(store, lane, work, process.labels.first, &functions);
  }
  const Intervals parts = functions.Parts();
  waits.functions.assign(parts.begin(), parts.end());
  TFPROF_ASSIGN(waits.pipelines, indexes.Get<Pipelines>(context));
  waits.calls = &waits.pipelines->calls[id.value];
  AddWorkers(&waits);
  return waits;
}

}  // namespace tfprof
