// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "analysis/memory/events.h"

// Moments of allocators, and what is allocated then.

namespace tfprof {

// Returns when an allocator had the most memory in use: the last event after which heap plus
// reserved bytes are at their max, as an index into MemoryEvents::events. kNoMemoryEvent: no event
// records it. `selected`: by event, whether it counts; empty: all events count.
uint32_t PeakOf(const MemoryEvents& memory, const Allocator& allocator,
                const std::vector<bool>& selected = {});

// Returns the last event of an allocator at a time or before it, likewise. Nothing is known of what
// it held before its first event.
uint32_t LastUntil(const MemoryEvents& memory, const Allocator& allocator, int64_t time_ps,
                   const std::vector<bool>& selected = {});

// The memory that the allocator can use, as its event records it, else all that its device has;
// kNoInt: unknown.
int64_t CapacityOf(const Store& store, const Allocator& allocator, const MemoryEvent& event);

// Equal allocations that are alive at a moment. Texts are in the MemoryEvents or constants.
struct Holder {
  int64_t bytes = kNoInt;  // of one allocation; kNoInt: not recorded
  int64_t requested_bytes = kNoInt;
  std::string_view op;  // empty: not recorded; likewise the others
  std::string_view region;
  std::string_view element_type;
  std::string_view shape;
  std::string_view source;  // the line of code that requested it
  int64_t occurrences = 1;
  bool is_rest = false;   // the rest of the heap, see HoldersAfter
  bool is_stack = false;  // the reserved bytes

  // The display name: the operation, or the name of the rest or of the stack; empty: not recorded.
  std::string_view Name() const;
  int64_t AllBytes() const { return bytes == kNoInt ? kNoInt : WrapMul(bytes, occurrences); }
};

// Returns the holders of memory after an event, such as the peak, largest first: the allocations of
// the event's step that were not freed by then. The rest of the heap was allocated before that step
// (weights, as a rule) or is cached by the allocator: one row, whose `op` is "unused preallocated
// device memory"; the reserved bytes are a row "stack". Rules and names follow xprof's memory
// profile (xprof/convert/xplane_to_memory_profile.cc of openxla/xprof), so that both can be
// compared:
// - an event belongs to the step that its group records, else to the step after the last recorded
//   one, initially 0;
// - the rest of the heap is the heap minus the allocations of the step, plus the older memory that
//   the step freed.
std::vector<Holder> HoldersAfter(const MemoryEvents& memory, const Allocator& allocator,
                                 uint32_t event);

}  // namespace tfprof
