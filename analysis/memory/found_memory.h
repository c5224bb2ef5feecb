// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/memory/events.h"

// Where MemoryEvents are read from.

namespace tfprof {

// A memory event with the allocator it is of, before it is sorted in.
struct FoundMemory {
  HostId host;
  NameId allocator;  // of MemoryEvents::texts
  MemoryEvent event;
};

// The events that allocators record on the threads of hosts.
Result<void> FindAllocatorEvents(const Store& store, std::vector<FoundMemory>* found,
                                 MemoryEvents* memory, Context& context);

// The allocations that executions of graph nodes tell (core/store/details.h). What is in use is
// not told. A free belongs to the first allocation of as many bytes by the same execution that is
// not freed yet: they get an address of their own.
Result<void> FindNodeAllocations(const Store& store, std::vector<FoundMemory>* found,
                                 MemoryEvents* memory, Context& context);

}  // namespace tfprof
