// SPDX-License-Identifier: Apache-2.0
#include "core/store/event_order.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <vector>

namespace tfprof {
namespace {

// The rows of one lane and step. In the table of moving rows, lanes follow each other; within a
// lane, groups are in order of first arrival.
struct Group {
  LaneId lane;
  StepId step;
  uint32_t count = 0;
  uint32_t first = 0;
};

struct Arrivals {
  const Column<ArrivalRun>& runs;
  const Column<Range>& ascending;
  uint32_t rows;
  Column<uint32_t> group_of_run;
  std::vector<Group> groups;

  uint32_t End(size_t run) const { return run + 1 < runs.size() ? runs[run + 1].first : rows; }
};

// Numbers pairs of lane and step by first arrival. There may be millions of runs, one per row, but
// usually few pairs.
class GroupIds {
 public:
  GroupIds(size_t lanes, size_t steps, size_t runs) : steps_(steps + 1) {
    if (lanes * steps_ <= 4 * runs + 1024) dense_.assign(lanes * steps_, kNew);
  }
  // The number of the pair; `next` for a new pair.
  uint32_t Find(LaneId lane, StepId step, uint32_t next) {
    const uint64_t key = lane.value * steps_ + (step.some() ? step.value : steps_ - 1);
    if (dense_.empty()) return sparse_.try_emplace(key, next).first->second;
    if (dense_[key] == kNew) dense_[key] = next;
    return dense_[key];
  }

 private:
  static constexpr uint32_t kNew = 0xFFFFFFFF;
  uint64_t steps_;
  std::vector<uint32_t> dense_;
  std::unordered_map<uint64_t, uint32_t> sparse_;
};

void GroupRuns(const Store& store, Arrivals* arrivals) {
  GroupIds ids(store.lanes.size(), store.steps.size(), arrivals->runs.size());
  uint32_t* group_of_run = arrivals->group_of_run.Extend(arrivals->runs.size());
  std::vector<Group> groups;
  uint32_t last = 0, last_first = 0;  // of the preceding run
  for (const ArrivalRun& run : arrivals->runs) {
    if (!groups.empty()) groups[last].count += run.first - last_first;
    last_first = run.first;
    last = ids.Find(run.lane, run.step, static_cast<uint32_t>(groups.size()));
    if (last == groups.size()) groups.push_back({run.lane, run.step});
    *group_of_run++ = last;
  }
  if (!groups.empty()) groups[last].count += arrivals->rows - last_first;
  arrivals->groups = std::move(groups);
}

// Places the lanes one after another, and within each lane its groups.
void PlaceGroups(Arrivals* arrivals, Store* store) {
  for (const Group& group : arrivals->groups) {
    store->lanes[group.lane.value].rows.count += group.count;
  }
  std::vector<uint32_t> next_of_lane;
  uint32_t row = 0;
  for (Lane& lane : store->lanes) {
    lane.rows.first = row;
    next_of_lane.push_back(row);
    row += lane.rows.count;
  }
  for (Group& group : arrivals->groups) {
    uint32_t& next = next_of_lane[group.lane.value];
    group.first = next;
    next += group.count;
  }
}

// Returns true if the rows arrived lane by lane and step by step.
bool ArrivedInGroups(const Arrivals& arrivals) {
  std::vector<uint32_t> next;
  for (const Group& group : arrivals.groups) next.push_back(group.first);
  for (size_t i = 0; i < arrivals.runs.size(); ++i) {
    uint32_t& place = next[arrivals.group_of_run[i]];
    const uint32_t first = arrivals.runs[i].first, end = arrivals.End(i);
    if (first != end && place != first) return false;
    place += end - first;
  }
  return true;
}

MovingRow RowAt(const Events& events, uint32_t row, StepId step) {
  return {events.start_ps[row],
          events.duration_ps[row],
          events.label[row],
          events.detail.empty() ? 0 : events.detail[row],
          row,
          step};
}

// Copies all rows, in groups. It goes row by row, since most runs may have a single row.
Column<MovingRow> ScatterRows(const Arrivals& arrivals, const Events& events) {
  Column<MovingRow> rows;
  MovingRow* to = rows.Extend(arrivals.rows);
  std::vector<MovingRow*> next;
  for (const Group& group : arrivals.groups) next.push_back(to + group.first);
  size_t run = 0;
  uint32_t end = arrivals.End(0);
  for (uint32_t row = 0; row < arrivals.rows; ++row) {
    while (row == end) end = arrivals.End(++run);
    *next[arrivals.group_of_run[run]]++ = RowAt(events, row, arrivals.runs[run].step);
  }
  return rows;
}

// Copies the rows of one lane that arrived in groups.
void CopyRows(std::span<const Group> groups, const Events& events, Column<MovingRow>* rows) {
  rows->Clear();
  for (const Group& group : groups) {
    for (uint32_t i = 0; i < group.count; ++i) {
      rows->Push(RowAt(events, group.first + i, group.step));
    }
  }
}

bool AreSorted(Range rows, const Column<Range>& ascending, const Column<int64_t>& start_ps) {
  const uint32_t end = rows.first + rows.count;
  const auto end_of = [](const Range& known) { return known.first + known.count; };
  const Range* known =
      std::upper_bound(ascending.begin(), ascending.end(), rows.first,
                       [&](uint32_t row, const Range& of) { return row < end_of(of); });
  for (uint32_t row = rows.first; row < end; ++row) {
    if (known != ascending.end() && known->first <= row) row = end_of(*known++) - 1;
    if (row + 1 < end && start_ps[row] > start_ps[row + 1]) return false;
  }
  return true;
}

// Leaves a lane that arrived in groups in place. Returns false if it is not sorted.
bool AdoptLane(std::span<const Group> groups, const Arrivals& arrivals, Lane* lane, Store* store) {
  std::span<const int64_t> start_ps;  // empty if starts are not read: any order is valid
  if (store->events_read.starts) {
    if (!AreSorted(lane->rows, arrivals.ascending, store->events.start_ps)) return false;
    start_ps = store->events.start_ps.Rows(lane->rows.first, lane->rows.count);
  }
  const auto first_run = static_cast<uint32_t>(store->step_runs.size());
  for (const Group& group : groups) {
    if (group.count > 0) PushStepRun(group.first, group.step, first_run, store);
  }
  lane->step_runs = {first_run, static_cast<uint32_t>(store->step_runs.size()) - first_run};
  lane->unplaced = static_cast<uint32_t>(
      std::upper_bound(start_ps.begin(), start_ps.end(), kNoTime) - start_ps.begin());
  return true;
}

// Orders all lanes. Returns the row of each arrival; empty: no row moved.
Column<uint32_t> OrderLanes(const Arrivals& arrivals, Store* store) {
  std::vector<std::vector<Group>> of_lane(store->lanes.size());
  for (const Group& group : arrivals.groups) of_lane[group.lane.value].push_back(group);
  const bool in_groups = ArrivedInGroups(arrivals);
  Column<MovingRow> rows;  // all lanes, or only the current one
  if (!in_groups) rows = ScatterRows(arrivals, store->events);
  Column<uint32_t> row_of_arrival;
  LaneOrder order;
  for (size_t i = 0; i < of_lane.size(); ++i) {
    Lane& lane = store->lanes[i];
    if (in_groups) {
      if (AdoptLane(of_lane[i], arrivals, &lane, store)) continue;
      CopyRows(of_lane[i], store->events, &rows);
    }
    if (row_of_arrival.empty()) {
      row_of_arrival.Extend(arrivals.rows);
      std::iota(row_of_arrival.begin(), row_of_arrival.end(), 0);
    }
    std::vector<StepGroup> groups;
    for (const Group& group : of_lane[i]) {
      groups.push_back({group.first - lane.rows.first, group.count});
    }
    const size_t first = in_groups ? 0 : lane.rows.first;
    OrderLane(rows.Rows(first, lane.rows.count), groups, &lane, &row_of_arrival, &order, store);
  }
  return row_of_arrival;
}

}  // namespace

void OrderEvents(const Column<ArrivalRun>& runs, const Column<Range>& ascending, Store* store) {
  Arrivals arrivals{runs, ascending, static_cast<uint32_t>(store->EventCount()), {}, {}};
  GroupRuns(*store, &arrivals);
  PlaceGroups(&arrivals, store);
  const Column<uint32_t> row_of_arrival = OrderLanes(arrivals, store);
  if (!row_of_arrival.empty()) {
    const auto move = [&](EventId* event) {
      if (event->some()) *event = EventId(row_of_arrival[event->value]);
    };
    for (ExecMemory& row : store->exec_memory) move(&row.event);
    for (AllocationPlace& row : store->allocation_places) move(&row.event);
    for (RecordedCopy& row : store->copies) move(&row.event);
    for (Aggregate& row : store->aggregates) move(&row.event);
  }
  std::sort(store->copies.begin(), store->copies.end(),
            [](const RecordedCopy& a, const RecordedCopy& b) { return a.event < b.event; });
  std::sort(store->aggregates.begin(), store->aggregates.end(),
            [](const Aggregate& a, const Aggregate& b) { return a.event < b.event; });
}

}  // namespace tfprof
