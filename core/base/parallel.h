// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/context.h"

namespace tfprof {

// The number of threads for `bytes` of input: one for little input, else one per processor.
size_t ThreadsFor(size_t bytes);

// Calls work(task) once for every task in [0, tasks), on `threads` threads including the calling
// one. Tasks start in ascending order. Polls before each task of the calling thread. Error:
// cancelled; started tasks are complete then.
Result<void> ForEachTask(size_t tasks, size_t threads, Context& context,
                         const std::function<void(size_t task)>& work);

// As above, for work(task, context) that may fail. With several threads, each task polls a separate
// context, which a signal cancels as well. Error: that of the first task that failed.
template <class Work>
Result<void> TryEachTask(size_t tasks, size_t threads, Context& context, Work work) {
  std::vector<Result<void>> done(tasks);
  TFPROF_TRY(ForEachTask(tasks, threads, context, [&](size_t task) {
    if (threads <= 1) {
      done[task] = work(task, context);
      return;
    }
    Context own;
    own.stop = context.stop;
    own.limits = context.limits;
    done[task] = work(task, own);
  }));
  for (Result<void>& of_task : done) TFPROF_TRY(std::move(of_task));
  return {};
}

// Starts a thread that runs `work`; returns no thread if the system has reached its limit.
template <class Work>
std::thread TryThread(Work work) {
  try {
    return std::thread(std::move(work));
  } catch (const std::system_error&) {
    return {};
  }
}

}  // namespace tfprof
