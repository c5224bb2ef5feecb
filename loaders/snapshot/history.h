// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "loaders/snapshot/facts.h"

namespace tfprof::snapshot {

enum class ChangeKind : uint8_t { held_before, alloc, free, other };

// A moment of an allocator, with what is known of it then.
struct Change {
  ChangeKind kind = ChangeKind::other;
  std::string_view name;  // of the action; empty: it was held before the history
  int64_t time_us = kNoInt;
  int64_t address = kNoInt;
  int64_t bytes = kNoInt;           // as requested; of segments what was taken
  int64_t in_use_bytes = kNoInt;    // afterwards, as requested
  int64_t reserved_bytes = kNoInt;  // afterwards: of segments
  uint32_t stack = kNoStack;
};

// The history of a device's allocator, oldest first. It begins with the blocks that were held
// before: those that are freed without having been allocated in it, and those that are still held
// and were not allocated in it. So what is in use is known from the beginning, although the
// recorder keeps only the last entries. Without a history, the blocks that are held.
std::vector<Change> HistoryOf(const Facts& facts, int64_t device);

// Devices with segments or a history, ascending.
std::vector<int64_t> DevicesOf(const Facts& facts);

}  // namespace tfprof::snapshot
