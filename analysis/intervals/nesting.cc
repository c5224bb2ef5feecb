// SPDX-License-Identifier: Apache-2.0
#include "analysis/intervals/nesting.h"

#include <algorithm>

namespace tfprof {
namespace {

// Rows of a lane stand by start; equal starts are put longest first.
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

}  // namespace

void NestEvents(const Store& store, const Lane& lane, LaneNesting* nesting) {
  const Events& events = store.events;
  nesting->first = lane.rows.first + lane.unplaced;
  const uint32_t end = lane.rows.first + lane.rows.count;
  OrderByStart(events, nesting->first, end, &nesting->order);
  nesting->parent.assign(end - nesting->first, kNoRow);
  const auto end_ps = [&](uint32_t row) {
    return SaturatingAdd(events.start_ps[row], events.duration_ps[row]);
  };
  std::vector<uint32_t> open;  // each lies in the one before it
  for (const uint32_t row : nesting->order) {
    while (!open.empty() && end_ps(open.back()) < end_ps(row)) open.pop_back();
    if (!open.empty()) nesting->parent[row - nesting->first] = open.back();
    open.push_back(row);
  }
}

void SelfTimes(const Store& store, const LaneNesting& nesting, std::vector<int64_t>* self_ps) {
  const Events& events = store.events;
  const size_t count = nesting.parent.size();
  self_ps->resize(count);
  for (size_t i = 0; i < count; ++i) (*self_ps)[i] = events.duration_ps[nesting.first + i];
  for (size_t i = 0; i < count; ++i) {
    if (nesting.parent[i] == kNoRow) continue;
    int64_t& self = (*self_ps)[nesting.parent[i] - nesting.first];
    self = SaturatingAdd(self, -events.duration_ps[nesting.first + i]);
  }
}

}  // namespace tfprof
