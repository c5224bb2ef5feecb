// SPDX-License-Identifier: Apache-2.0
#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace tfprof {

size_t ThreadsFor(size_t bytes) {
  constexpr size_t kWorthAThread = size_t{4} << 20;
  constexpr size_t kMost = 16;
  const size_t processors = std::max(1u, std::thread::hardware_concurrency());
  return std::clamp<size_t>(bytes / kWorthAThread, 1, std::min(processors, kMost));
}

Result<void> ForEachTask(size_t tasks, size_t threads, Context& context,
                         void (*work)(void* state, size_t task), void* state) {
  std::atomic<size_t> next{0};
  std::atomic<bool> stop{false};
  const auto help = [&] {
    while (!stop.load(std::memory_order_relaxed)) {
      const size_t task = next.fetch_add(1);
      if (task >= tasks) return;
      work(state, task);
    }
  };
  std::vector<std::thread> helpers;
  for (size_t i = 1; i < std::min(threads, tasks); ++i) helpers.emplace_back(help);
  Result<void> polled;
  for (size_t task = 0; polled.has_value();) {
    polled = Poll(context);
    if (!polled || (task = next.fetch_add(1)) >= tasks) break;
    work(state, task);
  }
  stop.store(!polled.has_value());
  for (std::thread& helper : helpers) helper.join();
  return polled;
}

}  // namespace tfprof
