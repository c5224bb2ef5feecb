// SPDX-License-Identifier: Apache-2.0
#include "analysis/memory/allocation_cursor.h"

#include <algorithm>

namespace tfprof {
namespace {

constexpr size_t kPlacesAtOnce = 1 << 12;

const Source& SourceOf(const Store& store, uint32_t place) {
  const auto is_of = [&](const Source& source) {
    return place >= source.allocations.first && place < source.allocations.After();
  };
  return *std::find_if(store.sources.begin(), store.sources.end(), is_of);
}

}  // namespace

const Allocation* AllocationCursor::Peek() {
  while (next_ == block_.size()) {
    if (next_place_ == end_ || !failed_) return nullptr;
    failed_ = ReadBlock();
    if (!failed_) block_.clear(), next_ = 0;
  }
  return &block_[next_];
}

// Reads a block of consecutive places of one source.
Result<void> AllocationCursor::ReadBlock() {
  block_.clear();
  next_ = 0;
  const Source& source = SourceOf(*store_, places_->RowAt(next_place_));
  const Range of_source = source.allocations;
  std::vector<AllocationPlace> places;
  while (next_place_ < end_ && places.size() < kPlacesAtOnce) {
    const uint32_t row = places_->RowAt(next_place_);
    if (row < of_source.first || row >= of_source.After()) break;
    places.push_back((*places_)[next_place_++]);
  }
  return source.details.allocations(*store_, places, &block_);
}

}  // namespace tfprof
