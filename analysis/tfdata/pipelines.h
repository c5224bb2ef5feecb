// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/tfdata/iterator_calls.h"

// The input pipelines of a profile, per call of their roots.

namespace tfprof {

// The work of one iterator for one call of the root.
struct IteratorWork {
  IteratorId iterator;
  LabelId label;
  int64_t duration_ps = 0;  // sum over its calls
  // Duration minus the time in which an iterator works for it: its own work, and its waits for
  // other threads. Negative if the calls of those overlap.
  int64_t self_ps = 0;
  // True if the root had to wait for it: it works for a call that blocks, at the same time.
  bool is_blocking = false;
  int64_t calls = 0;
};

struct RootCall {
  uint32_t call = 0;  // in IteratorCalls::calls
  Range work;         // in Pipelines::work, the root first
  // in Pipelines::work: the blocking one with the most self time; none: 0
  uint32_t bottleneck = IteratorCall::kNone;
};

struct Pipeline {
  HostId host;
  ProcessId process;
  IteratorId id;  // of its root
  LabelId label;
  bool is_device = false;
  Range roots;  // in Pipelines::roots
  int64_t sum_ps = 0;
  int64_t min_ps = 0;
  int64_t max_ps = 0;
  int64_t slow_calls = 0;
  uint32_t slowest = 0;  // in Pipelines::roots
};

// Longer calls of a root are slow: the threshold of tf.data's own guide (tensorflow.org, "Analyze
// tf.data performance with the TF Profiler").
constexpr int64_t kSlowCallPs = 50 * kPsPerUs;

struct Pipelines {
  std::vector<Pipeline> pipelines;   // by process, then first call
  std::vector<RootCall> roots;       // by pipeline, then start
  std::vector<IteratorWork> work;    // by root
  std::vector<IteratorCalls> calls;  // by ProcessId

  // An index over all host processes. Errors: those of FindIteratorCalls.
  static Result<Pipelines> Build(const Store& store, Context& context);
};

}  // namespace tfprof
