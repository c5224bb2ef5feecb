// SPDX-License-Identifier: Apache-2.0
#include "core/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace tfprof {
namespace {

// The tasks, which several threads take one by one until one of them throws.
struct Tasks {
  const size_t count;
  std::atomic<size_t> next{0};
  std::atomic<bool> stop{false};
  std::mutex lock;
  std::exception_ptr thrown;  // the first exception: the calling thread rethrows it

  void Stop(std::exception_ptr exception) {
    const std::lock_guard<std::mutex> guard(lock);
    if (thrown == nullptr) thrown = std::move(exception);
    stop = true;
  }
};

// Runs tasks until none is left, `poll` fails or a task throws.
template <class Work, class PollFirst>
void TakeTasks(Tasks* tasks, const Work& work, PollFirst poll) {
  try {
    while (!tasks->stop.load(std::memory_order_relaxed) && poll()) {
      const size_t task = tasks->next.fetch_add(1);
      if (task >= tasks->count) return;
      work(task);
    }
  } catch (...) {
    tasks->Stop(std::current_exception());
  }
}

}  // namespace

size_t ThreadsFor(size_t bytes) {
  constexpr size_t kMinBytesPerThread = size_t{4} << 20;
  constexpr size_t kMaxThreads = 16;
  const size_t processors = std::max(1u, std::thread::hardware_concurrency());
  return std::clamp<size_t>(bytes / kMinBytesPerThread, 1, std::min(processors, kMaxThreads));
}

Result<void> ForEachTask(size_t tasks, size_t threads, Context& context,
                         const std::function<void(size_t task)>& work) {
  Tasks taken{.count = tasks};
  std::vector<std::thread> helpers;
  helpers.reserve(std::min(threads, tasks));
  while (helpers.size() + 1 < std::min(threads, tasks)) {
    std::thread helper = TryThread([&] { TakeTasks(&taken, work, [] { return true; }); });
    if (!helper.joinable()) break;  // the existing threads do the work
    helpers.push_back(std::move(helper));
  }
  Result<void> polled;
  TakeTasks(&taken, work, [&] { return (polled = Poll(context)).has_value(); });
  if (!polled) taken.stop = true;
  for (std::thread& helper : helpers) helper.join();
  if (taken.thrown != nullptr) std::rethrow_exception(taken.thrown);
  return polled;
}

}  // namespace tfprof
