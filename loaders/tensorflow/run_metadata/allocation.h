// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/store/builder.h"
#include "loaders/io/source.h"

// Few questions need the allocations of executions, and they are a seventh of a profile: while
// loading only their places are noted, and the file stays open.
namespace tfprof {

// One change of what an allocator holds: an AllocationRecord.
struct AllocationRecord {
  std::string_view allocator;  // data() == nullptr: the file does not tell it
  int64_t time_us = 0;         // 0: none
  int64_t bytes = 0;           // negative: freed
};

// Appends the allocations of a record of the file; what is malformed is left out.
using AllocationsOfRecord = void (*)(std::string_view record, std::vector<AllocationRecord>* out);

// Null, or where `message` stops to be wire format.
const char* ReadAllocation(std::string_view message, AllocationRecord* record);

// Notes that `record`, a part of `file`, has allocations of `event`.
void AddAllocationPlace(EventId event, std::string_view record, const SourceFile& file,
                        SourceId source, StoreBuilder& store);

// After loading: has the places that were noted read by `read`, when somebody asks.
void KeepAllocations(const SourceFile& file, SourceId source, AllocationsOfRecord read,
                     StoreBuilder& store);

}  // namespace tfprof
