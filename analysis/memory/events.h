// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "core/base/arith.h"
#include "core/base/context.h"
#include "core/store/store.h"

// Memory events: every allocation and free that allocators recorded, and the bytes in use after it.

namespace tfprof {

constexpr uint32_t kNoMemoryEvent = 0xFFFFFFFFu;

// One allocation or free. Numbers that are not recorded are kNoInt, texts none.
struct MemoryEvent {
  EventId event;
  int64_t time_ps = 0;
  bool frees = false;
  int64_t bytes = kNoInt;
  int64_t requested_bytes = kNoInt;
  int64_t heap_bytes = kNoInt;       // allocated, after the event
  int64_t reserved_bytes = kNoInt;   // reserved for stacks and similar uses, after the event
  int64_t available_bytes = kNoInt;  // after the event
  int64_t lifetime_peak_bytes = kNoInt;
  double fragmentation = kNoReal;
  int64_t address = kNoInt;
  int64_t group = kNoInt;  // the step that it is assigned to
  int64_t element_type = kNoInt;
  NameId op, source, region, shape;  // of MemoryEvents::texts
  // The allocation of a free, or the free of an allocation: an index into MemoryEvents::events, or
  // kNoMemoryEvent.
  uint32_t partner = kNoMemoryEvent;

  // Heap plus reserved; kNoInt: neither is recorded.
  int64_t InUseBytes() const {
    if (heap_bytes == kNoInt) return reserved_bytes;
    return reserved_bytes == kNoInt ? heap_bytes : SaturatingAdd(heap_bytes, reserved_bytes);
  }
};

struct Allocator {
  HostId host;
  NameId name;  // in MemoryEvents::texts: its own name, or the number of its device
  Range events;
  int64_t device = kNoInt;  // Device::ordinal, on that host; kNoInt: not recorded, or none
};

struct MemoryEvents {
  std::vector<Allocator> allocators;  // by host, then name
  std::vector<MemoryEvent> events;    // by allocator, then time, then row
  Names texts;
  int64_t unplaced = 0;  // omitted: events without a time have no order
  // Executions record allocations but not the bytes in use: these are summed here, in every step
  // from 0.
  bool is_counted = false;

  std::span<const MemoryEvent> Of(const Allocator& allocator) const {
    return {events.data() + allocator.events.first, allocator.events.count};
  }
  std::string_view Text(NameId id) const { return id.some() ? texts[id] : std::string_view(); }

  // Reads the events that allocators recorded on host threads, and the allocations of executions of
  // graph nodes. A free is matched to the last allocation at its address that is not freed yet, and
  // takes type, shape, region and operation from it. Cost: one pass over the labels of the hosts'
  // events, and over the details of the memory events. Errors: cancelled; corrupt (a file was
  // truncated meanwhile).
  static Result<MemoryEvents> Build(const Store& store, Context& context);
};

// Counts the allocations and frees that allocators recorded on host threads. Cost: where there are
// any, a pass over the labels of all events.
int64_t CountAllocatorEvents(const Store& store);

}  // namespace tfprof
