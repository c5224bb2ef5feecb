// SPDX-License-Identifier: Apache-2.0
// How long at least one of some nodes runs. Records of one node overlap (host and accelerator), and
// so do those of several: each moment counts once.
#include <algorithm>

#include "core/store/event_runs.h"
#include "views/advice/evidence.h"

namespace tfprof {
namespace {

// What is left of a run; `row` is a placed record of the nodes.
struct Remaining {
  int64_t start_ps = 0;
  uint32_t row = 0;
  uint32_t end = 0;
};

constexpr auto kLater = [](const Remaining& a, const Remaining& b) {
  return a.start_ps > b.start_ps;
};

// Moves to the first fitting record from `row` on; false: there is none.
Result<bool> Find(const Store& store, const std::vector<bool>& nodes, Context& context,
                  Remaining* cursor) {
  for (; cursor->row < cursor->end; ++cursor->row) {
    if (cursor->row % 16384 == 0) TFPROF_TRY(Poll(context));
    const NodeId node = store.labels[store.events.label[cursor->row].value].node;
    cursor->start_ps = store.events.start_ps[cursor->row];
    if (node.some() && nodes[node.value] && cursor->start_ps != kNoTime) return true;
  }
  return false;
}

// The runs by step; those that measure no time repeat what others tell.
std::vector<EventRun> MeasuredRuns(const Store& store) {
  std::vector<EventRun> runs = EventRuns(store);
  std::erase_if(runs, [&](const EventRun& run) {
    return !run.step.some() || store.lanes[run.lane.value].measures == Measures::nothing;
  });
  std::stable_sort(runs.begin(), runs.end(),
                   [](const EventRun& a, const EventRun& b) { return a.step < b.step; });
  return runs;
}

// Merges the records behind `cursors`, a heap by kLater, by start. Within a run they are sorted.
Result<int64_t> TimeCovered(const Store& store, const std::vector<bool>& nodes,
                            std::vector<Remaining> cursors, Context& context) {
  int64_t covered_ps = 0;
  int64_t end_ps = cursors.empty() ? 0 : cursors.front().start_ps;
  while (!cursors.empty()) {
    std::pop_heap(cursors.begin(), cursors.end(), kLater);
    Remaining& next = cursors.back();
    const int64_t next_end_ps = SaturatingAdd(next.start_ps, store.events.duration_ps[next.row]);
    const int64_t from_ps = std::max(next.start_ps, end_ps);
    if (next_end_ps > from_ps) covered_ps = SaturatingAdd(covered_ps, next_end_ps - from_ps);
    end_ps = std::max(end_ps, next_end_ps);
    ++next.row;
    TFPROF_ASSIGN(const bool more, Find(store, nodes, context, &next));
    if (more) {
      std::push_heap(cursors.begin(), cursors.end(), kLater);
    } else {
      cursors.pop_back();
    }
  }
  return covered_ps;
}

}  // namespace

Result<int64_t> MeanTimeRunning(const Checking& checking, const std::vector<NodeId>& nodes) {
  const Store& store = *checking.store;
  std::vector<bool> among(store.nodes.size());
  for (const NodeId node : nodes) among[node.value] = true;
  const std::vector<EventRun> runs = MeasuredRuns(store);
  __extension__ __int128 sum_ps = 0;
  bool ran = false;
  std::vector<Remaining> cursors;
  for (size_t i = 0; i < runs.size(); ++i) {
    Remaining cursor{0, runs[i].first, runs[i].end};
    TFPROF_ASSIGN(const bool fits, Find(store, among, checking.context, &cursor));
    if (fits) cursors.push_back(cursor);
    if (i + 1 < runs.size() && runs[i + 1].step == runs[i].step) continue;
    std::make_heap(cursors.begin(), cursors.end(), kLater);
    ran = ran || !cursors.empty();
    TFPROF_ASSIGN(const int64_t covered_ps,
                  TimeCovered(store, among, std::move(cursors), checking.context));
    sum_ps += covered_ps;
    cursors.clear();
  }
  if (!ran) return kNoInt;
  return static_cast<int64_t>(sum_ps / static_cast<int64_t>(checking.steps.size()));
}

}  // namespace tfprof
