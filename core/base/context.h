// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <cstdint>

#include "core/base/result.h"

namespace tfprof {

struct Limits {
  uint64_t max_inflated_bytes = uint64_t{64} << 30;  // of one compressed file
  int max_nesting = 100;                             // of messages or text braces
  bool partial = false;  // keep what came before the first damage of a file
};

// What a load, a view or an emitter may ask of its surroundings. Whoever works long calls Poll
// every kRowsPerPoll rows: it is the only way to be cancelled.
struct Context {
  const std::atomic<bool>* stop = nullptr;  // set by a signal handler; null: never
  std::atomic<uint64_t> done_bytes{0};      // for a progress bar; relaxed
  std::atomic<uint64_t> total_bytes{0};
  int64_t polls_until_cancel = -1;  // tests cancel by count, never by the clock; -1: never
  Limits limits;
};

// How many rows of a loop go between two polls: few enough for Ctrl-C to be felt at once, many
// enough to cost nothing. The second is for rows that cost microseconds each.
constexpr uint32_t kRowsPerPoll = 1 << 14;
constexpr uint32_t kCostlyRowsPerPoll = 256;

inline Result<void> Poll(Context& context) {
  bool cancelled = context.stop != nullptr && context.stop->load(std::memory_order_relaxed);
  if (context.polls_until_cancel >= 0 && context.polls_until_cancel-- == 0) cancelled = true;
  if (!cancelled) return {};
  return Fail(ErrorKind::cancelled, "cancelled");
}

}  // namespace tfprof
