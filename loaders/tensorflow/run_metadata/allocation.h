// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/store/builder.h"
#include "loaders/io/source.h"

// Defers reading allocations. Few queries need the allocations of executions, and they are a
// seventh of a profile. Loading records only their places; the file stays open.
namespace tfprof {

// One change of the bytes that an allocator holds: an AllocationRecord.
struct AllocationRecord {
  std::string_view allocator;  // data() == nullptr: not recorded
  int64_t time_us = 0;         // 0: none
  int64_t bytes = 0;           // negative: freed
};

// Appends the allocations of a record of the file. Malformed ones are skipped.
using AllocationsOfRecord = void (*)(std::string_view record, std::vector<AllocationRecord>* out);

// Returns null, or the place where the wire format of `message` is invalid.
const char* ReadAllocation(std::string_view message, AllocationRecord* record);

// Records that `record`, a part of `file`, has allocations of `event`.
void AddAllocationPlace(EventId event, std::string_view record, const SourceFile& file,
                        SourceId source, StoreBuilder& store);

// Called after loading. Makes the recorded places readable on demand with `read`.
void KeepAllocations(const SourceFile& file, SourceId source, AllocationsOfRecord read,
                     StoreBuilder& store);

}  // namespace tfprof
