// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "analysis/indexes.h"
#include "analysis/intervals/interval.h"
#include "analysis/tfdata/pipelines.h"
#include "core/base/context.h"
#include "core/store/store.h"

namespace tfprof {

// What the iterators of tf.data in one host process wait for on other threads: calls of iterators
// that work for theirs, and functions that iterators call. Those are operations on threads of
// tf.data and Python functions on any thread. A trace does not record which iterator calls a
// function: all that are waiting meanwhile wait for it.
struct IteratorWaits {
  std::vector<bool> is_iterator;  // by label of the process; empty: it has no iterators
  uint32_t first_label = 0;       // of the process
  IndexPtr<Pipelines> pipelines;
  const IteratorCalls* calls = nullptr;  // in `pipelines`, of the process
  std::vector<Interval> functions;       // when at least one of them runs, in order
  // By call, [first[i], first[i + 1]) of `workers`: when a call works for it, in order.
  std::vector<uint32_t> first;
  std::vector<Interval> workers;

  // Returns the part of the interval in which the iterator of that row waits for them; 0: the row
  // is of no iterator.
  int64_t PsWithin(const Store& store, uint32_t row, int64_t start_ps, int64_t end_ps) const;
};

// Cost: one pass over the events of a process that has iterators, and the index Pipelines. Errors:
// cancelled; corrupt (the file was truncated).
Result<IteratorWaits> FindIteratorWaits(ProcessId id, const Store& store, const Indexes& indexes,
                                        Context& context);

}  // namespace tfprof
