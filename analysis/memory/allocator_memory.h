// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/memory/events.h"

// Sources of MemoryEvents.

namespace tfprof {

// A memory event with its allocator, before sorting.
struct AllocatorMemory {
  HostId host;
  NameId allocator;  // in MemoryEvents::texts
  MemoryEvent event;
  int64_t device = kNoInt;  // Allocator::device
};

// Finds the events that allocators recorded on host threads.
Result<void> FindAllocatorEvents(const Store& store, std::vector<AllocatorMemory>* found,
                                 MemoryEvents* memory, Context& context);

// The allocations that executions of graph nodes tell (core/store/details.h). What is in use is
// not told. A free belongs to the first allocation of as many bytes by the same execution that is
// not freed yet: they get an address of their own.
Result<void> FindNodeAllocations(const Store& store, std::vector<AllocatorMemory>* found,
                                 MemoryEvents* memory, Context& context);

}  // namespace tfprof
