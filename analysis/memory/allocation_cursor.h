// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/rows_by_event.h"
#include "core/store/store.h"

namespace tfprof {

// The allocations of executions, in order of their events; those of one event in the order of its
// record. Reads a few thousand from their sources at a time. Texts live as long as the store.
class AllocationCursor {
 public:
  using Places = RowsByEvent<AllocationPlace>;

  // Reads the places [first, end). Both arguments must outlive the cursor.
  AllocationCursor(const Store& store, const Places& places, size_t first, size_t end)
      : store_(&store), places_(&places), next_place_(first), end_(end) {}

  // Returns the current allocation; null: the end, or the file was truncated meanwhile (see
  // Failed()).
  const Allocation* Peek();
  void Advance() { ++next_; }
  // The error that ended the allocations, if the file caused it. Kind: corrupt.
  const Result<void>& Failed() const { return failed_; }

 private:
  Result<void> ReadBlock();

  const Store* store_;
  const Places* places_;
  size_t next_place_;
  size_t end_;
  std::vector<Allocation> block_;
  size_t next_ = 0;  // index into the block
  Result<void> failed_;
};

}  // namespace tfprof
