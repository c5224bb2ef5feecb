// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/cupti/activity_buffers.h"

#include <pthread.h>
#include <sys/mman.h>

#include <atomic>
#include <cstring>
#include <new>

#include "capture/shim/recorder.h"
#include "capture/shim/writer.h"

namespace tfprof::capture {
namespace {

constexpr size_t kPage = 4096;
// The writer is woken when so many buffers wait for it.
constexpr uint32_t kManyBuffers = 8;

// The lock guards plain memory only; CUPTI's functions are never called with it.
struct Buffers {
  pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  ActivityBuffer* free = nullptr;
  uint64_t mapped = 0;
  std::atomic<ActivityBuffer*> completed{nullptr};  // the newest first
  std::atomic<uint32_t> waiting{0};
  std::atomic<uint64_t> discarded{0};
  ActivityBuffer* discard = nullptr;
};
Buffers g_buffers;

// Kernel memory is zero.
ActivityBuffer* MakeBuffer() {
  void* made = mmap(nullptr, kPage + kActivityBufferBytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return made == MAP_FAILED ? nullptr : new (made) ActivityBuffer;
}

// With the lock held.
ActivityBuffer* TakeBuffer() {
  ActivityBuffer* buffer = g_buffers.free;
  if (buffer != nullptr) {
    g_buffers.free = buffer->next;
    return buffer;
  }
  if (g_buffers.mapped + kActivityBufferBytes > g_recorder.config.most_memory / 2) return nullptr;
  g_buffers.mapped += kActivityBufferBytes;
  return MakeBuffer();
}

}  // namespace

uint8_t* ActivityBuffer::bytes() { return reinterpret_cast<uint8_t*>(this) + kPage; }

void RequestBuffer(uint8_t** buffer, size_t* bytes, size_t* most_records) {
  pthread_mutex_lock(&g_buffers.lock);
  if (g_buffers.discard == nullptr) g_buffers.discard = MakeBuffer();
  ActivityBuffer* taken = g_recorder.mode.load() == Mode::on ? TakeBuffer() : nullptr;
  if (taken == nullptr) taken = g_buffers.discard;
  pthread_mutex_unlock(&g_buffers.lock);
  *buffer = taken != nullptr ? taken->bytes() : nullptr;
  *bytes = taken != nullptr ? kActivityBufferBytes : 0;
  *most_records = 0;  // as many as fit
}

void CompleteBuffer(void*, uint32_t, uint8_t* bytes, size_t, size_t valid_bytes) {
  if (bytes == nullptr) return;
  auto* buffer = reinterpret_cast<ActivityBuffer*>(bytes - kPage);
  if (buffer == g_buffers.discard) {
    g_buffers.discarded.fetch_add(valid_bytes, std::memory_order_relaxed);
    return;
  }
  buffer->valid_bytes = valid_bytes;
  buffer->next = g_buffers.completed.load(std::memory_order_relaxed);
  while (!g_buffers.completed.compare_exchange_weak(buffer->next, buffer, std::memory_order_release,
                                                    std::memory_order_relaxed)) {
  }
  if (g_buffers.waiting.fetch_add(1, std::memory_order_relaxed) + 1 == kManyBuffers) WakeWriter();
}

ActivityBuffer* TakeCompletedBuffers() {
  g_buffers.waiting.store(0, std::memory_order_relaxed);
  ActivityBuffer* newest = g_buffers.completed.exchange(nullptr, std::memory_order_acquire);
  ActivityBuffer* oldest = nullptr;
  while (newest != nullptr) {
    ActivityBuffer* next = newest->next;
    newest->next = oldest;
    oldest = newest;
    newest = next;
  }
  return oldest;
}

void ReuseBuffer(ActivityBuffer* buffer) {
  std::memset(buffer->bytes(), 0, buffer->valid_bytes);
  pthread_mutex_lock(&g_buffers.lock);
  buffer->next = g_buffers.free;
  g_buffers.free = buffer;
  pthread_mutex_unlock(&g_buffers.lock);
}

uint64_t DiscardedBytes() { return g_buffers.discarded.load(std::memory_order_relaxed); }

void ForgetBuffers() {
  pthread_mutex_init(&g_buffers.lock, nullptr);
  g_buffers.free = nullptr;
  g_buffers.mapped = 0;
  g_buffers.completed.store(nullptr);
  g_buffers.waiting.store(0);
  g_buffers.discarded.store(0);
}

}  // namespace tfprof::capture
