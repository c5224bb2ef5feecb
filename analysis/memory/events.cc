// SPDX-License-Identifier: Apache-2.0
#include "analysis/memory/events.h"

#include <algorithm>
#include <unordered_map>

#include "analysis/memory/allocator_memory.h"
#include "analysis/place.h"

namespace tfprof {
namespace {

// Groups the found events by allocator.
void SortIn(const Store& store, std::vector<AllocatorMemory>* found, MemoryEvents* memory) {
  const auto host = [&](const AllocatorMemory& f) { return HostName(store, f.host); };
  const auto before = [&](const AllocatorMemory& a, const AllocatorMemory& b) {
    if (a.host != b.host) {
      const std::string_view of_a = host(a), of_b = host(b);
      return of_a != of_b ? of_a < of_b : a.host < b.host;
    }
    if (a.allocator != b.allocator) return memory->Text(a.allocator) < memory->Text(b.allocator);
    return a.event.time_ps != b.event.time_ps ? a.event.time_ps < b.event.time_ps
                                              : a.event.event < b.event.event;
  };
  std::stable_sort(found->begin(), found->end(), before);
  memory->events.reserve(found->size());
  for (const AllocatorMemory& f : *found) {
    std::vector<Allocator>& all = memory->allocators;
    if (all.empty() || all.back().host != f.host || all.back().name != f.allocator) {
      const auto first = static_cast<uint32_t>(memory->events.size());
      all.push_back({f.host, f.allocator, {first, 0}, f.device});
    }
    ++all.back().events.count;
    memory->events.push_back(f.event);
  }
}

void Match(const Allocator& allocator, std::vector<MemoryEvent>* events) {
  std::unordered_map<int64_t, uint32_t> open;  // by address
  for (const uint32_t i : allocator.events) {
    MemoryEvent& event = (*events)[i];
    if (event.address == kNoInt) continue;
    if (!event.frees) {
      open[event.address] = i;
      continue;
    }
    const auto known = open.find(event.address);
    if (known == open.end()) continue;
    MemoryEvent& allocation = (*events)[known->second];
    allocation.partner = i;
    event.partner = known->second;
    if (event.bytes == kNoInt) event.bytes = allocation.bytes;
    event.op = allocation.op;
    event.source = allocation.source;
    event.region = allocation.region;
    event.shape = allocation.shape;
    event.element_type = allocation.element_type;
    open.erase(known);
  }
}

// Sums allocations from 0 in every step, for an allocator that does not record its bytes in use.
void Count(const Allocator& allocator, std::vector<MemoryEvent>* events) {
  std::unordered_map<int64_t, int64_t> in_use;  // by step
  for (const uint32_t i : allocator.events) {
    MemoryEvent& event = (*events)[i];
    if (event.heap_bytes != kNoInt || event.bytes == kNoInt) continue;
    int64_t& bytes = in_use[event.group];
    bytes = SaturatingAdd(bytes, event.frees ? -event.bytes : event.bytes);
    event.heap_bytes = bytes;
  }
}

}  // namespace

Result<MemoryEvents> MemoryEvents::Build(const Store& store, Context& context) {
  MemoryEvents memory;
  std::vector<AllocatorMemory> found;
  TFPROF_TRY(FindAllocatorEvents(store, &found, &memory, context));
  const size_t recorded = found.size();
  TFPROF_TRY(FindNodeAllocations(store, &found, &memory, context));
  memory.is_counted = found.size() > recorded;
  SortIn(store, &found, &memory);
  for (const Allocator& allocator : memory.allocators) {
    TFPROF_TRY(Poll(context));
    Match(allocator, &memory.events);
    if (memory.is_counted) Count(allocator, &memory.events);
  }
  return memory;
}

}  // namespace tfprof
