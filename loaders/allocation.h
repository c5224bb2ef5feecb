// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "core/store_builder.h"

namespace tfprof {

// One change of what an allocator holds: an AllocationRecord.
struct AllocationRecord {
  std::string_view allocator;  // data() == nullptr: the file does not tell it
  int64_t time_us = 0;         // 0: none
  int64_t bytes = 0;           // negative: freed
};

// Null, or where `message` stops to be wire format.
const char* ReadAllocation(std::string_view message, AllocationRecord* record);

void AddAllocation(EventId event, const AllocationRecord& record, StoreBuilder& store);

}  // namespace tfprof
