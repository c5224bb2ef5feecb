// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/tfdata/pipelines.h"

// Facts recorded in a trace about the work of an iterator, for advice about it.

namespace tfprof {

struct IteratorFacts {
  int64_t parallelism = kNoInt;  // max number of elements that it may process at once, as recorded
  int64_t waited_ps = 0;         // time in which at least one of the calls waited
  // Runs of Python functions (py_function, numpy_function, from_generator) in that time. A run
  // starts by waiting for the GIL, so overlapping runs need not compute at the same time.
  int64_t python_runs = 0;
  int64_t python_ps = 0;          // sum
  int64_t python_covered_ps = 0;  // time in which at least one runs
  std::string_view operation;     // type of the operation that ran during most of it; empty: none

  double PythonAtATime() const;   // NaN: none ran
  bool IsMost(int64_t ps) const;  // of the wait
  bool IsPython() const;          // Python functions ran during most of it
  bool NeverOverlap() const;      // or hardly ever
};

// Returns true for PyFunc and similar operations, which run a Python function.
bool RunsPython(std::string_view type);

// The time that a program waited: calls of root iterators of a process.
struct WaitingCalls {
  ProcessId process;
  std::vector<uint32_t> calls;  // indexes into IteratorCalls::calls
};

// Returns facts of the iterators with that name in these processes. Cost: one pass over the events
// of the processes, and one attribute of the iterators' calls. Errors: those of
// ReadColumns.
Result<IteratorFacts> FactsOf(const Store& store, const Pipelines& pipelines,
                              std::string_view iterator, std::span<const WaitingCalls> waits,
                              Context& context);

// "Python functions ran for 96.6% of the wait: 159 runs, 1.00 at a time." Empty if none ran for
// most of it.
std::string DisplayTextOf(const IteratorFacts& facts);

}  // namespace tfprof
