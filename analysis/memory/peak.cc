// SPDX-License-Identifier: Apache-2.0
#include "analysis/memory/peak.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "analysis/memory/element_type.h"

namespace tfprof {
namespace {

constexpr std::string_view kRestOfHeap = "unused preallocated device memory";
constexpr std::string_view kStack = "stack";

int64_t OrZero(int64_t bytes) { return bytes == kNoInt ? 0 : bytes; }

bool IsBefore(const Holder& a, const Holder& b) {
  if (a.bytes != b.bytes) return a.bytes > b.bytes;
  if (a.requested_bytes != b.requested_bytes) return a.requested_bytes > b.requested_bytes;
  return std::tie(a.op, a.region, a.element_type, a.shape, a.source) <
         std::tie(b.op, b.region, b.element_type, b.shape, b.source);
}

Holder HolderOf(const MemoryEvents& memory, const MemoryEvent& event) {
  const std::string_view type =
      event.element_type == kNoInt ? std::string_view() : ElementTypeName(event.element_type);
  return {
      event.bytes, event.requested_bytes,    memory.Text(event.op),    memory.Text(event.region),
      type,        memory.Text(event.shape), memory.Text(event.source)};
}

Holder Unnamed(int64_t bytes, std::string_view op, std::string_view region) {
  return {bytes, bytes, op, region, ElementTypeName(0), "unknown"};
}

// Returns the step of every event of an allocator.
std::vector<int64_t> StepsOf(std::span<const MemoryEvent> events) {
  std::vector<int64_t> steps;
  steps.reserve(events.size());
  int64_t last = -1;
  for (const MemoryEvent& event : events) {
    if (event.group != kNoInt) last = event.group;
    steps.push_back(event.group != kNoInt ? last : SaturatingAdd(last, 1));
  }
  return steps;
}

// The allocations of one step that are alive, and their effect on the rest of the heap.
struct LiveAllocations {
  std::unordered_map<int64_t, uint32_t> by_address;  // index into the allocator's events
  int64_t bytes = 0;                                 // allocated minus freed
};

LiveAllocations AliveAfter(std::span<const MemoryEvent> events, size_t last) {
  const std::vector<int64_t> steps = StepsOf(events);
  LiveAllocations alive;
  for (uint32_t i = 0; i < events.size() && events[i].time_ps <= events[last].time_ps; ++i) {
    if (steps[i] != steps[last]) continue;
    const MemoryEvent& event = events[i];
    const int64_t address = OrZero(event.address);
    if (!event.frees) {
      alive.by_address[address] = i;
      alive.bytes = SaturatingAdd(alive.bytes, OrZero(event.bytes));
    } else if (alive.by_address.erase(address) > 0) {
      alive.bytes = SaturatingAdd(alive.bytes, -OrZero(event.bytes));
    }
  }
  return alive;
}

// Merges equal neighbors.
void Merge(std::vector<Holder>* holders) {
  std::sort(holders->begin(), holders->end(), IsBefore);
  size_t kept = 0;
  for (size_t i = 0; i < holders->size(); ++i) {
    if (kept > 0 && !IsBefore((*holders)[kept - 1], (*holders)[i])) {
      ++(*holders)[kept - 1].occurrences;
    } else {
      (*holders)[kept++] = (*holders)[i];
    }
  }
  holders->resize(kept);
}

}  // namespace

int64_t CapacityOf(const Store& store, const Allocator& allocator, const MemoryEvent& event) {
  if (event.available_bytes != kNoInt) {
    return SaturatingAdd(event.InUseBytes(), event.available_bytes);
  }
  for (const Device& device : store.devices) {
    const bool is_its = device.host == allocator.host && device.ordinal == allocator.device;
    if (is_its && device.memory_bytes > 0) return device.memory_bytes;
  }
  return kNoInt;
}

std::string_view Holder::Name() const {
  if (is_rest) return "allocated before the step";
  return is_stack ? "reserved memory" : op;
}

uint32_t PeakOf(const MemoryEvents& memory, const Allocator& allocator,
                const std::vector<bool>& selected) {
  uint32_t peak = kNoMemoryEvent;
  int64_t max = kNoInt;
  for (const uint32_t i : allocator.events) {
    if (!selected.empty() && !selected[i]) continue;
    const int64_t in_use = memory.events[i].InUseBytes();
    if (in_use == kNoInt || (peak != kNoMemoryEvent && in_use < max)) continue;
    max = in_use;
    peak = i;
  }
  return peak;
}

uint32_t LastUntil(const MemoryEvents& memory, const Allocator& allocator, int64_t time_ps,
                   const std::vector<bool>& selected) {
  uint32_t last = kNoMemoryEvent;
  for (const uint32_t i : allocator.events) {
    if (memory.events[i].time_ps > time_ps) break;
    if (selected.empty() || selected[i]) last = i;
  }
  return last;
}

std::vector<Holder> HoldersAfter(const MemoryEvents& memory, const Allocator& allocator,
                                 uint32_t event) {
  const std::span<const MemoryEvent> events = memory.Of(allocator);
  const MemoryEvent& after = memory.events[event];
  const LiveAllocations alive = AliveAfter(events, event - allocator.events.first);
  std::vector<Holder> holders;
  for (const auto& [address, allocation] : alive.by_address) {
    holders.push_back(HolderOf(memory, events[allocation]));
  }
  const int64_t rest_bytes = SaturatingAdd(OrZero(after.heap_bytes), -alive.bytes);
  if (rest_bytes > 0) {
    holders.push_back(Unnamed(rest_bytes, kRestOfHeap, "persist/dynamic"));
    holders.back().is_rest = true;
  }
  const int64_t stack_bytes = OrZero(after.reserved_bytes);
  if (stack_bytes > 0) {
    holders.push_back(Unnamed(stack_bytes, kStack, kStack));
    holders.back().is_stack = true;
  }
  Merge(&holders);
  return holders;
}

}  // namespace tfprof
