// SPDX-License-Identifier: Apache-2.0
#include "core/event_order.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <unordered_map>

namespace tfprof {
namespace {

// The rows of one lane and step, together after grouping: first by lane, then by step in the order
// of their first arrival, then as they arrived.
struct Group {
  LaneId lane;
  StepId step;
  uint32_t count = 0;
  uint32_t first = 0;
};

struct Arrivals {
  const std::vector<ArrivalRun>& runs;
  uint32_t rows;
  std::vector<uint32_t> target;  // by run: where its first row goes
  std::vector<Group> groups;

  uint32_t End(size_t run) const { return run + 1 < runs.size() ? runs[run + 1].first : rows; }
};

// Numbers pairs of lane and step by first arrival. There may be millions of runs, one per row,
// but as a rule few pairs.
class GroupIds {
 public:
  GroupIds(size_t lanes, size_t steps, size_t runs) : steps_(steps + 1) {
    if (lanes * steps_ <= 4 * runs + 1024) dense_.assign(lanes * steps_, kNew);
  }
  // The number of the pair; `next` when it is new.
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

void GroupRuns(Arrivals* arrivals, Store* store) {
  GroupIds ids(store->lanes.size(), store->steps.size(), arrivals->runs.size());
  arrivals->target.resize(arrivals->runs.size());
  std::vector<Group>& groups = arrivals->groups;
  for (size_t i = 0; i < arrivals->runs.size(); ++i) {
    const ArrivalRun& run = arrivals->runs[i];
    if (arrivals->End(i) == run.first) continue;
    const uint32_t id = ids.Find(run.lane, run.step, static_cast<uint32_t>(groups.size()));
    if (id == groups.size()) groups.push_back({run.lane, run.step});
    groups[id].count += arrivals->End(i) - run.first;
    arrivals->target[i] = id;
  }
}

void PlaceRuns(Arrivals* arrivals, Store* store) {
  for (const Group& group : arrivals->groups) {
    store->lanes[group.lane.value].rows.count += group.count;
  }
  std::vector<uint32_t> next_of_lane(store->lanes.size());
  uint32_t row = 0;
  for (size_t i = 0; i < next_of_lane.size(); ++i) {
    store->lanes[i].rows.first = next_of_lane[i] = row;
    row += store->lanes[i].rows.count;
  }
  std::vector<uint32_t> next_of_group;
  for (Group& group : arrivals->groups) {
    group.first = next_of_lane[group.lane.value];
    next_of_lane[group.lane.value] += group.count;
    next_of_group.push_back(group.first);
  }
  for (size_t i = 0; i < arrivals->runs.size(); ++i) {
    const uint32_t count = arrivals->End(i) - arrivals->runs[i].first;
    if (count == 0) continue;
    uint32_t& next = next_of_group[arrivals->target[i]];
    arrivals->target[i] = next;
    next += count;
  }
}

template <class T>
void MoveRuns(const Arrivals& arrivals, Column<T>* column) {
  Column<T> moved;
  T* to = moved.Extend(column->size());
  const T* from = column->data();
  for (size_t i = 0; i < arrivals.runs.size(); ++i) {
    const uint32_t first = arrivals.runs[i].first, end = arrivals.End(i);
    if (end - first < 8) {
      for (uint32_t k = first; k < end; ++k) to[arrivals.target[i] + (k - first)] = from[k];
    } else {
      std::memcpy(static_cast<void*>(to + arrivals.target[i]), from + first,
                  (end - first) * sizeof(T));
    }
  }
  *column = std::move(moved);
}

// By row: which arrival it is. Empty while no row was moved.
using ArrivalOf = Column<uint32_t>;

void FillArrivals(const Arrivals& arrivals, ArrivalOf* arrival) {
  uint32_t* to = arrival->Extend(arrivals.rows);
  for (size_t i = 0; i < arrivals.runs.size(); ++i) {
    const uint32_t first = arrivals.runs[i].first, end = arrivals.End(i);
    for (uint32_t k = first; k < end; ++k) to[arrivals.target[i] + (k - first)] = k;
  }
}

// Rows are sorted by this: equal starts stay as they arrived.
struct Keyed {
  int64_t start_ps;
  uint32_t arrival;
  uint32_t row;
  bool operator<(const Keyed& other) const {
    return start_ps != other.start_ps ? start_ps < other.start_ps : arrival < other.arrival;
  }
};

bool Sorted(const Column<int64_t>& start, const ArrivalOf& arrival, uint32_t first,
            uint32_t count) {
  for (uint32_t i = first + 1; i < first + count; ++i) {
    if (start[i] > start[i - 1]) continue;
    if (start[i] < start[i - 1]) return false;
    if (!arrival.empty() && arrival[i] < arrival[i - 1]) return false;
  }
  return true;
}

// A stable sort by start alone, in time linear in the keys: 11 bits at a time, as many as the
// starts differ in. Three to five times faster than comparing for the thousands of rows of a step.
void RadixSort(std::vector<Keyed>* keys) {
  constexpr int kBits = 11;
  const auto [least, most] =
      std::minmax_element(keys->begin(), keys->end(),
                          [](const Keyed& a, const Keyed& b) { return a.start_ps < b.start_ps; });
  const auto from = static_cast<uint64_t>(least->start_ps);
  const uint64_t range = static_cast<uint64_t>(most->start_ps) - from;
  std::vector<Keyed> sorted(keys->size());
  for (int shift = 0; shift < 64 && (range >> shift) != 0; shift += kBits) {
    const auto digit = [&](const Keyed& key) {
      return (static_cast<uint64_t>(key.start_ps) - from) >> shift & ((1u << kBits) - 1);
    };
    std::array<uint32_t, (1u << kBits) + 1> next{};
    for (const Keyed& key : *keys) ++next[digit(key) + 1];
    for (size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
    for (const Keyed& key : *keys) sorted[next[digit(key)]++] = key;
    keys->swap(sorted);
  }
}

// Executors write records when they end, so most files are nearly sorted: insertion with a budget
// of moves, another sort when that is used up.
void SortKeys(std::vector<Keyed>* keys) {
  size_t budget = keys->size() * 2;
  for (size_t i = 1; i < keys->size(); ++i) {
    const Keyed key = (*keys)[i];
    size_t at = i;
    while (at > 0 && key < (*keys)[at - 1] && budget > 0) {
      (*keys)[at] = (*keys)[at - 1];
      --at;
      --budget;
    }
    (*keys)[at] = key;
    if (budget == 0) break;
  }
  if (budget > 0) return;
  // So far equal starts are as they arrived, unless groups that arrived in turns were put together.
  constexpr size_t kFew = 64;
  const auto later = [](const Keyed& a, const Keyed& b) {
    return a.start_ps == b.start_ps && b.arrival < a.arrival;
  };
  if (keys->size() > kFew) {
    RadixSort(keys);
    if (std::adjacent_find(keys->begin(), keys->end(), later) == keys->end()) return;
  }
  std::sort(keys->begin(), keys->end());
}

template <class T>
void Gather(const std::vector<Keyed>& keys, uint32_t first, Column<T>* column) {
  std::vector<T> moved(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) moved[i] = (*column)[keys[i].row];
  std::copy(moved.begin(), moved.end(), column->data() + first);
}

// Sorts rows [first, first + count); each key tells where its row was before.
std::vector<Keyed> SortRows(uint32_t first, uint32_t count, Events* events, ArrivalOf* arrival) {
  if (arrival->empty()) {
    const auto rows = static_cast<uint32_t>(events->label.size());
    arrival->Extend(rows);
    std::iota(arrival->begin(), arrival->end(), 0);
  }
  std::vector<Keyed> keys(count);
  for (uint32_t i = 0; i < count; ++i) {
    keys[i] = {events->start_ps[first + i], (*arrival)[first + i], first + i};
  }
  SortKeys(&keys);
  Gather(keys, first, &events->start_ps);
  Gather(keys, first, &events->duration_ps);
  Gather(keys, first, &events->label);
  Gather(keys, first, &events->detail);
  Gather(keys, first, arrival);
  return keys;
}

void PushStepRun(uint32_t row, StepId step, uint32_t first_run, Store* store) {
  Column<StepRun>& runs = store->step_runs;
  if (runs.size() > first_run && runs.back().step == step) return;
  runs.Push({row, step});
}

// The step of each row of a lane whose groups lie one after the other, while the lane is sorted.
void SortAcrossSteps(const std::vector<Group>& groups, const Lane& lane, ArrivalOf* arrival,
                     Store* store) {
  const auto first_run = static_cast<uint32_t>(store->step_runs.size());
  const uint32_t first = lane.rows.first;
  std::vector<StepId> steps;
  steps.reserve(lane.rows.count);
  for (const Group& group : groups) steps.insert(steps.end(), group.count, group.step);
  const std::vector<Keyed> keys = SortRows(first, lane.rows.count, &store->events, arrival);
  for (uint32_t i = 0; i < keys.size(); ++i) {
    PushStepRun(first + i, steps[keys[i].row - first], first_run, store);
  }
}

// One lane. Groups are sorted each for itself, which keeps their steps; only when that does not
// sort the lane, rows of different steps mix.
void OrderLane(const std::vector<Group>& groups, Lane* lane, ArrivalOf* arrival, Store* store) {
  Events& events = store->events;
  for (const Group& group : groups) {
    if (Sorted(events.start_ps, *arrival, group.first, group.count)) continue;
    SortRows(group.first, group.count, &events, arrival);
  }
  const auto first_run = static_cast<uint32_t>(store->step_runs.size());
  const uint32_t first = lane->rows.first;
  if (Sorted(events.start_ps, *arrival, first, lane->rows.count)) {
    for (const Group& group : groups) PushStepRun(group.first, group.step, first_run, store);
  } else {
    SortAcrossSteps(groups, *lane, arrival, store);
  }
  const auto runs = static_cast<uint32_t>(store->step_runs.size());
  lane->step_runs = {first_run, runs - first_run};
  while (lane->unplaced < lane->rows.count && events.start_ps[first + lane->unplaced] == kNoTime) {
    ++lane->unplaced;
  }
}

void MoveSideTables(const ArrivalOf& arrival, Store* store) {
  Column<uint32_t> row_of;  // by arrival
  row_of.Extend(arrival.size());
  for (uint32_t row = 0; row < arrival.size(); ++row) row_of[arrival[row]] = row;
  const auto move = [&](EventId* event) {
    if (event->some()) *event = EventId(row_of[event->value]);
  };
  for (ExecMemory& row : store->exec_memory) move(&row.event);
  for (Allocation& row : store->allocations) move(&row.event);
  for (Aggregate& row : store->aggregates) move(&row.event);
}

// The columns in groups instead of as they arrived. False: that is the same.
bool MoveIntoGroups(const Arrivals& arrivals, Store* store) {
  bool grouped = true;
  for (size_t i = 0; i < arrivals.runs.size(); ++i) {
    const uint32_t first = arrivals.runs[i].first;
    grouped &= arrivals.target[i] == first || arrivals.End(i) == first;
  }
  if (grouped) return false;
  MoveRuns(arrivals, &store->events.start_ps);
  MoveRuns(arrivals, &store->events.duration_ps);
  MoveRuns(arrivals, &store->events.label);
  MoveRuns(arrivals, &store->events.detail);
  return true;
}

}  // namespace

void OrderEvents(const std::vector<ArrivalRun>& runs, Store* store) {
  Arrivals arrivals{runs, static_cast<uint32_t>(store->EventCount()), {}, {}};
  GroupRuns(&arrivals, store);
  PlaceRuns(&arrivals, store);
  ArrivalOf arrival;
  if (MoveIntoGroups(arrivals, store)) FillArrivals(arrivals, &arrival);
  std::vector<std::vector<Group>> of_lane(store->lanes.size());
  for (const Group& group : arrivals.groups) of_lane[group.lane.value].push_back(group);
  for (size_t i = 0; i < of_lane.size(); ++i) {
    OrderLane(of_lane[i], &store->lanes[i], &arrival, store);
  }
  if (!arrival.empty()) MoveSideTables(arrival, store);
  std::sort(store->aggregates.begin(), store->aggregates.end(),
            [](const Aggregate& a, const Aggregate& b) { return a.event < b.event; });
}

}  // namespace tfprof
