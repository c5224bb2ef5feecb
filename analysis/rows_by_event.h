// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "core/store/store.h"

namespace tfprof {

// The rows of a side table of events, in order of events. Free if they are ordered already, else 4
// bytes per row.
template <class Row>
class RowsByEvent {
 public:
  explicit RowsByEvent(const Column<Row>& rows) : rows_(&rows) {
    const auto before = [](const Row& a, const Row& b) { return a.event < b.event; };
    if (std::is_sorted(rows.begin(), rows.end(), before)) return;
    order_.resize(rows.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(),
                     [&](uint32_t a, uint32_t b) { return before(rows[a], rows[b]); });
  }

  size_t size() const { return rows_->size(); }
  uint32_t RowAt(size_t i) const { return order_.empty() ? static_cast<uint32_t>(i) : order_[i]; }
  const Row& operator[](size_t i) const { return (*rows_)[RowAt(i)]; }

  // Returns the first row whose event is `row` or a later one.
  size_t From(uint32_t row) const {
    size_t low = 0, high = size();
    while (low < high) {
      const size_t middle = low + (high - low) / 2;
      if ((*this)[middle].event.value < row) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

 private:
  const Column<Row>* rows_;
  std::vector<uint32_t> order_;
};

}  // namespace tfprof
