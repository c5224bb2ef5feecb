// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <tuple>

#include "analysis/memory/allocation_cursor.h"
#include "core/base/context.h"
#include "views/timeline/lanes.h"

namespace tfprof {
namespace {

constexpr uint32_t kNone = 0xFFFFFFFFu;

// A counter's new value, or its change, at a time.
struct CounterPoint {
  int64_t time_ps = 0;
  uint64_t arrival = 0;
  uint32_t counter = 0;
  bool is_change = false;
  int64_t bytes = 0;

  bool operator>(const CounterPoint& other) const {
    return std::tie(time_ps, arrival) > std::tie(other.time_ps, other.arrival);
  }
};

// The counters of a lane and the rows that they are computed from.
struct LaneCounters {
  const ExportedLane* lane = nullptr;
  uint32_t in_use = kNone;
  std::map<std::string_view, uint32_t> allocated;  // by allocator
  size_t memory = 0, memory_end = 0;               // rows, by event
  AllocationCursor allocations;
};

// Rows are ordered by event, thus by start, but their times are later: points that are due before
// the next event starts are in order.
struct SamplePosition {
  ExportedLanesPtr exported;
  AllocationCursor::Places places;
  std::vector<LaneCounters> lanes;
  size_t lane = 0;
  std::vector<int64_t> values;  // by counter
  uint64_t arrivals = 0;
  std::priority_queue<CounterPoint, std::vector<CounterPoint>, std::greater<>> due;

  const RowsByEvent<ExecMemory>& memory() const { return exported->memory; }
};

bool IsCounted(const ExportedLane& lane, const ExecMemory& row) {
  return row.in_use != kNoInt && row.time_ps != kNoTime && lane.Takes(row.event);
}

bool IsCounted(const ExportedLane& lane, const Allocation& row) {
  return row.time_ps != kNoTime && lane.Takes(row.event);
}

uint32_t AddCounter(uint32_t group, std::string name, Trace* trace) {
  trace->counters.push_back({group, std::move(name)});
  return static_cast<uint32_t>(trace->counters.size() - 1);
}

Result<void> FindCounters(const SamplePosition& at, LaneCounters* counters, Trace* trace,
                          Context& context) {
  const ExportedLane& lane = *counters->lane;
  const uint32_t group = trace->tracks[lane.track].group;
  for (size_t i = counters->memory; i < counters->memory_end; ++i) {
    if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    if (!IsCounted(lane, at.memory()[i])) continue;
    counters->in_use = AddCounter(group, "memory in use", trace);
    break;
  }
  AllocationCursor allocations = counters->allocations;
  for (size_t i = 0; allocations.Peek() != nullptr; allocations.Advance(), ++i) {
    if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const Allocation& row = *allocations.Peek();
    if (!IsCounted(lane, row)) continue;
    const auto [known, is_new] = counters->allocated.try_emplace(row.allocator, kNone);
    if (!is_new) continue;
    const std::string name(row.allocator);
    known->second = AddCounter(group, name.empty() ? "allocated" : "allocated: " + name, trace);
  }
  return allocations.Failed();
}

// Takes the next event's row; false: the lane has none left.
bool TakeRow(SamplePosition* at) {
  LaneCounters& lane = at->lanes[at->lane];
  const bool has_memory = lane.memory < lane.memory_end;
  const Allocation* allocation = lane.allocations.Peek();
  if (!has_memory && allocation == nullptr) return false;
  const bool memory_first =
      has_memory && (allocation == nullptr || at->memory()[lane.memory].event <= allocation->event);
  if (memory_first) {
    const ExecMemory& row = at->memory()[lane.memory++];
    if (!IsCounted(*lane.lane, row)) return true;
    at->due.push({row.time_ps, at->arrivals++, lane.in_use, false, row.in_use});
  } else {
    const Allocation row = *allocation;
    lane.allocations.Advance();
    if (!IsCounted(*lane.lane, row)) return true;
    // All allocators were found before; a file that changed since may name others.
    const auto counter = lane.allocated.find(row.allocator);
    if (counter == lane.allocated.end()) return true;
    at->due.push({row.time_ps, at->arrivals++, counter->second, true, row.bytes});
  }
  return true;
}

// Returns the time before which all due points are in order.
int64_t NextStart(SamplePosition* at) {
  LaneCounters& lane = at->lanes[at->lane];
  const Column<int64_t>& starts = at->exported->store->events.start_ps;
  int64_t next_ps = std::numeric_limits<int64_t>::max();
  if (lane.memory < lane.memory_end) {
    next_ps = starts[at->memory()[lane.memory].event.value];
  }
  if (const Allocation* allocation = lane.allocations.Peek()) {
    next_ps = std::min(next_ps, starts[allocation->event.value]);
  }
  return next_ps;
}

TraceSample TakePoint(SamplePosition* at) {
  const CounterPoint point = at->due.top();
  at->due.pop();
  int64_t& value = at->values[point.counter];
  value = point.is_change ? WrapAdd(value, point.bytes) : point.bytes;
  return {point.time_ps, value, point.counter, {}};
}

size_t Next(SamplePosition& at, std::span<TraceSample> out) {
  size_t filled = 0;
  while (filled < out.size() && at.lane < at.lanes.size()) {
    if (!at.due.empty() && at.due.top().time_ps < NextStart(&at)) {
      out[filled++] = TakePoint(&at);
    } else if (TakeRow(&at)) {
      continue;
    } else if (!at.due.empty()) {  // at the end of time
      out[filled++] = TakePoint(&at);
    } else {
      ++at.lane;
    }
  }
  return filled;
}

}  // namespace

Result<Cursor<TraceSample>> TimelineCounters(const ExportedLanesPtr& exported, Trace* trace,
                                             Context& context) {
  const Store& store = *exported->store;
  auto position = std::make_shared<SamplePosition>(SamplePosition{
      exported, AllocationCursor::Places(store.allocation_places), {}, 0, {}, 0, {}});
  const AllocationCursor::Places& places = position->places;
  for (const ExportedLane& lane : exported->lanes) {
    const uint32_t first = store.lanes[lane.lane.value].rows.first;
    const uint32_t end = store.lanes[lane.lane.value].rows.After();
    LaneCounters counters{
        .lane = &lane,
        .in_use = kNone,
        .allocated = {},
        .memory = position->memory().From(first),
        .memory_end = position->memory().From(end),
        .allocations = AllocationCursor(store, places, places.From(first), places.From(end))};
    TFPROF_TRY(FindCounters(*position, &counters, trace, context));
    position->lanes.push_back(std::move(counters));
  }
  position->values.resize(trace->counters.size());
  return CursorFrom<TraceSample>(std::move(position), Next);
}

}  // namespace tfprof
