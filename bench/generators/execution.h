// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

#include "bench/generators/model.h"

// The executions of the synthetic model, the same in both formats of recorded steps. An executor
// with about six threads completes a node every 3 us. Its records are in order of completion, so
// starts are nearly sorted. Streams run one kernel after another, so their starts are sorted.

namespace tfprof {

constexpr std::string_view kGpu = "/job:localhost/replica:0/task:0/device:GPU:0";
constexpr std::string_view kCpu = "/job:localhost/replica:0/task:0/device:CPU:0";
constexpr std::string_view kAllStreams = "/device:GPU:0/stream:all";
constexpr std::string_view kOneStream = "/device:GPU:0/stream:14";

struct Execution {
  int64_t start_us;
  int64_t duration_us;
  int64_t waited_us;  // between scheduled and started
  bool has_memory;
  int64_t kernel_start_us() const { return start_us + duration_us; }
};

constexpr int64_t kFirstStartUs = 1'700'000'000'000'000;
constexpr int64_t kUsPerCompletion = 3;  // interval between completions of the executor

// The execution of the node that completes as the k-th in a step with `nodes` nodes.
inline Execution ExecutionOf(int64_t node, int64_t k, int64_t nodes, int64_t step) {
  const uint64_t r = Mix(static_cast<uint64_t>(step) + 100, static_cast<uint64_t>(node));
  const int64_t spread = r % 32 == 0 ? 400 : 24;  // most are short
  Execution run;
  run.duration_us = static_cast<int64_t>((r >> 8) % static_cast<uint64_t>(spread));
  const int64_t step_start = kFirstStartUs + step * (nodes * kUsPerCompletion + 10'000);
  run.start_us = step_start + 1'000 + k * kUsPerCompletion - run.duration_us;
  run.waited_us = static_cast<int64_t>((r >> 24) % 20);
  run.has_memory = (r >> 32) % 10 != 0 && NodeOfModel(node).type != "VariableV2";
  return run;
}

}  // namespace tfprof
