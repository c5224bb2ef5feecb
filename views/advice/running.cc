// SPDX-License-Identifier: Apache-2.0
// The time in which at least one of some nodes runs. Records of one node overlap (host and
// accelerator), as do records of several nodes; each moment counts once.
#include <algorithm>

#include "analysis/intervals/interval_set.h"
#include "core/store/event_runs.h"
#include "views/advice/evidence.h"

namespace tfprof {
namespace {

// Returns the runs by step, without those that measure no time and only repeat others.
std::vector<EventRun> MeasuredRuns(const Store& store) {
  std::vector<EventRun> runs = EventRuns(store);
  std::erase_if(runs, [&](const EventRun& run) {
    return !run.step.some() || store.lanes[run.lane.value].measures == Measures::nothing;
  });
  std::stable_sort(runs.begin(), runs.end(),
                   [](const EventRun& a, const EventRun& b) { return a.step < b.step; });
  return runs;
}

// Adds the intervals in which the nodes ran.
Result<void> AddRun(const Store& store, const EventRun& run, const std::vector<bool>& nodes,
                    IntervalSet* running, bool* ran, Context& context) {
  for (uint32_t row = run.first; row < run.end; ++row) {
    if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const NodeId node = store.labels[store.events.label[row].value].node;
    const int64_t start_ps = store.events.start_ps[row];
    if (!node.some() || !nodes[node.value] || start_ps == kNoTime) continue;
    running->Add(start_ps, SaturatingAdd(start_ps, store.events.duration_ps[row]));
    *ran = true;
  }
  return {};
}

}  // namespace

Result<int64_t> MeanTimeRunning(const Checking& checking, const std::vector<NodeId>& nodes) {
  const Store& store = *checking.store;
  std::vector<bool> among(store.nodes.size());
  for (const NodeId node : nodes) among[node.value] = true;
  const std::vector<EventRun> runs = MeasuredRuns(store);
  __extension__ __int128 sum_ps = 0;
  bool ran = false;
  IntervalSet running;  // in one step
  for (size_t i = 0; i < runs.size(); ++i) {
    TFPROF_TRY(AddRun(store, runs[i], among, &running, &ran, checking.context));
    if (i + 1 < runs.size() && runs[i + 1].step == runs[i].step) continue;
    sum_ps += running.CoveredPs();
    running = {};
  }
  if (!ran) return kNoInt;
  // The same divisor as that of NodeTime.
  const int64_t steps = checking.trace == nullptr ? ScaleOf(store, PlaceFilter::Exact()).divisor
                                                  : checking.durations.count;
  return static_cast<int64_t>(sum_ps / steps);
}

}  // namespace tfprof
