// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <utility>
#include <vector>

#include "core/base/context.h"

namespace tfprof {

// How many threads work on `bytes` of input: one for little, else one per processor.
size_t ThreadsFor(size_t bytes);

// Calls work(task) once for every task of [0, tasks), on `threads` threads, the calling one
// among them; tasks begin in ascending order. Polls before each task that the calling thread takes.
// Error: cancelled; tasks that had begun are complete then.
Result<void> ForEachTask(size_t tasks, size_t threads, Context& context,
                         const std::function<void(size_t task)>& work);

// The same for work(task, context) that may fail. On several threads each task polls a context of
// its own, which a signal cancels as well. Error: that of the first task that failed.
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

}  // namespace tfprof
