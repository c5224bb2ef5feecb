// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "analysis/memory/events.h"

namespace tfprof {

// When an allocator had most in use: the last of its events after which heap and reserved bytes
// are as many as ever, an index of MemoryEvents::events. kNoMemoryEvent: none tells. `asked` says
// for every event whether it counts; empty: all do.
uint32_t PeakOf(const MemoryEvents& memory, const Allocator& allocator,
                const std::vector<bool>& asked = {});

// Allocations that are alike, and alive at a peak. Texts lie in the MemoryEvents or are constants.
struct Holder {
  int64_t bytes = kNoInt;  // of one of them; kNoInt: not told
  int64_t requested_bytes = kNoInt;
  std::string_view op;  // empty: not told; so are the others
  std::string_view region;
  std::string_view element_type;
  std::string_view shape;
  int64_t occurrences = 1;
  bool is_rest = false;   // of the heap, see HoldersAtPeak
  bool is_stack = false;  // the reserved bytes

  // What people read: the operation, or what the rest and the stack are; empty: not told.
  std::string_view Name() const;
  int64_t AllBytes() const { return bytes == kNoInt ? kNoInt : WrapMul(bytes, occurrences); }
};

// What holds the memory at the peak, the largest first: the allocations of the peak's step that
// were not freed by then. The rest of the heap was allocated before that step (weights, as a
// rule) or is kept by the allocator: one row, whose `op` is "unused preallocated device memory";
// the reserved bytes are a row "stack". The rules, and these names, are those of xprof's memory
// profile (xprof/convert/xplane_to_memory_profile.cc of openxla/xprof), so that both can be
// compared:
// - an event belongs to the step that its group says, else to the one after the last that was
//   said, at the beginning 0;
// - the rest of the heap is the heap less what the step allocated, and more what it freed of that.
std::vector<Holder> HoldersAtPeak(const MemoryEvents& memory, const Allocator& allocator,
                                  uint32_t peak);

}  // namespace tfprof
