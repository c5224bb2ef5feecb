// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/base/arith.h"
#include "core/base/ids.h"
#include "loaders/snapshot/pickle.h"

// What a snapshot says, whichever version of PyTorch wrote it. Texts are in the file.

namespace tfprof::snapshot {

constexpr uint32_t kNoStack = 0xFFFFFFFFu;

struct StackFrame {
  std::string_view file;
  std::string_view function;
  int64_t line = 0;
};

// A memory block of a segment. Free ones have no stack.
struct Block {
  int64_t address = kNoInt;
  int64_t bytes = kNoInt;
  int64_t requested_bytes = kNoInt;
  bool is_active = false;  // allocated, or freed while a stream may still use it
  uint32_t stack = kNoStack;
};

// Memory that the allocator took from the device.
struct Segment {
  int64_t device = 0;
  int64_t address = kNoInt;
  int64_t bytes = 0;
  int64_t stream = 0;
  std::string_view pool;  // "small", "large"; empty: not recorded
  std::vector<Block> blocks;
};

enum class Action : uint8_t {
  alloc,
  free_requested,
  free_completed,
  segment_alloc,
  segment_free,
  segment_map,
  segment_unmap,
  oom,
  snapshot,
  other,
};

struct Entry {
  Action action = Action::other;
  std::string_view name;  // of the action, as recorded
  int64_t address = kNoInt;
  int64_t bytes = kNoInt;  // requested; of segments what was taken
  int64_t stream = kNoInt;
  int64_t device_free = kNoInt;  // of an oom
  int64_t time_us = kNoInt;      // wall time
  uint32_t stack = kNoStack;
};

// Of a region that the program or the profiler marked.
struct Mark {
  std::string_view name;
  bool begins = false;
  int64_t device = 0;
  int64_t time_us = kNoInt;
};

struct Facts {
  std::vector<Segment> segments;
  std::vector<std::vector<Entry>> traces;  // by device, in the order of recording
  std::vector<Mark> marks;
  std::vector<StackFrame> frames;
  std::vector<Range> stacks;  // of `frames`, innermost first
  int64_t odd_entries = 0;    // that are no dicts, or have no size: left out
};

// False: the pickle is no snapshot, or refers to the same parts so often that it is none.
bool ReadFacts(const Pickle& pickle, Facts* facts);

}  // namespace tfprof::snapshot
