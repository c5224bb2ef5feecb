// SPDX-License-Identifier: Apache-2.0
#include "analysis/categories/nested_times.h"

#include <algorithm>
#include <vector>

#include "core/base/arith.h"

namespace tfprof {
namespace {

int RankOf(EventClass of) {
  switch (of) {
    case EventClass::annotation:
    case EventClass::device_annotation: return 0;
    case EventClass::python_call: return 1;
    case EventClass::op: return 2;
    default: return 3;
  }
}

// Divides the time of one lane.
class OpenEvents {
 public:
  OpenEvents(const Store& store, NestedTimes* times) : store_(store), times_(*times) {}

  void Run(const Lane& lane) {
    rows_.clear();
    for (const uint32_t row : lane.PlacedRows()) rows_.push_back(row);
    const Events& events = store_.events;
    const auto rank = [&](uint32_t row) {
      return RankOf(store_.labels[events.label[row].value].of);
    };
    // Rows are in order of start, equal starts in file order.
    for (size_t first = 0; first < rows_.size();) {
      size_t end = first + 1;
      const int64_t start_ps = events.start_ps[rows_[first]];
      while (end < rows_.size() && events.start_ps[rows_[end]] == start_ps) ++end;
      std::stable_sort(rows_.begin() + static_cast<ptrdiff_t>(first),
                       rows_.begin() + static_cast<ptrdiff_t>(end), [&](uint32_t a, uint32_t b) {
                         const int64_t a_ps = events.duration_ps[a], b_ps = events.duration_ps[b];
                         return a_ps != b_ps ? a_ps > b_ps : rank(a) < rank(b);
                       });
      first = end;
    }
    for (const uint32_t row : rows_) Open(row);
    AdvanceTo(kMaxPs);
    open_.clear();
    around_.clear();
  }

 private:
  int64_t End(uint32_t row) const { return store_.events.EndPs(row); }

  // Gives the time up to `until_ps` to the events that are open.
  void AdvanceTo(int64_t until_ps) {
    while (!open_.empty() && at_ps_ < until_ps) {
      const uint32_t top = open_.back();
      const int64_t end_ps = std::min(End(top), until_ps);
      if (end_ps > at_ps_) {
        times_.self_ps[top] = SaturatingAdd(times_.self_ps[top], end_ps - at_ps_);
        at_ps_ = end_ps;
      }
      if (End(top) <= at_ps_) open_.pop_back();
    }
    at_ps_ = until_ps;
  }

  void Open(uint32_t row) {
    const int64_t start_ps = store_.events.start_ps[row];
    if (open_.empty()) at_ps_ = start_ps;
    AdvanceTo(start_ps);
    // An event that ends earlier contains nothing that this one does not contain.
    while (!around_.empty() &&
           (End(around_.back()) < End(row) || End(around_.back()) <= start_ps)) {
      around_.pop_back();
    }
    if (!around_.empty()) times_.around[row] = EventId(around_.back());
    around_.push_back(row);
    open_.push_back(row);
  }

  const Store& store_;
  NestedTimes& times_;
  std::vector<uint32_t> rows_;    // of the lane, outer events first
  std::vector<uint32_t> open_;    // in that order
  std::vector<uint32_t> around_;  // likewise, each ends before those below it or with them
  int64_t at_ps_ = 0;
};

}  // namespace

bool HasCategories(const Store& store) {
  return std::ranges::any_of(store.sources,
                             [](const Source& source) { return !source.entries.empty(); });
}

Result<NestedTimes> NestedTimes::Build(const Store& store, Context& context) {
  NestedTimes times;
  times.self_ps.Resize(store.EventCount(), 0);
  times.around.Resize(store.EventCount());
  OpenEvents nesting(store, &times);
  for (const Lane& lane : store.lanes) {
    TFPROF_TRY(Poll(context));
    if (lane.role != LaneRole::instants) nesting.Run(lane);
  }
  return times;
}

}  // namespace tfprof
