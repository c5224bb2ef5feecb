// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/chunks.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <new>

#include "capture/shim/control/windows.h"
#include "capture/shim/writer.h"

namespace tfprof::capture {
namespace {

// Chunks are cut from mappings of this size, so that a thousand threads need few of them.
constexpr uint64_t kSlabBytes = uint64_t{1} << 20;
// The writer is woken after so many chunks.
constexpr uint32_t kManyChunks = 64;

// The lock guards plain memory only: nothing is called that could wait for anything else.
struct Pool {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  Chunk* free = nullptr;
  unsigned char* slab = nullptr;
  uint64_t slab_left = 0;
  uint64_t mapped = 0;
  uint32_t taken = 0;
  std::atomic<ThreadLog*> logs{nullptr};
  ThreadLog* free_logs = nullptr;
};
Pool g_pool;

thread_local ThreadLog* t_log = nullptr;

// Marks the log of a thread that ends; its key's value is the log.
pthread_key_t g_key;
pthread_once_t g_key_once = PTHREAD_ONCE_INIT;
bool g_has_key = false;

void EndThread(void* log) {
  t_log = nullptr;
  auto* ended = static_cast<ThreadLog*>(log);
  if (ended->generation != g_recorder.generation.load()) return;
  ended->ended.store(true, std::memory_order_release);
}

void MakeKey() { g_has_key = pthread_key_create(&g_key, EndThread) == 0; }

void* Map(uint64_t bytes) {
  void* made = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return made == MAP_FAILED ? nullptr : made;
}

bool MakeSlab() {
  if (g_pool.mapped + kSlabBytes > g_recorder.config.most_memory / 2) return false;
  g_pool.slab = static_cast<unsigned char*>(Map(kSlabBytes));
  g_pool.slab_left = g_pool.slab != nullptr ? kSlabBytes : 0;
  g_pool.mapped += g_pool.slab_left;
  return g_pool.slab != nullptr;
}

ThreadLog* TakeLogMemory() {
  pthread_mutex_lock(&g_pool.lock);
  ThreadLog* log = g_pool.free_logs;
  if (log != nullptr) g_pool.free_logs = log->next;
  pthread_mutex_unlock(&g_pool.lock);
  return log != nullptr ? log : static_cast<ThreadLog*>(Map(sizeof(ThreadLog)));
}

ThreadLog* MakeLog() {
  void* memory = TakeLogMemory();
  if (memory == nullptr) return nullptr;
  auto* log = new (memory) ThreadLog;
  log->thread = static_cast<uint32_t>(syscall(SYS_gettid));
  log->generation = g_recorder.generation.load();
  // It is in no ranges. With a ring it says so, since what a thread was in may have been dropped.
  log->window = HasRing(g_recorder.config) ? 0 : WindowOf(GateState());
  pthread_once(&g_key_once, MakeKey);
  if (g_has_key) pthread_setspecific(g_key, log);
  pthread_mutex_lock(&g_pool.lock);
  log->next = g_pool.logs.load(std::memory_order_relaxed);
  g_pool.logs.store(log, std::memory_order_release);
  pthread_mutex_unlock(&g_pool.lock);
  return log;
}

}  // namespace

ThreadLog* Log() {
  ThreadLog* log = t_log;
  if (log != nullptr && log->generation == g_recorder.generation.load(std::memory_order_relaxed)) {
    return log;
  }
  return t_log = MakeLog();
}

ThreadLog* FirstLog() { return g_pool.logs.load(std::memory_order_acquire); }

void FreeLog(ThreadLog* log) {
  pthread_mutex_lock(&g_pool.lock);
  ThreadLog* before = g_pool.logs.load(std::memory_order_relaxed);
  if (before == log) {
    g_pool.logs.store(log->next, std::memory_order_release);
  } else {
    while (before->next != log) before = before->next;
    before->next = log->next;
  }
  log->next = g_pool.free_logs;
  g_pool.free_logs = log;
  pthread_mutex_unlock(&g_pool.lock);
}

Chunk* TakeChunk() {
  pthread_mutex_lock(&g_pool.lock);
  Chunk* chunk = g_pool.free;
  if (chunk != nullptr) {
    g_pool.free = chunk->next.load(std::memory_order_relaxed);
  } else if (g_pool.slab_left != 0 || MakeSlab()) {
    chunk = reinterpret_cast<Chunk*>(g_pool.slab);
    g_pool.slab += kChunkBytes;
    g_pool.slab_left -= kChunkBytes;
  }
  const bool is_many = ++g_pool.taken % kManyChunks == 0;
  pthread_mutex_unlock(&g_pool.lock);
  if (is_many) WakeWriter();
  if (chunk == nullptr) return nullptr;
  chunk->next.store(nullptr, std::memory_order_relaxed);
  chunk->used.store(0, std::memory_order_relaxed);
  chunk->taken = 0;
  return chunk;
}

void ReturnChunk(Chunk* chunk) {
  pthread_mutex_lock(&g_pool.lock);
  chunk->next.store(g_pool.free, std::memory_order_relaxed);
  g_pool.free = chunk;
  pthread_mutex_unlock(&g_pool.lock);
}

Chunk* NextChunk(ThreadLog* log) {
  Chunk* chunk = TakeChunk();
  if (chunk == nullptr) return nullptr;
  auto& place = log->last != nullptr ? log->last->next : log->first;
  place.store(chunk, std::memory_order_release);
  log->last = chunk;
  return chunk;
}

void ForgetLogs() {
  pthread_mutex_init(&g_pool.lock, nullptr);
  g_pool.free = nullptr;
  g_pool.slab_left = 0;
  g_pool.mapped = 0;
  g_pool.logs.store(nullptr);
  g_pool.free_logs = nullptr;
  t_log = nullptr;
}

}  // namespace tfprof::capture
