// SPDX-License-Identifier: Apache-2.0
#include "core/store/event_order.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "core/base/sorting.h"

namespace tfprof {
namespace {

// Rows that are sorted together: those of one group or of several, placed ones only.
struct SortUnit {
  uint32_t first = 0;
  uint32_t end = 0;
  uint32_t unplaced = 0;
  int64_t min_ps = std::numeric_limits<int64_t>::max();  // of the starts
  int64_t max_ps = std::numeric_limits<int64_t>::min();
  bool sorted = true;
};

SortUnit UnitOf(std::span<const MovingRow> rows, StepGroup group) {
  SortUnit unit{group.first, group.first + group.count};
  for (uint32_t i = unit.first; i < unit.end; ++i) {
    const int64_t start_ps = rows[i].start_ps;
    if (start_ps == kNoTime) {
      ++unit.unplaced;
      continue;
    }
    unit.sorted &= start_ps >= unit.max_ps;  // rows of one step are in arrival order
    unit.min_ps = std::min(unit.min_ps, start_ps);
    unit.max_ps = std::max(unit.max_ps, start_ps);
  }
  return unit;
}

// One unit per group if the steps do not overlap in time, else one for all.
std::vector<SortUnit> SplitLane(std::span<const MovingRow> rows,
                                std::span<const StepGroup> groups) {
  std::vector<SortUnit> units;
  SortUnit all{0, static_cast<uint32_t>(rows.size())};
  for (const StepGroup& group : groups) {
    const SortUnit unit = units.emplace_back(UnitOf(rows, group));
    all.unplaced += unit.unplaced;
    all.min_ps = std::min(all.min_ps, unit.min_ps);
    all.max_ps = std::max(all.max_ps, unit.max_ps);
  }
  if (units.size() < 2) return units;
  std::sort(units.begin(), units.end(),
            [](const SortUnit& a, const SortUnit& b) { return a.min_ps < b.min_ps; });
  const auto overlaps = [](const SortUnit& a, const SortUnit& b) { return a.max_ps >= b.min_ps; };
  if (std::adjacent_find(units.begin(), units.end(), overlaps) == units.end()) return units;
  all.sorted = false;
  return {all};
}

struct Writing {
  std::span<const MovingRow> rows;
  Column<uint32_t>& row_of_arrival;
  LaneOrder& order;
  Store& store;
  uint32_t next;  // row
  uint32_t first_run;

  void Write(const MovingRow& row) {
    Events& events = store.events;
    events.start_ps[next] = row.start_ps;
    events.duration_ps[next] = row.duration_ps;
    events.label[next] = row.label;
    if (!events.detail.empty()) events.detail[next] = row.detail;
    row_of_arrival[row.arrival] = next;
    PushStepRun(next, row.step, first_run, &store);
    ++next;
  }
};

void WriteUnplaced(Writing* writing) {
  std::vector<uint64_t>& keys = writing->order.keys;
  keys.clear();
  for (size_t i = 0; i < writing->rows.size(); ++i) {
    const MovingRow& row = writing->rows[i];
    if (row.start_ps == kNoTime) keys.push_back(uint64_t{row.arrival} << 32 | i);
  }
  SortKeys(&keys, 32, &writing->order.scratch);
  for (const uint64_t key : keys) writing->Write(writing->rows[static_cast<uint32_t>(key)]);
}

// A key is the start relative to the first one, followed by the index of the row in the unit. If
// both do not fit into 64 bits, the start loses its lowest bits.
struct KeyForm {
  int row_bits;
  int lost_bits;

  explicit KeyForm(const SortUnit& unit) {
    const uint64_t range = static_cast<uint64_t>(unit.max_ps) - static_cast<uint64_t>(unit.min_ps);
    row_bits = static_cast<int>(std::bit_width(unit.end - unit.first));
    lost_bits = std::max(static_cast<int>(std::bit_width(range)) + row_bits - 64, 0);
  }
  uint32_t Row(uint64_t key) const {
    return static_cast<uint32_t>(key & ((uint64_t{1} << row_bits) - 1));
  }
};

void FillKeys(std::span<const MovingRow> rows, const SortUnit& unit, KeyForm form,
              std::vector<uint64_t>* keys) {
  keys->clear();
  for (uint32_t i = unit.first; i < unit.end; ++i) {
    if (rows[i].start_ps == kNoTime) continue;
    const uint64_t start =
        static_cast<uint64_t>(rows[i].start_ps) - static_cast<uint64_t>(unit.min_ps);
    keys->push_back(start >> form.lost_bits << form.row_bits | (i - unit.first));
  }
}

// Keys with equal starts are in row order, which differs from arrival order if a unit has several
// groups; and starts may be equal only in their kept bits.
void SortEqualStarts(std::span<const MovingRow> rows, const SortUnit& unit, KeyForm form,
                     std::vector<uint64_t>* keys) {
  const auto before = [&](uint64_t a, uint64_t b) {
    const MovingRow& row = rows[unit.first + form.Row(a)];
    const MovingRow& other = rows[unit.first + form.Row(b)];
    return row.start_ps != other.start_ps ? row.start_ps < other.start_ps
                                          : row.arrival < other.arrival;
  };
  for (auto at = keys->begin(); at != keys->end();) {
    const uint64_t start = *at >> form.row_bits;
    const auto end = std::find_if(at + 1, keys->end(),
                                  [&](uint64_t key) { return key >> form.row_bits != start; });
    if (!std::is_sorted(at, end, before)) std::sort(at, end, before);
    at = end;
  }
}

void WriteUnit(const SortUnit& unit, Writing* writing) {
  const std::span<const MovingRow> rows = writing->rows;
  if (unit.sorted) {
    for (uint32_t i = unit.first; i < unit.end; ++i) {
      if (rows[i].start_ps != kNoTime) writing->Write(rows[i]);
    }
    return;
  }
  const KeyForm form(unit);
  std::vector<uint64_t>& keys = writing->order.keys;
  FillKeys(rows, unit, form, &keys);
  SortKeys(&keys, form.row_bits, &writing->order.scratch);
  SortEqualStarts(rows, unit, form, &keys);
  for (const uint64_t key : keys) writing->Write(rows[unit.first + form.Row(key)]);
}

}  // namespace

void OrderLane(std::span<const MovingRow> rows, std::span<const StepGroup> groups, Lane* lane,
               Column<uint32_t>* row_of_arrival, LaneOrder* order, Store* store) {
  const std::vector<SortUnit> units = SplitLane(rows, groups);
  const auto first_run = static_cast<uint32_t>(store->step_runs.size());
  Writing writing{rows, *row_of_arrival, *order, *store, lane->rows.first, first_run};
  lane->unplaced = 0;
  for (const SortUnit& unit : units) lane->unplaced += unit.unplaced;
  if (lane->unplaced > 0) WriteUnplaced(&writing);
  for (const SortUnit& unit : units) WriteUnit(unit, &writing);
  lane->step_runs = {first_run, static_cast<uint32_t>(store->step_runs.size()) - first_run};
}

}  // namespace tfprof
