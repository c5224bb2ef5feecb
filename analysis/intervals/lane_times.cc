// SPDX-License-Identifier: Apache-2.0
#include "analysis/intervals/lane_times.h"

#include <algorithm>

#include "analysis/intervals/interval.h"
#include "analysis/intervals/lanes_by_start.h"
#include "core/base/parallel.h"

namespace tfprof {
namespace {

void AddDuration(int64_t duration_ps, EventTimes* times) {
  times->sum_ps = SaturatingAdd(times->sum_ps, duration_ps);
  const bool first = times->events++ == 0;
  times->min_ps = first ? duration_ps : std::min(times->min_ps, duration_ps);
  times->max_ps = first ? duration_ps : std::max(times->max_ps, duration_ps);
}

// REQUIRES: calls in order of start.
void AddPlaced(int64_t start_ps, int64_t duration_ps, EventTimes* times) {
  const int64_t end_ps = SaturatingAdd(start_ps, duration_ps);
  if (times->start_ps == kNoTime) {
    times->start_ps = times->end_ps = start_ps;
    times->busy_ps = 0;
  }
  ExtendUnion(start_ps, end_ps, &times->end_ps, &times->busy_ps);
}

EventTimes SumLane(const Store& store, const Lane& lane) {
  EventTimes times;
  for (const uint32_t row : lane.rows) {
    const int64_t duration_ps = store.events.duration_ps[row];
    AddDuration(duration_ps, &times);
    if (row < lane.rows.first + lane.unplaced) continue;
    AddPlaced(store.events.start_ps[row], duration_ps, &times);
  }
  return times;
}

int64_t DistinctLabels(const Store& store, const Lane& lane) {
  if (lane.rows.count == 0) return 0;
  const std::span<const LabelId> labels = store.events.label.Rows(lane.rows.first, lane.rows.count);
  const auto [min, max] = std::minmax_element(labels.begin(), labels.end());
  const uint32_t first = min->value;
  std::vector<bool> seen(size_t{max->value} - first + 1);
  int64_t distinct = 0;
  for (const LabelId label : labels) {
    if (seen[label.value - first]) continue;
    seen[label.value - first] = true;
    ++distinct;
  }
  return distinct;
}

}  // namespace

int64_t EventTimes::SpanPs() const {
  return start_ps == kNoTime ? kNoInt : SpanOf(start_ps, end_ps);
}

void AddByStart(int64_t start_ps, int64_t duration_ps, EventTimes* times) {
  AddDuration(duration_ps, times);
  AddPlaced(start_ps, duration_ps, times);
}

Result<LaneTimes> LaneTimes::Build(const Store& store, Context& context) {
  LaneTimes times;
  times.lanes.resize(store.lanes.size());
  times.distinct_labels.resize(store.lanes.size());
  const size_t threads = ThreadsFor(store.events.start_ps.bytes());
  TFPROF_TRY(ForEachTask(store.lanes.size(), threads, context, [&](size_t i) {
    times.lanes[i] = SumLane(store, store.lanes[i]);
    times.distinct_labels[i] = DistinctLabels(store, store.lanes[i]);
  }));
  for (const Aggregate& row : store.aggregates) {
    const LaneId lane = LaneOf(store, row.event);
    if (lane.some()) ++times.lanes[lane.value].aggregated;
  }
  return times;
}

EventTimes SumUnion(const Store& store, std::span<const LaneId> lanes) {
  const auto takes_time = [&](uint32_t row) { return store.events.duration_ps[row] > 0; };
  LanesByStart events(store.events, takes_time);
  for (const LaneId id : lanes) events.Add(store.lanes[id.value]);
  EventTimes times;
  for (; !events.Done(); events.Next()) {
    const int64_t duration_ps = store.events.duration_ps[events.row()];
    AddByStart(store.events.start_ps[events.row()], duration_ps, &times);
  }
  return times;
}

Result<std::vector<EventTimes>> DeviceTimes::Build(const Store& store, Context& context) {
  std::vector<EventTimes> times(store.processes.size());
  const size_t threads = ThreadsFor(store.events.start_ps.bytes());
  TFPROF_TRY(ForEachTask(times.size(), threads, context, [&](size_t i) {
    const Process& process = store.processes[i];
    if (!process.device.some()) return;
    std::vector<LaneId> lanes;
    for (const uint32_t lane : process.lanes) {
      if (store.lanes[lane].measures == Measures::accelerator_time) lanes.emplace_back(lane);
    }
    times[i] = SumUnion(store, lanes);
  }));
  return times;
}

}  // namespace tfprof
