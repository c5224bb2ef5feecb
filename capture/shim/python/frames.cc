// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/python/frames.h"

#include <pthread.h>
#include <sys/mman.h>

#include <atomic>
#include <bit>
#include <new>

#include "capture/shim/chunks.h"
#include "capture/spool/format.h"

namespace tfprof::capture {
namespace {

// A program that makes functions per iteration must not fill the memory.
constexpr uint32_t kStackSlots = 1 << 17;
constexpr uint32_t kFrameSlots = 1 << 17;

// A stack is known by its hash alone: two of 65,000 have the same with a chance of 1 in 10^10.
struct StackSlot {
  std::atomic<uint64_t> hash{0};  // set after the ID; 0: empty
  uint32_t id = 0;
};
struct FrameSlot {
  RawFrame frame;
  uint32_t id;  // 0: empty
};

// The lock is for adding stacks, and guards plain memory only.
struct Tables {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  std::atomic<StackSlot*> stacks{nullptr};
  FrameSlot* frames = nullptr;
  uint32_t stack_count = 0;
  uint32_t frame_count = 0;
  std::atomic<uint64_t> beyond{0};
};
Tables g_tables;
ThreadLog g_definitions;  // of thread 0

void* Map(uint64_t bytes) {
  void* made = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return made == MAP_FAILED ? nullptr : made;
}

uint64_t Word(const void* pointer) { return reinterpret_cast<uintptr_t>(pointer); }

// Pointers and lines of one program differ in few bits, so that each is multiplied before it is
// mixed with others.
uint64_t HashOf(const RawFrame& frame) {
  constexpr uint64_t kMultipliers[] = {0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9,
                                       0xD6E8FEB86659FD93};
  const uint64_t place =
      uint64_t{static_cast<uint32_t>(frame.offset)} << 32 | static_cast<uint32_t>(frame.first_line);
  const uint64_t code = Word(frame.code) * kMultipliers[0] ^ std::rotr(place * kMultipliers[1], 32);
  const uint64_t text = (Word(frame.name) ^ frame.texts) * kMultipliers[2] ^
                        std::rotr(Word(frame.line_table) * kMultipliers[3], 32);
  return (code ^ code >> 29) * kMultipliers[2] ^ (text ^ text >> 31) * kMultipliers[0];
}

uint64_t HashOf(const RawStack& stack) {
  uint64_t hash = stack.count * 2 + (stack.is_cut ? 1 : 0);
  for (uint32_t i = 0; i < stack.count; ++i) {
    hash = (hash ^ HashOf(stack.frames[i])) * 0x9FB21C651E98DF25;
    hash ^= hash >> 32;
  }
  return hash | 1;
}

bool IsSame(const RawFrame& a, const RawFrame& b) {
  return a.code == b.code && a.offset == b.offset && a.name == b.name &&
         a.line_table == b.line_table && a.texts == b.texts && a.first_line == b.first_line;
}

// Returns the slot of a stack, or the empty one where it belongs.
StackSlot* Find(StackSlot* slots, uint64_t hash) {
  for (auto at = static_cast<uint32_t>(hash >> 32) % kStackSlots;; at = (at + 1) % kStackSlots) {
    const uint64_t found = slots[at].hash.load(std::memory_order_acquire);
    if (found == hash || found == 0) return &slots[at];
  }
}

FrameSlot* FindFrame(const RawFrame& frame) {
  auto at = static_cast<uint32_t>(HashOf(frame)) % kFrameSlots;
  while (g_tables.frames[at].id != 0 && !IsSame(g_tables.frames[at].frame, frame)) {
    at = (at + 1) % kFrameSlots;
  }
  return &g_tables.frames[at];
}

// Returns false if the record was dropped.
bool Define(const void* record, uint32_t bytes) {
  const uint64_t before = g_definitions.dropped.load(std::memory_order_relaxed);
  Append(&g_definitions, record, bytes);
  return g_definitions.dropped.load(std::memory_order_relaxed) == before;
}

// 0: there are too many.
uint32_t FrameId(const RawFrame& frame, DescribeFrame describe) {
  FrameSlot* slot = FindFrame(frame);
  if (slot->id != 0) return slot->id;
  if (g_tables.frame_count == kFrameSlots / 2) return 0;
  const FrameFacts facts = describe(frame);
  FrameRecord record{.file = facts.file,
                     .function = facts.function,
                     .line = facts.line,
                     .first_line = facts.first_line};
  record.head.id = g_tables.frame_count + 1;
  if (!Define(&record, sizeof record)) return 0;
  slot->frame = frame;
  slot->id = ++g_tables.frame_count;
  return slot->id;
}

// With the lock held. 0: there is no room.
uint32_t AddStack(const RawStack& stack, DescribeFrame describe) {
  if (g_tables.stack_count == kStackSlots / 2) return 0;
  struct {
    StackRecord head;
    uint32_t frames[kMostStackFrames];
  } record = {};
  for (uint32_t i = 0; i < stack.count; ++i) {
    record.frames[i] = FrameId(stack.frames[i], describe);
    if (record.frames[i] == 0) return 0;
  }
  record.head.count = stack.count;
  record.head.is_cut = stack.is_cut ? 1 : 0;
  record.head.head.id = g_tables.stack_count + 1;
  record.head.head.bytes = static_cast<uint16_t>(StackRecordBytes(stack.count));
  if (!Define(&record, record.head.head.bytes)) return 0;
  return ++g_tables.stack_count;
}

StackSlot* Slots() {
  StackSlot* slots = g_tables.stacks.load(std::memory_order_acquire);
  if (slots != nullptr) return slots;
  g_tables.frames = static_cast<FrameSlot*>(Map(kFrameSlots * sizeof(FrameSlot)));
  slots = static_cast<StackSlot*>(Map(kStackSlots * sizeof(StackSlot)));
  if (slots == nullptr || g_tables.frames == nullptr) return nullptr;
  g_tables.stacks.store(slots, std::memory_order_release);
  return slots;
}

}  // namespace

uint32_t InternStack(const RawStack& stack, DescribeFrame describe) {
  if (stack.count == 0) return 0;
  const uint64_t hash = HashOf(stack);
  StackSlot* slots = g_tables.stacks.load(std::memory_order_acquire);
  if (slots != nullptr) {
    const StackSlot* known = Find(slots, hash);
    if (known->hash.load(std::memory_order_acquire) == hash) return known->id;
  }
  pthread_mutex_lock(&g_tables.lock);
  uint32_t id = 0;
  slots = Slots();
  StackSlot* slot = slots != nullptr ? Find(slots, hash) : nullptr;
  if (slot != nullptr && slot->hash.load(std::memory_order_relaxed) == hash) {
    id = slot->id;
  } else if (slot != nullptr) {
    id = AddStack(stack, describe);
    slot->id = id;
    if (id != 0) slot->hash.store(hash, std::memory_order_release);
  }
  pthread_mutex_unlock(&g_tables.lock);
  if (id == 0) g_tables.beyond.fetch_add(1, std::memory_order_relaxed);
  return id;
}

ThreadLog* StackDefinitions() { return &g_definitions; }

uint64_t StacksBeyondCap() { return g_tables.beyond.load(std::memory_order_relaxed); }

void ForgetStacks() {
  pthread_mutex_init(&g_tables.lock, nullptr);
  g_definitions.~ThreadLog();
  new (&g_definitions) ThreadLog;
}

}  // namespace tfprof::capture
