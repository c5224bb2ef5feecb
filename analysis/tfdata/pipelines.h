// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/tfdata/iterator_calls.h"

// The input pipelines of a profile, call by call of their roots.

namespace tfprof {

// What one iterator did for one call of the root.
struct IteratorWork {
  IteratorId iterator;
  LabelId label;
  int64_t duration_ps = 0;  // of its calls, added up
  // Duration less the time in which an iterator works for it: its own work, and its waiting for
  // what other threads have not made yet. Negative where those overlap each other.
  int64_t self_ps = 0;
  // The root had to wait for it: it works for a call that blocks, and at the same time.
  bool is_blocking = false;
  int64_t calls = 0;
};

struct RootCall {
  uint32_t call = 0;                          // of IteratorCalls::calls
  Range work;                                 // of Pipelines::work, the root first
  uint32_t bottleneck = IteratorCall::kNone;  // of Pipelines::work: blocks, most self time; none: 0
};

struct Pipeline {
  HostId host;
  ProcessId process;
  IteratorId id;  // of its root
  LabelId label;
  bool is_device = false;
  Range roots;  // of Pipelines::roots
  int64_t sum_ps = 0;
  int64_t min_ps = 0;
  int64_t max_ps = 0;
  int64_t slow_calls = 0;
  uint32_t slowest = 0;  // of Pipelines::roots
};

// Calls of a root that take longer are slow: the threshold of tf.data's own guide (tensorflow.org,
// "Analyze tf.data performance with the TF Profiler").
constexpr int64_t kSlowCallPs = 50 * kPsPerUs;

struct Pipelines {
  std::vector<Pipeline> pipelines;   // by process, then first call
  std::vector<RootCall> roots;       // by pipeline, then start
  std::vector<IteratorWork> work;    // by root
  std::vector<IteratorCalls> calls;  // by ProcessId

  // An index: of all host processes. Errors: as FindIteratorCalls.
  static Result<Pipelines> Build(const Store& store, Context& context);
};

}  // namespace tfprof
