// SPDX-License-Identifier: Apache-2.0
#include "core/event_order.h"

#include <algorithm>
#include <cstring>

namespace tfprof {
namespace {

struct Block {  // a run with its length and its place after grouping by lane
  ArrivalRun run;
  uint32_t count;
  uint32_t target;
};

// Arrival order, with `target` set to where each block goes when blocks are grouped by lane.
std::vector<Block> PlaceBlocks(const std::vector<ArrivalRun>& runs, Store* store) {
  std::vector<Block> blocks;
  blocks.reserve(runs.size());
  const auto total = static_cast<uint32_t>(store->EventCount());
  for (size_t i = 0; i < runs.size(); ++i) {
    const uint32_t end = i + 1 < runs.size() ? runs[i + 1].first : total;
    if (end == runs[i].first) continue;
    blocks.push_back({runs[i], end - runs[i].first, 0});
    store->lanes[runs[i].lane.value].rows.count += blocks.back().count;
  }
  std::vector<uint32_t> next(store->lanes.size());
  uint32_t row = 0;
  for (size_t i = 0; i < next.size(); ++i) {
    store->lanes[i].rows.first = next[i] = row;
    row += store->lanes[i].rows.count;
  }
  for (Block& block : blocks) {
    block.target = next[block.run.lane.value];
    next[block.run.lane.value] += block.count;
  }
  return blocks;
}

template <class T>
void MoveBlocks(const std::vector<Block>& blocks, Column<T>* column) {
  Column<T> moved;
  moved.Extend(column->size());
  for (const Block& block : blocks) {
    std::memcpy(static_cast<void*>(moved.data() + block.target), column->data() + block.run.first,
                block.count * sizeof(T));
  }
  *column = std::move(moved);
}

// Where arrival row i went. Empty while nothing was sorted: then the blocks say it.
using NewRows = Column<uint32_t>;

struct Keyed {
  int64_t start_ps;
  uint32_t row;
};

bool Sorted(const Column<int64_t>& start, uint32_t first, uint32_t count) {
  for (uint32_t i = first + 1; i < first + count; ++i) {
    if (start[i] < start[i - 1]) return false;
  }
  return true;
}

// Stable. Executors write records when they end, so most files are nearly sorted: insertion
// with a budget of moves, a merge sort when that is used up.
void SortKeys(std::vector<Keyed>* keys) {
  size_t budget = keys->size() * 8;
  for (size_t i = 1; i < keys->size(); ++i) {
    const Keyed key = (*keys)[i];
    size_t at = i;
    while (at > 0 && key.start_ps < (*keys)[at - 1].start_ps && budget > 0) {
      (*keys)[at] = (*keys)[at - 1];
      --at;
      --budget;
    }
    (*keys)[at] = key;
    if (budget > 0) continue;
    // Stable also here: at this point all keys before i, and key i itself, are in an order that
    // keeps equal starts as they arrived.
    std::stable_sort(keys->begin(), keys->end(),
                     [](const Keyed& a, const Keyed& b) { return a.start_ps < b.start_ps; });
    return;
  }
}

template <class T>
void Gather(const std::vector<Keyed>& keys, uint32_t first, Column<T>* column) {
  std::vector<T> moved(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) moved[i] = (*column)[keys[i].row];
  std::copy(moved.begin(), moved.end(), column->data() + first);
}

// Sorts rows [first, first + count); `moved` (grouped row -> final row) is filled when needed.
std::vector<Keyed> SortRows(uint32_t first, uint32_t count, Events* events, NewRows* moved) {
  std::vector<Keyed> keys(count);
  for (uint32_t i = 0; i < count; ++i) keys[i] = {events->start_ps[first + i], first + i};
  SortKeys(&keys);
  Gather(keys, first, &events->start_ps);
  Gather(keys, first, &events->duration_ps);
  Gather(keys, first, &events->label);
  Gather(keys, first, &events->detail);
  if (moved->empty()) {
    const auto rows = static_cast<uint32_t>(events->label.size());
    moved->Extend(rows);
    for (uint32_t i = 0; i < rows; ++i) (*moved)[i] = i;
  }
  return keys;
}

// `moved` maps rows before any sorting; rows were moved at most once before (within their block),
// so the second sort of a lane needs the inverse of the first.
void Compose(const std::vector<Keyed>& keys, uint32_t first, NewRows* moved) {
  std::vector<uint32_t> origin(keys.size());
  for (uint32_t i = 0; i < keys.size(); ++i) origin[(*moved)[first + i] - first] = first + i;
  for (uint32_t i = 0; i < keys.size(); ++i) {
    (*moved)[origin[keys[i].row - first]] = first + i;
  }
}

void PushStepRun(uint32_t row, StepId step, uint32_t first_run, Store* store) {
  Column<StepRun>& runs = store->step_runs;
  if (runs.size() > first_run && runs.back().step == step) return;
  runs.Push({row, step});
}

// One lane, whose blocks lie one after the other. Blocks are sorted each for itself, which keeps
// their steps; only when that does not sort the lane, rows of different steps mix.
void OrderLane(const std::vector<const Block*>& blocks, Lane* lane, NewRows* moved, Store* store) {
  Events& events = store->events;
  for (const Block* block : blocks) {
    if (Sorted(events.start_ps, block->target, block->count)) continue;
    const std::vector<Keyed> keys = SortRows(block->target, block->count, &events, moved);
    Compose(keys, block->target, moved);
  }
  const auto first_run = static_cast<uint32_t>(store->step_runs.size());
  const uint32_t first = lane->rows.first;
  if (Sorted(events.start_ps, first, lane->rows.count)) {
    for (const Block* block : blocks) {
      PushStepRun(block->target, block->run.step, first_run, store);
    }
  } else {
    std::vector<StepId> steps;
    steps.reserve(lane->rows.count);
    for (const Block* block : blocks) steps.insert(steps.end(), block->count, block->run.step);
    const std::vector<Keyed> keys = SortRows(first, lane->rows.count, &events, moved);
    Compose(keys, first, moved);
    for (uint32_t i = 0; i < keys.size(); ++i) {
      PushStepRun(first + i, steps[keys[i].row - first], first_run, store);
    }
  }
  const auto runs = static_cast<uint32_t>(store->step_runs.size());
  lane->step_runs = {first_run, runs - first_run};
  while (lane->unplaced < lane->rows.count && events.start_ps[first + lane->unplaced] == kNoTime) {
    ++lane->unplaced;
  }
}

// Arrival row -> final row.
struct RowMap {
  const std::vector<Block>& blocks;
  const NewRows& moved;

  EventId operator()(EventId arrival) const {
    if (!arrival.some()) return arrival;
    auto block = std::upper_bound(blocks.begin(), blocks.end(), arrival.value,
                                  [](uint32_t row, const Block& b) { return row < b.run.first; });
    --block;
    const uint32_t grouped = block->target + (arrival.value - block->run.first);
    return EventId(moved.empty() ? grouped : moved[grouped]);
  }
};

void MoveSideTables(const RowMap& map, Store* store) {
  for (ExecMemory& row : store->exec_memory) row.event = map(row.event);
  for (Allocation& row : store->allocations) row.event = map(row.event);
  for (Aggregate& row : store->aggregates) row.event = map(row.event);
}

}  // namespace

void OrderEvents(const std::vector<ArrivalRun>& runs, Store* store) {
  const std::vector<Block> blocks = PlaceBlocks(runs, store);
  bool grouped = true;
  for (const Block& block : blocks) grouped &= block.target == block.run.first;
  if (!grouped) {
    MoveBlocks(blocks, &store->events.start_ps);
    MoveBlocks(blocks, &store->events.duration_ps);
    MoveBlocks(blocks, &store->events.label);
    MoveBlocks(blocks, &store->events.detail);
  }
  std::vector<std::vector<const Block*>> of_lane(store->lanes.size());
  for (const Block& block : blocks) of_lane[block.run.lane.value].push_back(&block);
  NewRows moved;
  for (size_t i = 0; i < of_lane.size(); ++i) {
    OrderLane(of_lane[i], &store->lanes[i], &moved, store);
  }
  if (!grouped || !moved.empty()) MoveSideTables({blocks, moved}, store);
  std::sort(store->aggregates.begin(), store->aggregates.end(),
            [](const Aggregate& a, const Aggregate& b) { return a.event < b.event; });
}

}  // namespace tfprof
