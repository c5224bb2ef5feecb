// SPDX-License-Identifier: Apache-2.0
#include "capture/shim/python/gradients.h"

#include <atomic>

#include "capture/shim/chunks.h"
#include "capture/spool/format.h"

namespace tfprof::capture {
namespace {

// Of operators that may still run backward: those of a step, and more. Later ones replace them.
constexpr uint32_t kForward = 1 << 17;

// By number of the operator: that number and 1, and its first stack.
std::atomic<uint64_t> g_forward[kForward];

// The number of the innermost range that has one; -1: none.
int64_t SequenceOf(const ThreadLog& log) {
  for (uint32_t i = log.open_count; i > 0; --i) {
    const PushPayloadRecord& range = log.open[i - 1].push;
    if (range.push.payload_type == PayloadType::sequence) {
      return static_cast<int64_t>(range.payload & INT32_MAX);
    }
  }
  return -1;
}

}  // namespace

CallStack StackOfCall(const ThreadLog& log, uint32_t own) {
  const int64_t sequence = SequenceOf(log);
  if (sequence < 0) return {own, false};
  const uint64_t key = static_cast<uint64_t>(sequence + 1) << 32;
  std::atomic<uint64_t>& slot = g_forward[sequence % kForward];
  const uint64_t known = slot.load(std::memory_order_relaxed);
  const bool is_known = known >> 32 == key >> 32;
  // Its gradient may run on the thread that asked for it, which is in other Python code then.
  if (own != 0 && !is_known) slot.store(key | own, std::memory_order_relaxed);
  if (own != 0) return {own, false};
  return is_known ? CallStack{static_cast<uint32_t>(known), true} : CallStack{};
}

}  // namespace tfprof::capture
