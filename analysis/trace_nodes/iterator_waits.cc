// SPDX-License-Identifier: Apache-2.0
// What counts twice: operations of functions that iterators of tf.data call on other threads, and
// the time in which an iterator waits for them.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/intervals/interval_set.h"
#include "analysis/tfdata/iterator_facts.h"
#include "analysis/trace_nodes/node_maker.h"
#include "core/store/note_catalogue.h"
#include "core/store/op_name.h"

namespace tfprof {
namespace {

constexpr int64_t kMinNotedPercent = 10;  // of the time of all nodes
constexpr size_t kMaxTypes = 3;           // named types

enum class Work : uint8_t { none, iterator, python, other };

struct LabelWork {
  Work work = Work::none;
  std::string_view type;
};

std::vector<LabelWork> WorkOfLabels(const Store& trace, const Process& process) {
  std::vector<LabelWork> found;
  for (const Label& label : trace.LabelsOf(process)) {
    const OpName op = ParseOpName(trace.Text(label.name));
    const Work work = op.family == OpFamily::dataset      ? Work::iterator
                      : op.family != OpFamily::tensorflow ? Work::none
                      : RunsPython(op.type)               ? Work::python
                                                          : Work::other;
    found.push_back({work, op.type});
  }
  return found;
}

// Sums over the hosts, one after the other.
struct IteratorWaits {
  const NodeMaker& maker;
  int64_t count = 0;
  int64_t ps = 0;  // part of it in which an iterator waits for them
  std::map<std::string_view, int64_t> ps_of_type = {};  // including parallel ones
};

// Calls each(row, label's work, start, end) for the selected events of the lane.
template <class Each>
void EachWork(const Lane& lane, const std::vector<LabelWork>& labels, uint32_t first_label,
              const NodeMaker& maker, Each each) {
  const Events& events = maker.trace.events;
  for (const uint32_t row : lane.PlacedRows()) {
    const LabelWork& work = labels[events.label[row].value - first_label];
    if (work.work == Work::none || !maker.IsChosen(row)) continue;
    each(work, events.start_ps[row], events.EndPs(row));
  }
}

// Returns the part of an interval within the set, and adds it to `both`.
int64_t Overlap(Intervals set, int64_t start_ps, int64_t end_ps, IntervalSet* both) {
  int64_t ps = 0;
  EachWithin(set, start_ps, end_ps, [&](int64_t from_ps, int64_t to_ps) {
    both->Add(from_ps, to_ps);
    ps += to_ps - from_ps;
  });
  return ps;
}

// Functions that an iterator calls on its own thread are not part of its self time.
void AddFunctions(const Lane& lane, const std::vector<LabelWork>& labels, uint32_t first_label,
                  Intervals iterators, IntervalSet* both, IteratorWaits* found) {
  const bool on_input_thread = lane.role == LaneRole::input_thread;
  int64_t iterator_end_ps = kMinPs, counted_to_ps = kMinPs;
  EachWork(lane, labels, first_label, found->maker,
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

Result<void> AddHost(const Process& process, IteratorWaits* found) {
  const Store& trace = found->maker.trace;
  const std::vector<LabelWork> labels = WorkOfLabels(trace, process);
  const auto has = [&](auto is) { return std::any_of(labels.begin(), labels.end(), is); };
  if (!has([](const LabelWork& w) { return w.work == Work::iterator; })) return {};
  if (!has([](const LabelWork& w) { return w.work > Work::iterator; })) return {};
  IntervalSet iterators, both;
  for (const Lane& lane : trace.LanesOf(process)) {
    TFPROF_TRY(Poll(found->maker.context));
    EachWork(lane, labels, process.labels.first, found->maker,
             [&](const LabelWork& work, int64_t start_ps, int64_t end_ps) {
               if (work.work == Work::iterator) iterators.Add(start_ps, end_ps);
             });
  }
  for (const Lane& lane : trace.LanesOf(process)) {
    TFPROF_TRY(Poll(found->maker.context));
    AddFunctions(lane, labels, process.labels.first, iterators.Parts(), &both, found);
  }
  found->ps = SaturatingAdd(found->ps, both.CoveredPs());
  return {};
}

// "PyFunc, Cast and 2 others", descending by time.
std::string TypesOf(const IteratorWaits& found) {
  std::vector<std::pair<int64_t, std::string_view>> types;
  for (const auto& [type, ps] : found.ps_of_type) types.emplace_back(-ps, type);
  std::sort(types.begin(), types.end());
  std::string text;
  for (size_t i = 0; i < std::min(kMaxTypes, types.size()); ++i) {
    text += (i == 0 ? "" : ", ") + std::string(types[i].second);
  }
  if (types.size() > kMaxTypes) text += fmt::format(" and {} others", types.size() - kMaxTypes);
  return text;
}

}  // namespace

Result<void> NoteIteratorWaits(std::span<const ProcessId> hosts, NodeMaker* maker) {
  IteratorWaits found{*maker};
  for (const ProcessId id : hosts) {
    TFPROF_TRY(AddHost(maker->trace.processes[id.value], &found));
  }
  if (found.ps == 0 || found.ps < maker->counted_ps / 100 * kMinNotedPercent) return {};
  maker->builder.AddNote(note::With(note::waiting_is_in_both, {TypesOf(found)}), "", found.ps,
                         found.count);
  return {};
}

}  // namespace tfprof
