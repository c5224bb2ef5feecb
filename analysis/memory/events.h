// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "core/base/arith.h"
#include "core/base/context.h"
#include "core/store/store.h"

// What allocators recorded: every time memory was given or taken back, and what was in use then.

namespace tfprof {

constexpr uint32_t kNoMemoryEvent = 0xFFFFFFFFu;

// One allocation or free. Numbers that it does not tell are kNoInt, texts none.
struct MemoryEvent {
  EventId event;
  int64_t time_ps = 0;
  bool frees = false;
  int64_t bytes = kNoInt;
  int64_t requested_bytes = kNoInt;
  int64_t heap_bytes = kNoInt;       // allocated, afterwards
  int64_t reserved_bytes = kNoInt;   // kept for stacks and the like, afterwards
  int64_t available_bytes = kNoInt;  // afterwards
  int64_t lifetime_peak_bytes = kNoInt;
  double fragmentation = kNoReal;
  int64_t address = kNoInt;
  int64_t group = kNoInt;  // the step it was put into
  int64_t element_type = kNoInt;
  NameId op, region, shape;  // of MemoryEvents::texts
  // Of a free its allocation, of an allocation the free that ended it: an index of
  // MemoryEvents::events, or kNoMemoryEvent.
  uint32_t partner = kNoMemoryEvent;

  // Heap and reserved; kNoInt: neither is told.
  int64_t InUseBytes() const {
    if (heap_bytes == kNoInt) return reserved_bytes;
    return reserved_bytes == kNoInt ? heap_bytes : SaturatingAdd(heap_bytes, reserved_bytes);
  }
};

struct Allocator {
  HostId host;
  NameId name;  // of MemoryEvents::texts: its own name, or the number of its device
  Range events;
};

struct MemoryEvents {
  std::vector<Allocator> allocators;  // by host, then name
  std::vector<MemoryEvent> events;    // by allocator, then time, then row
  Names texts;
  int64_t unplaced = 0;  // left out: without a time there is no order
  // Executions told allocations, not what is in use: that is added up here, in every step from 0.
  bool is_counted = false;

  std::span<const MemoryEvent> Of(const Allocator& allocator) const {
    return {events.data() + allocator.events.first, allocator.events.count};
  }
  std::string_view Text(NameId id) const { return id.some() ? texts[id] : std::string_view(); }

  // What allocators recorded on the threads of hosts, and executions of graph nodes. Frees are
  // matched to the last allocation of their address that nobody freed, and say of type, shape,
  // region and operation what that says. Costs one pass over the labels of the hosts' events, and
  // what the memory events themselves say. Errors: cancelled; corrupt (a file became shorter
  // meanwhile).
  static Result<MemoryEvents> Build(const Store& store, Context& context);
};

// Allocations and frees that allocators recorded on the threads of hosts. Costs a look at the
// labels of each event where there are any.
int64_t CountAllocatorEvents(const Store& store);

}  // namespace tfprof
