// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/writer.h"

#include <pthread.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "capture/shim/chunks.h"
#include "capture/shim/control/ring.h"
#include "capture/shim/control/windows.h"
#include "capture/shim/cupti/activities.h"
#include "capture/shim/cupti/calls.h"
#include "capture/shim/names.h"
#include "capture/shim/nvtx/attach.h"
#include "capture/shim/process_facts.h"
#include "capture/shim/python/frames.h"
#include "capture/shim/recorder.h"
#include "capture/shim/spool_file.h"

namespace tfprof::capture {
namespace {

constexpr uint64_t kMillisecond = 1'000'000;
// What is lost at most when the process is killed.
constexpr uint64_t kRoundTime = 250 * kMillisecond;
constexpr uint64_t kFlushTime = 1000 * kMillisecond;
constexpr uint64_t kLongestFinish = 2000 * kMillisecond;

struct Fact {
  char key[32];
  char value[480];
};
constexpr uint32_t kMostFacts = 64;

// The lock guards these fields only and is never held around a call of CUPTI or a write.
struct Writer {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t wake;
  pthread_cond_t done;
  bool is_woken = false;
  bool must_finish = false;
  bool is_finished = false;
  bool is_running = false;
  Fact facts[kMostFacts];
  uint32_t fact_count = 0;
};
Writer g_writer;

// The thread's own.
SpoolFile g_spool;
const NameEntry* g_last_name = nullptr;
uint32_t g_written_facts = 0;
uint64_t g_dropped_of_ended = 0;

timespec TimeAfter(uint64_t ns) {
  const uint64_t at = MonotonicTime() + ns;
  return {static_cast<time_t>(at / 1'000'000'000), static_cast<long>(at % 1'000'000'000)};
}

void InitConditions() {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&g_writer.wake, &attributes);
  pthread_cond_init(&g_writer.done, &attributes);
  pthread_condattr_destroy(&attributes);
}

// Returns true if this is the last round. `ns`: the longest that it may wait.
bool WaitForRound(uint64_t ns) {
  const timespec until = TimeAfter(ns);
  pthread_mutex_lock(&g_writer.lock);
  while (!g_writer.is_woken && !g_writer.must_finish) {
    if (pthread_cond_timedwait(&g_writer.wake, &g_writer.lock, &until) != 0) break;
  }
  g_writer.is_woken = false;
  const bool is_last = g_writer.must_finish;
  pthread_mutex_unlock(&g_writer.lock);
  return is_last;
}

// Phase 1: up to where each thread's records are taken. Texts that those records name exist by now.
void MarkLog(ThreadLog* log) {
  log->round_ended = log->ended.load(std::memory_order_acquire);
  Chunk* chunk = log->first.load(std::memory_order_acquire);
  while (chunk != nullptr) {
    log->round_chunk = chunk;
    log->round_used = chunk->used.load(std::memory_order_acquire);
    Chunk* next = chunk->next.load(std::memory_order_acquire);
    // The thread may have filled the rest before it went on.
    if (next != nullptr) log->round_used = chunk->used.load(std::memory_order_acquire);
    chunk = next;
  }
}

void MarkRound() {
  MarkDomains();
  for (ThreadLog* log = FirstLog(); log != nullptr; log = log->next) MarkLog(log);
  MarkLog(StackDefinitions());
}

void WriteLog(ThreadLog* log) {
  Chunk* chunk = log->first.load(std::memory_order_relaxed);
  while (chunk != nullptr) {
    const bool is_last = chunk == log->round_chunk;
    const uint32_t used = is_last ? log->round_used : chunk->used.load(std::memory_order_acquire);
    if (used > chunk->taken) {
      AddRecords(&g_spool, log, chunk->records + chunk->taken, used - chunk->taken);
      chunk->taken = used;
    }
    if (is_last) break;
    Chunk* next = chunk->next.load(std::memory_order_acquire);
    log->first.store(next, std::memory_order_relaxed);
    ReturnChunk(chunk);
    chunk = next;
  }
}

// Phase 2
void WriteDefinitions() {
  const NameEntry* entry =
      g_last_name == nullptr ? FirstName() : g_last_name->next.load(std::memory_order_acquire);
  for (; entry != nullptr; entry = entry->next.load(std::memory_order_acquire)) {
    g_spool.AddText(RecordKind::name, entry->id, entry->view());
    g_last_name = entry;
  }
  pthread_mutex_lock(&g_writer.lock);
  const uint32_t count = g_writer.fact_count;
  pthread_mutex_unlock(&g_writer.lock);
  for (; g_written_facts < count; ++g_written_facts) {
    const Fact& fact = g_writer.facts[g_written_facts];
    g_spool.AddInfo(fact.key, fact.value);
  }
  WriteDomains(&g_spool);
  WriteCallNames(&g_spool);
  WriteWindows(&g_spool);
  if (StackDefinitions()->round_chunk != nullptr) WriteLog(StackDefinitions());
}

// Phase 3
void WriteLogs() {
  for (ThreadLog* log = FirstLog(); log != nullptr;) {
    ThreadLog* next = log->next;
    if (log->round_chunk != nullptr) WriteLog(log);
    log->round_chunk = nullptr;
    if (log->round_ended) {
      g_dropped_of_ended += log->dropped.load();
      if (Chunk* chunk = log->first.load(std::memory_order_relaxed)) ReturnChunk(chunk);
      FreeLog(log);
    }
    log = next;
  }
}

void AddDropped(DropReason reason, uint64_t count) {
  if (count == 0) return;
  DroppedRecord record{.count = count};
  record.head.id = static_cast<uint32_t>(reason);
  g_spool.Add(0, record);
}

void WriteCounts() {
  uint64_t dropped = g_dropped_of_ended;
  for (ThreadLog* log = FirstLog(); log != nullptr; log = log->next) {
    dropped += log->dropped.load(std::memory_order_relaxed);
  }
  AddDropped(DropReason::memory, dropped);
  AddDropped(DropReason::names, NamesBeyondCap());
  AddDropped(DropReason::stacks, StacksBeyondCap());
  const ActivityCounts activities = CountActivities();
  AddDropped(DropReason::device_memory, activities.discarded_bytes);
  AddDropped(DropReason::cupti, activities.dropped_by_cupti);
  AddDropped(DropReason::unknown_kind, activities.unknown);
}

void WriteClock() {
  g_spool.Add(
      0, ClockRecord{.realtime = WallTime(), .monotonic = MonotonicTime(), .cupti = CuptiTime()});
}

void WriteStatus() {
  const ControlStatus control = StatusOfControl();
  const RingSize ring = SizeOfRing();
  StatusRecord status{.time = WallTime(),
                      .records = g_spool.records() + ring.records,
                      .bytes = g_spool.bytes() + ring.bytes,
                      .windows = control.windows,
                      .command = control.command};
  status.head.id = control.is_open ? 1 : 0;
  g_spool.Add(0, status);
}

void StopOn(int error) {
  if (error == ENOSPC || error == EDQUOT) {
    StopRecording("recording ended: no space left", "free space, or choose a folder with -o");
  } else if (error == EFBIG) {
    StopRecording("recording ended: the spool has reached its limit", "raise it with --max-disk");
  } else if (error == EBADF) {
    StopRecording(
        "recording ended: the program closed the spool, which is gone or cannot be opened again",
        "keep the capture folder while it runs");
  } else {
    StopRecording("recording ended: the spool cannot be written", std::strerror(error));
  }
}

// What CUPTI has completed by now was launched by calls that are written first.
void DoRound(bool flush, bool is_last) {
  int error = TurnRing(g_spool);
  if (flush || is_last) FlushActivities(is_last);
  ActivityBuffer* completed = TakeCompletedBuffers();
  MarkRound();
  WriteDefinitions();
  WriteLogs();
  WriteActivities(completed, &g_spool, WriteDefinitions);
  if (flush || is_last) {
    WriteClock();
    WriteCounts();
    WriteStatus();
  }
  if (is_last) g_spool.Add(0, EndRecord{.time = WallTime()});
  // What events name is there before them.
  for (const int written : {g_spool.Flush(), FlushRing()}) {
    if (error == 0) error = written;
  }
  if (error != 0 && g_recorder.mode.load() == Mode::on) StopOn(error);
}

void* Run(void*) {
  WriteProcessFacts(&g_spool);
  WriteStatus();
  uint64_t flushed = MonotonicTime();
  bool is_last = false;
  while (!is_last) {
    const Polled polled = PollControl();
    // Who gave a command waits for the status.
    if (!polled.has_command) is_last = WaitForRound(std::min(kRoundTime, polled.next_ns));
    const bool flush = polled.has_command || MonotonicTime() - flushed >= kFlushTime;
    if (flush) flushed = MonotonicTime();
    DoRound(flush, is_last);
  }
  pthread_mutex_lock(&g_writer.lock);
  g_writer.is_finished = true;
  pthread_cond_signal(&g_writer.done);
  pthread_mutex_unlock(&g_writer.lock);
  return nullptr;
}

}  // namespace

int StartWriter(const char** what) {
  InitConditions();
  *what = "cannot create a file in the capture folder";
  const int error = g_spool.Create(g_recorder.config.folder, g_recorder.config.most_disk);
  if (error != 0) return error;
  const int ring_error = StartRing(g_spool);
  if (ring_error != 0) return ring_error;
  *what = "cannot start a thread";
  const int thread_error = StartOwnThread(Run, "tfprof-capture");
  if (thread_error == 0) g_writer.is_running = true;
  return thread_error;
}

void WriteSkipped(const char* option) {
  if (g_spool.Create(g_recorder.config.folder, g_recorder.config.most_disk) != 0) return;
  WriteProcessFacts(&g_spool);
  g_spool.AddInfo(kSkippedFact, option);
  g_spool.Add(0, EndRecord{.time = WallTime()});
  g_spool.Flush();
  g_spool.Forget();
}

void AddFact(const char* key, std::string_view value) {
  pthread_mutex_lock(&g_writer.lock);
  if (g_writer.fact_count < kMostFacts) {
    Fact& fact = g_writer.facts[g_writer.fact_count];
    std::snprintf(fact.key, sizeof fact.key, "%s", key);
    std::snprintf(fact.value, sizeof fact.value, "%.*s", static_cast<int>(value.size()),
                  value.data());
    ++g_writer.fact_count;
  }
  pthread_mutex_unlock(&g_writer.lock);
}

void WakeWriter() {
  pthread_mutex_lock(&g_writer.lock);
  g_writer.is_woken = true;
  pthread_cond_signal(&g_writer.wake);
  pthread_mutex_unlock(&g_writer.lock);
}

void FinishWriter() {
  if (!g_writer.is_running) return;
  const timespec until = TimeAfter(kLongestFinish);
  // A signal handler that ends the process may have interrupted a thread that holds the lock.
  if (!LockInTime(&g_writer.lock, kLongestFinish)) return;
  g_writer.must_finish = true;
  pthread_cond_signal(&g_writer.wake);
  while (!g_writer.is_finished) {
    if (pthread_cond_timedwait(&g_writer.done, &g_writer.lock, &until) != 0) break;
  }
  pthread_mutex_unlock(&g_writer.lock);
}

void ForgetWriter() {
  pthread_mutex_init(&g_writer.lock, nullptr);
  g_writer.is_woken = g_writer.must_finish = g_writer.is_finished = g_writer.is_running = false;
  g_writer.fact_count = 0;
  g_written_facts = 0;
  g_dropped_of_ended = 0;
  g_last_name = nullptr;
  g_spool.Forget();
  ForgetRing();
}

}  // namespace tfprof::capture
