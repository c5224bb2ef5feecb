// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_map>

#include "analysis/chosen_events.h"
#include "analysis/intervals/interval_set.h"
#include "analysis/ops/input_ops.h"
#include "analysis/place.h"
#include "analysis/tfdata/pipelines.h"
#include "core/store/details.h"

namespace tfprof {
namespace {

// "Iterator::Root" is the root of "Iterator::Root::Map".
bool IsRootOf(std::string_view root, std::string_view iterator) {
  return iterator.starts_with(root) &&
         (iterator.size() == root.size() || iterator.substr(root.size()).starts_with("::"));
}

// An interval in which an iterator's call waits for a call on another thread that works for it.
struct Waiting {
  uint32_t call = 0;  // index into IteratorCalls::calls
  int64_t start_ps = 0;
  int64_t end_ps = 0;
};

std::vector<Waiting> WaitingIn(const Store& store, const IteratorCalls& found,
                               const ChosenEvents& chosen) {
  std::vector<Waiting> waiting;
  for (const IteratorCall& call : found.calls) {
    if (call.parent == IteratorCall::kNone) continue;
    const IteratorCall& parent = found.calls[call.parent];
    if (!chosen.Takes(parent.event.value)) continue;
    if (LaneOf(store, call.event) == LaneOf(store, parent.event)) continue;
    const int64_t start_ps = std::max(call.start_ps, parent.start_ps);
    const int64_t end_ps = std::min(call.end_ps, parent.end_ps);
    if (start_ps < end_ps) waiting.push_back({call.parent, start_ps, end_ps});
  }
  std::sort(waiting.begin(), waiting.end(), [](const Waiting& a, const Waiting& b) {
    return a.call != b.call ? a.call < b.call : a.start_ps < b.start_ps;
  });
  return waiting;
}

using WaitedByName = std::unordered_map<std::string_view, int64_t>;

// Returns the intervals of nested iterators on its own thread, which its self time already
// excludes.
IntervalSet WithinOf(const Store& store, const IteratorCalls& found, uint32_t call) {
  IntervalSet within;
  const IteratorCall& around = found.calls[call];
  const LaneId lane = LaneOf(store, around.event);
  for (uint32_t i = call + 1; i < found.calls.size();
       ++i) {  // ordered by event: by lane, then start
    const IteratorCall& inner = found.calls[i];
    if (inner.start_ps >= around.end_ps || LaneOf(store, inner.event) != lane) break;
    within.Add(inner.start_ps, std::min(inner.end_ps, around.end_ps));
  }
  return within;
}

// Several threads may work for a call at the same time, so overlapping intervals count once.
void AddWaiting(const Store& store, const IteratorCalls& found, const ChosenEvents& chosen,
                WaitedByName* waited_ps) {
  const std::vector<Waiting> waiting = WaitingIn(store, found, chosen);
  for (size_t first = 0, end = 0; first < waiting.size(); first = end) {
    const uint32_t call = waiting[first].call;
    IntervalSet set = WithinOf(store, found, call);
    const int64_t within_ps = set.CoveredPs();
    for (end = first; end < waiting.size() && waiting[end].call == call; ++end) {
      set.Add(waiting[end].start_ps, waiting[end].end_ps);
    }
    int64_t& sum_ps = (*waited_ps)[store.Text(store.labels[found.calls[call].label.value].name)];
    sum_ps = SaturatingAdd(sum_ps, set.CoveredPs() - within_ps);
  }
}

}  // namespace

Result<void> AddOwnTimes(const Store& store, const Indexes& indexes, const PlaceFilter& place,
                         InputOps* ops, Context& context) {
  TFPROF_ASSIGN(const auto found, indexes.Get<Pipelines>(context));
  TFPROF_ASSIGN(const ChosenEvents chosen, ChooseEvents(store, indexes, place, context));
  const PlaceFilter hosts = place.OfHosts();
  WaitedByName waited_ps;
  for (size_t i = 0; i < store.processes.size(); ++i) {
    if (!MatchesPlace(store, store.processes[i], hosts)) continue;
    AddWaiting(store, found->calls[i], chosen, &waited_ps);
  }
  for (InputOp& op : ops->ops) {
    const auto waited = waited_ps.find(op.name);
    const int64_t waited_for_ps = waited == waited_ps.end() ? 0 : waited->second;
    op.own_ps = std::max(int64_t{0}, SaturatingAdd(op.self_ps, -waited_for_ps));
  }
  return {};
}

Result<IteratorFacts> FactsOfCostliest(const Store& store, const Indexes& indexes,
                                       const InputOps& ops, const PlaceFilter& place,
                                       Context& context) {
  const InputOp* costliest = ops.Costliest();
  if (costliest == nullptr) return IteratorFacts();
  TFPROF_ASSIGN(const auto found, indexes.Get<Pipelines>(context));
  TFPROF_ASSIGN(const ChosenEvents chosen, ChooseEvents(store, indexes, place, context));
  const PlaceFilter hosts = place.OfHosts();
  std::vector<WaitingCalls> waits(store.processes.size());
  for (const Pipeline& pipeline : found->pipelines) {
    const std::string_view root = store.Text(store.labels[pipeline.label.value].name);
    if (pipeline.is_device || !IsRootOf(root, costliest->name)) continue;
    if (!MatchesPlace(store, store.processes[pipeline.process.value], hosts)) continue;
    WaitingCalls& of = waits[pipeline.process.value];
    of.process = pipeline.process;
    for (uint32_t i = 0; i < pipeline.roots.count; ++i) {
      const uint32_t call = found->roots[pipeline.roots.first + i].call;
      const EventId event = found->calls[pipeline.process.value].calls[call].event;
      if (chosen.Takes(event.value)) of.calls.push_back(call);
    }
  }
  std::erase_if(waits, [](const WaitingCalls& of) { return of.calls.empty(); });
  return FactsOf(store, *found, costliest->name, waits, context);
}

}  // namespace tfprof
