// SPDX-License-Identifier: Apache-2.0
#include "analysis/intervals/nesting.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tfprof {
namespace {

// Rows of a lane are ordered by start; this puts longer ones first among equal starts.
void OrderByStart(const Events& events, uint32_t first, uint32_t end, std::vector<uint32_t>* out) {
  out->clear();
  out->reserve(end - first);
  for (uint32_t row = first; row < end;) {
    uint32_t after = row + 1;
    while (after < end && events.start_ps[after] == events.start_ps[row]) ++after;
    for (uint32_t i = row; i < after; ++i) out->push_back(i);
    if (after - row > 1) {
      std::stable_sort(out->end() - (after - row), out->end(), [&](uint32_t a, uint32_t b) {
        return events.duration_ps[a] > events.duration_ps[b];
      });
    }
    row = after;
  }
}

// Sets the parents of the rows in `order`.
void SetParents(const Events& events, size_t rows, LaneNesting* nesting) {
  nesting->parent.assign(rows, kNoRow);
  std::vector<uint32_t> open;  // each lies within the one before it
  for (const uint32_t row : nesting->order) {
    while (!open.empty() && events.EndPs(open.back()) < events.EndPs(row)) open.pop_back();
    if (!open.empty()) nesting->parent[row - nesting->first] = open.back();
    open.push_back(row);
  }
}

}  // namespace

void NestEvents(const Store& store, const Lane& lane, LaneNesting* nesting) {
  nesting->first = lane.PlacedRows().first;
  const uint32_t end = lane.rows.After();
  OrderByStart(store.events, nesting->first, end, &nesting->order);
  SetParents(store.events, end - nesting->first, nesting);
}

void NestRows(const Store& store, std::vector<uint32_t> rows, LaneNesting* nesting) {
  const Events& events = store.events;
  nesting->first = rows.empty() ? 0 : rows.front();
  const size_t count = rows.empty() ? 0 : rows.back() - rows.front() + size_t{1};
  std::ranges::stable_sort(rows, [&](uint32_t a, uint32_t b) {
    const int64_t of_a = events.start_ps[a], of_b = events.start_ps[b];
    return of_a != of_b ? of_a < of_b : events.duration_ps[a] > events.duration_ps[b];
  });
  nesting->order = std::move(rows);
  SetParents(events, count, nesting);
}

void SelfTimes(const Store& store, const LaneNesting& nesting, std::vector<int64_t>* self_ps) {
  const Events& events = store.events;
  std::vector<ExclusiveTime> times(nesting.parent.size());
  for (const uint32_t row : nesting.order) {
    times[row - nesting.first].ps = events.duration_ps[row];
    const uint32_t parent = nesting.ParentOf(row);
    if (parent == kNoRow) continue;
    times[parent - nesting.first].Take(events.start_ps[row], events.EndPs(row));
  }
  self_ps->resize(times.size());
  for (size_t i = 0; i < times.size(); ++i) (*self_ps)[i] = times[i].ps;
}

void MeasureSelfTimes(std::vector<TimedEvent>* events) {
  const auto before = [](const TimedEvent& a, const TimedEvent& b) {
    if (a.start_ps != b.start_ps) return a.start_ps < b.start_ps;
    if (a.duration_ps != b.duration_ps) return a.duration_ps > b.duration_ps;
    return a.row < b.row;
  };
  if (!std::is_sorted(events->begin(), events->end(), before)) {
    std::sort(events->begin(), events->end(), before);
  }
  struct Open {
    TimedEvent* event;
    int64_t end_ps;
    ExclusiveTime time;
  };
  std::vector<Open> open;  // each lies within the one before it
  const auto close = [&] {
    open.back().event->self_ps = open.back().time.ps;
    open.pop_back();
  };
  for (TimedEvent& event : *events) {
    const int64_t end_ps = SaturatingAdd(event.start_ps, event.duration_ps);
    while (!open.empty() && open.back().end_ps < end_ps) close();
    if (!open.empty()) open.back().time.Take(event.start_ps, end_ps);
    open.push_back({&event, end_ps, {event.duration_ps}});
  }
  while (!open.empty()) close();
}

}  // namespace tfprof
