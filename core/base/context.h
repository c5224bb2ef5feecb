// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>

#include "core/base/result.h"

namespace tfprof {

struct Limits {
  uint64_t max_inflated_bytes = uint64_t{64} << 30;  // of one compressed file
  int max_nesting = 100;                             // of messages or text braces
  bool partial = false;  // keep the data before the first damage of a file
};

// The environment of a load, a view or an emitter. Long loops call Poll every kRowsPerPoll rows,
// which is the only way to cancel them.
struct Context {
  const std::atomic<bool>* stop = nullptr;  // set by a signal handler; null: never
  std::atomic<uint64_t> done_bytes{0};      // for a progress bar; relaxed
  std::atomic<uint64_t> total_bytes{0};
  int64_t polls_until_cancel = -1;  // tests cancel by count, not by the clock; -1: never
  Limits limits;
};

// The number of rows between two polls: few enough for Ctrl-C to take effect at once, enough for
// negligible cost. The second value is for rows that cost microseconds each.
constexpr uint32_t kRowsPerPoll = 1 << 14;
constexpr uint32_t kCostlyRowsPerPoll = 256;

inline Result<void> Poll(Context& context) {
  bool cancelled = context.stop != nullptr && context.stop->load(std::memory_order_relaxed);
  if (context.polls_until_cancel >= 0 && context.polls_until_cancel-- == 0) cancelled = true;
  if (!cancelled) return {};
  return Fail(ErrorKind::cancelled, "cancelled");
}

}  // namespace tfprof
