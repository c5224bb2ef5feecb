// SPDX-License-Identifier: Apache-2.0
// Where threads put records: each appends to chunks of its own without locks, one writer takes from
// them.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>

#include "capture/shim/recorder.h"
#include "capture/spool/format.h"

namespace tfprof::capture {

inline constexpr uint32_t kChunkBytes = 32 << 10;

// `used` is published after the bytes before it are written: whoever reads it may read those bytes.
struct Chunk {
  std::atomic<Chunk*> next{nullptr};  // set before the thread leaves this one
  std::atomic<uint32_t> used{0};
  uint32_t taken = 0;  // the writer's
  unsigned char records[kChunkBytes - 16];
};
static_assert(sizeof(Chunk) == kChunkBytes);

inline constexpr int kTrackedDomains = 64;

inline constexpr uint32_t kMostOpenRanges = 64;

// A range that a thread is in. It may have been pushed in a pause; it is written then if a window
// begins before it is popped.
struct ListedRange {
  PushPayloadRecord push;  // its time is 0 if that was in a pause
  uint8_t roles = 0;       // what its end means for windows (NameRole)
  int64_t step = 0;        // its number, if it is a step
};

// What a thread recorded and the writer has not taken yet. Owned by the thread until `ended`, then
// by the writer.
struct ThreadLog {
  Chunk* last = nullptr;  // the thread's
  std::atomic<Chunk*> first{
      nullptr};  // the writer's; set by the thread when it gets its first chunk
  ThreadLog* next = nullptr;
  std::atomic<uint64_t> dropped{0};
  std::atomic<bool> ended{false};
  bool is_busy = false;  // guards against a signal handler, or a callback, that records meanwhile
  uint32_t thread = 0;
  uint32_t generation = 0;
  // Of ranges by domain; further domains share the last.
  uint32_t depth[kTrackedDomains] = {};
  // The innermost last. Ranges inside of more than kMostOpenRanges are only counted.
  ListedRange open[kMostOpenRanges];
  uint32_t open_count = 0;
  uint32_t unlisted = 0;
  bool is_in_step = false;
  uint32_t window = 0;  // the last one in which its open ranges are known to the spool
  // Calls of the CUDA API that the thread is in.
  uint32_t call_depth = 0;
  uint32_t call_correlation = 0;
  uint64_t call_start = 0;
  // Up to where the writer takes in this round.
  Chunk* round_chunk = nullptr;
  uint32_t round_used = 0;
  bool round_ended = false;
  uint32_t written_window = 0;  // the last one in which the writer knows the thread
  // Of the thread's last texts, by their place in memory.
  static constexpr int kRecentNames = 64;
  const char* recent_place[kRecentNames] = {};
  const struct NameEntry* recent_name[kRecentNames] = {};
};

// The log of this thread; null: there is no memory.
ThreadLog* Log();

// All logs, the newest first; only the writer may follow `next`.
ThreadLog* FirstLog();
// Unlinks and frees a log that has ended and is empty.
void FreeLog(ThreadLog* log);

// A chunk, or null when the cap is reached.
Chunk* TakeChunk();
void ReturnChunk(Chunk* chunk);

// The thread's next chunk; null: records must be dropped.
Chunk* NextChunk(ThreadLog* log);

// In a child after fork: nothing of the parent's is used again.
void ForgetLogs();

// Appends one record, 9 ns; counts it as dropped where there is no room.
inline void Append(ThreadLog* log, const void* record, uint32_t bytes) {
  if (log->is_busy) {
    log->dropped.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  log->is_busy = true;
  std::atomic_signal_fence(std::memory_order_seq_cst);
  Chunk* chunk = log->last;
  uint32_t used = chunk != nullptr ? chunk->used.load(std::memory_order_relaxed) : 0;
  if (chunk == nullptr || used + bytes > sizeof chunk->records) {
    chunk = NextChunk(log);
    used = 0;
  }
  if (chunk != nullptr) {
    std::memcpy(chunk->records + used, record, bytes);
    chunk->used.store(used + bytes, std::memory_order_release);
  } else {
    log->dropped.fetch_add(1, std::memory_order_relaxed);
  }
  std::atomic_signal_fence(std::memory_order_seq_cst);
  log->is_busy = false;
}

template <class Record>
void Append(ThreadLog* log, const Record& record) {
  static_assert(sizeof record % 8 == 0);
  Append(log, &record, sizeof record);
}

}  // namespace tfprof::capture
