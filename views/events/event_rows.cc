// SPDX-License-Identifier: Apache-2.0
#include "views/events/event_rows.h"

#include <algorithm>
#include <bit>

namespace tfprof {
namespace {

constexpr size_t kBlockRows = 1 << 13;

bool StepIsSelected(const ReadingEvents& reading, const Lane& lane, uint32_t row) {
  if (!reading.steps_selected.empty()) {
    const StepId step = StepOf(*reading.facts.store, lane, row);
    return step.some() && reading.steps_selected[step.value];
  }
  return reading.of_groups.Takes(row);
}

// Appends the next rows that may pass, at most `max`; none: the end.
void NextCandidates(ReadingEvents* reading, size_t max, std::vector<uint32_t>* rows) {
  const Store& store = *reading->facts.store;
  while (rows->size() < max && reading->lane < reading->lanes.size()) {
    const Lane& lane = store.lanes[reading->lanes[reading->lane].value];
    const uint32_t end = lane.rows.After();
    reading->row = std::max(reading->row, lane.rows.first);
    for (; reading->row < end && rows->size() < max; ++reading->row) {
      if (StepIsSelected(*reading, lane, reading->row)) rows->push_back(reading->row);
    }
    if (reading->row < end) break;
    ++reading->lane;
    reading->row = 0;
  }
}

// Returns the next rows that pass; none: the end.
Result<std::vector<uint32_t>> NextRows(ReadingEvents* reading, Context& context) {
  std::vector<uint32_t> rows, passed;
  while (passed.empty()) {
    rows.clear();
    NextCandidates(reading, kBlockRows, &rows);
    if (rows.empty() || reading->test.empty()) return rows;
    TFPROF_TRY(FillRows(rows, &reading->facts, &reading->tested, context));
    for (size_t i = 0; i < rows.size(); ++i) {
      if (Holds(reading->test, i)) passed.push_back(rows[i]);
    }
    reading->facts.texts.clear();
  }
  return passed;
}

// ---- order --------------------------------------------------------------------------------------

struct Candidate {
  uint32_t row = 0;
  bool absent = false;
  int64_t number = 0;  // also reals, mapped to integers in the same order
  std::string_view text = {};
};

int64_t OrderedBits(double value) {
  const auto bits = std::bit_cast<int64_t>(value);
  return bits >= 0 ? bits : std::numeric_limits<int64_t>::min() - bits;
}

Candidate CandidateOf(const ReportColumn& column, size_t i, uint32_t row, TextPool* pool,
                      bool keep) {
  Candidate candidate{row, IsAbsent(column, i)};
  if (candidate.absent) return candidate;
  if (column.spec.type == CellType::text) {
    candidate.text = keep ? pool->Keep(std::string(column.texts[i])) : column.texts[i];
  } else if (column.spec.type == CellType::real) {
    candidate.number = OrderedBits(column.reals[i]);
  } else {
    candidate.number = column.Integer(i);
  }
  return candidate;
}

// Numbers descend, texts ascend, absent ones are last; ties keep the profile's order
// (core/report/refine.h).
bool Before(const Candidate& a, const Candidate& b) {
  if (a.absent != b.absent) return b.absent;
  if (a.number != b.number) return a.number > b.number;
  if (a.text != b.text) return a.text < b.text;
  return a.row < b.row;
}

void KeepBest(size_t max, std::vector<Candidate>* candidates) {
  if (candidates->size() <= max) return;
  const auto end = candidates->begin() + static_cast<ptrdiff_t>(max);
  std::nth_element(candidates->begin(), end, candidates->end(), Before);
  candidates->resize(max);
}

}  // namespace

Result<const Table*> NextBlock(ReadingEvents* events, Context& context) {
  ReadingEvents& reading = *events;
  std::vector<uint32_t> rows;
  if (reading.is_chosen) {
    const size_t count = std::min(kBlockRows, reading.chosen.size() - reading.next_chosen);
    const auto first = reading.chosen.begin() + static_cast<ptrdiff_t>(reading.next_chosen);
    rows.assign(first, first + static_cast<ptrdiff_t>(count));
    reading.next_chosen += count;
  } else {
    TFPROF_ASSIGN(rows, NextRows(&reading, context));
  }
  reading.facts.texts.clear();
  if (rows.empty()) return nullptr;
  TFPROF_TRY(FillRows(rows, &reading.facts, &reading.block, context));
  return &reading.block;
}

// Scans all rows and keeps only the best. Returns the number of rows that pass.
Result<int64_t> ChooseBest(const std::string& order, size_t max, ReadingEvents* reading,
                           TextPool* pool, Context& context) {
  const EventColumn* by = reading->facts.Find(order);
  if (by->fact == EventFact::self) TFPROF_TRY(MeasureAll(&reading->facts, context));
  // Texts of numbers live only as long as their block.
  const bool keep = by->fact == EventFact::attribute;
  Table table = EmptyTable(reading->facts, {order});
  std::vector<Candidate> candidates;
  int64_t count = 0;
  while (true) {
    TFPROF_ASSIGN(const std::vector<uint32_t> rows, NextRows(reading, context));
    if (rows.empty()) break;
    count += static_cast<int64_t>(rows.size());
    TFPROF_TRY(FillRows(rows, &reading->facts, &table, context));
    for (size_t i = 0; i < rows.size(); ++i) {
      candidates.push_back(CandidateOf(table.columns[0], i, rows[i], pool, keep));
    }
    reading->facts.texts.clear();
    if (candidates.size() / 2 > std::max(max, kBlockRows)) KeepBest(max, &candidates);
  }
  KeepBest(max, &candidates);
  std::sort(candidates.begin(), candidates.end(), Before);
  for (const Candidate& candidate : candidates) reading->chosen.push_back(candidate.row);
  reading->is_chosen = true;
  return count;
}

// Takes the first rows in the profile's order. Returns the number of rows that pass.
Result<int64_t> ChooseFirst(size_t max, ReadingEvents* reading, Context& context) {
  int64_t count = 0;
  while (true) {
    TFPROF_ASSIGN(const std::vector<uint32_t> rows, NextRows(reading, context));
    if (rows.empty()) break;
    count += static_cast<int64_t>(rows.size());
    const size_t room = max - reading->chosen.size();
    reading->chosen.insert(reading->chosen.end(), rows.begin(),
                           rows.begin() + static_cast<ptrdiff_t>(std::min(room, rows.size())));
  }
  reading->is_chosen = true;
  return count;
}

}  // namespace tfprof
