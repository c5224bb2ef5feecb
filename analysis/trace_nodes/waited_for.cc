// SPDX-License-Identifier: Apache-2.0
// What counts twice: operations of functions that iterators of tf.data call on other threads, and
// the time in which an iterator waits for them.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/intervals/interval_set.h"
#include "analysis/tfdata/iterator_facts.h"
#include "analysis/trace_nodes/making.h"
#include "core/store/note_catalogue.h"
#include "core/store/op_name.h"

namespace tfprof {
namespace {

constexpr int64_t kPercentWorthANote = 10;  // of the time of all nodes
constexpr size_t kMostTypes = 3;            // that are named

enum class Work : uint8_t { none, iterator, python, other };

struct LabelWork {
  Work work = Work::none;
  std::string_view type;
};

std::vector<LabelWork> WorkOfLabels(const Store& trace, const Process& process) {
  std::vector<LabelWork> found(process.labels.count);
  for (uint32_t i = 0; i < process.labels.count; ++i) {
    const Label& label = trace.labels[process.labels.first + i];
    const OpName op = ParseOpName(trace.Text(label.name));
    if (op.family == OpFamily::dataset) {
      found[i] = {Work::iterator, op.type};
    } else if (op.family == OpFamily::tensorflow) {
      found[i] = {RunsPython(op.type) ? Work::python : Work::other, op.type};
    }
  }
  return found;
}

// Of one host after the other.
struct WaitedFor {
  const Making& making;
  int64_t count = 0;
  int64_t ps = 0;                                       // in which one waits for some of them
  std::map<std::string_view, int64_t> ps_of_type = {};  // with those that run side by side
};

// Calls each(row, label's work, start, end) for the events of the lane that are asked for.
template <class Each>
void EachWork(const Lane& lane, const std::vector<LabelWork>& labels, uint32_t first_label,
              const Making& making, Each each) {
  const Events& events = making.trace.events;
  const uint32_t end = lane.rows.first + lane.rows.count;
  for (uint32_t row = lane.rows.first + lane.unplaced; row < end; ++row) {
    const LabelWork& work = labels[events.label[row].value - first_label];
    if (work.work == Work::none || !making.Asks(row)) continue;
    const int64_t start_ps = events.start_ps[row];
    each(work, start_ps, SaturatingAdd(start_ps, events.duration_ps[row]));
  }
}

// What of a time lies in the set; adds that to `both`.
int64_t Overlap(Intervals set, int64_t start_ps, int64_t end_ps, IntervalSet* both) {
  int64_t ps = 0;
  EachWithin(set, start_ps, end_ps, [&](int64_t from_ps, int64_t to_ps) {
    both->Add(from_ps, to_ps);
    ps += to_ps - from_ps;
  });
  return ps;
}

// Functions that an iterator calls on its own thread are no part of its own time.
void AddFunctions(const Lane& lane, const std::vector<LabelWork>& labels, uint32_t first_label,
                  Intervals iterators, IntervalSet* both, WaitedFor* found) {
  const bool on_input_thread = lane.role == LaneRole::input_thread;
  int64_t iterator_end_ps = kMinPs, counted_to_ps = kMinPs;
  EachWork(lane, labels, first_label, found->making,
           [&](const LabelWork& work, int64_t start_ps, int64_t end_ps) {
             if (work.work == Work::iterator) {
               iterator_end_ps = std::max(iterator_end_ps, end_ps);
               return;
             }
             const bool is_function = on_input_thread || work.work == Work::python;
             if (!is_function || end_ps <= std::max(iterator_end_ps, counted_to_ps)) return;
             const int64_t ps = Overlap(iterators, std::max(start_ps, counted_to_ps), end_ps, both);
             counted_to_ps = end_ps;
             if (ps == 0) return;
             ++found->count;
             int64_t& of_type = found->ps_of_type[work.type];
             of_type = SaturatingAdd(of_type, ps);
           });
}

Result<void> AddHost(const Process& process, WaitedFor* found) {
  const Store& trace = found->making.trace;
  const std::vector<LabelWork> labels = WorkOfLabels(trace, process);
  const auto has = [&](auto is) { return std::any_of(labels.begin(), labels.end(), is); };
  if (!has([](const LabelWork& w) { return w.work == Work::iterator; })) return {};
  if (!has([](const LabelWork& w) { return w.work > Work::iterator; })) return {};
  const uint32_t first = process.lanes.first, end = first + process.lanes.count;
  IntervalSet iterators, both;
  for (uint32_t lane = first; lane < end; ++lane) {
    TFPROF_TRY(Poll(found->making.context));
    EachWork(trace.lanes[lane], labels, process.labels.first, found->making,
             [&](const LabelWork& work, int64_t start_ps, int64_t end_ps) {
               if (work.work == Work::iterator) iterators.Add(start_ps, end_ps);
             });
  }
  for (uint32_t lane = first; lane < end; ++lane) {
    TFPROF_TRY(Poll(found->making.context));
    AddFunctions(trace.lanes[lane], labels, process.labels.first, iterators.Parts(), &both, found);
  }
  found->ps = SaturatingAdd(found->ps, both.CoveredPs());
  return {};
}

// "PyFunc, Cast and 2 others", those with most time first.
std::string TypesOf(const WaitedFor& found) {
  std::vector<std::pair<int64_t, std::string_view>> types;
  for (const auto& [type, ps] : found.ps_of_type) types.emplace_back(-ps, type);
  std::sort(types.begin(), types.end());
  std::string text;
  for (size_t i = 0; i < std::min(kMostTypes, types.size()); ++i) {
    text += (i == 0 ? "" : ", ") + std::string(types[i].second);
  }
  if (types.size() > kMostTypes) text += fmt::format(" and {} others", types.size() - kMostTypes);
  return text;
}

}  // namespace

Result<void> NoteWaitedFor(std::span<const ProcessId> hosts, Making* making) {
  WaitedFor found{*making};
  for (const ProcessId id : hosts) {
    TFPROF_TRY(AddHost(making->trace.processes[id.value], &found));
  }
  if (found.ps == 0 || found.ps < making->counted_ps / 100 * kPercentWorthANote) return {};
  making->builder.AddNote(note::With(note::waiting_is_in_both, {TypesOf(found)}), "", found.ps,
                          found.count);
  return {};
}

}  // namespace tfprof
