// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/rows_by_event.h"
#include "core/store/store.h"

namespace tfprof {

// The allocations of executions in the order of their events, those of one event in the order of
// its record: read from the sources some thousand at a time. Texts live as long as the store.
class AllocationCursor {
 public:
  using Places = RowsByEvent<AllocationPlace>;

  // Of the places [first, end); both arguments outlive the cursor.
  AllocationCursor(const Store& store, const Places& places, size_t first, size_t end)
      : store_(&store), places_(&places), next_place_(first), end_(end) {}

  // The next one; null: there are none left, or the file became shorter meanwhile (see Failed()).
  const Allocation* Peek();
  void Advance() { ++next_; }
  // Why there are none left, where that is the file. Kind: corrupt.
  const Result<void>& Failed() const { return failed_; }

 private:
  Result<void> ReadBlock();

  const Store* store_;
  const Places* places_;
  size_t next_place_;
  size_t end_;
  std::vector<Allocation> block_;
  size_t next_ = 0;  // of the block
  Result<void> failed_;
};

}  // namespace tfprof
