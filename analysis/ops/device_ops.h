// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "analysis/chosen_events.h"
#include "analysis/intervals/nesting.h"
#include "analysis/ops/op_times.h"
#include "analysis/ops/tensor_cores.h"
#include "analysis/programs.h"

namespace tfprof {

struct Measuring {
  const Store& store;
  const Indexes& indexes;
  const ChosenEvents& chosen;
  KeptTexts& texts;                 // that the operations found lie in
  std::deque<XlaOp>& instructions;  // likewise
  TensorCoreNames& tensor_cores;
  Context& context;
};

// The operations of one process. Error: cancelled.
Result<ProcessOps> MeasureGpu(const Measuring& measuring, ProcessId process);
Result<ProcessOps> MeasureTpu(const Measuring& measuring, ProcessId process);
Result<ProcessOps> MeasureHost(const Measuring& measuring, ProcessId process);
// The instructions of compiled programs that ran on a host itself.
Result<ProcessOps> MeasureCpu(const Measuring& measuring, ProcessId process);

// Only the operations that ran.
void KeepRan(std::vector<OpTime>* ops);

struct EventOp;

// An operation without its times and costs.
OpTime DescribeOp(const EventOp& of, const CompiledPrograms& programs, const Measuring& measuring);

// From a first start to a last end.
struct SpanOfEvents {
  int64_t start_ps = kMaxPs;
  int64_t end_ps = kMinPs;
  void Add(int64_t start, int64_t duration_ps) {
    if (start == kNoTime) return;
    start_ps = std::min(start_ps, start);
    end_ps = std::max(end_ps, SaturatingAdd(start, duration_ps));
  }
  // 0: nothing was added.
  int64_t ps() const { return end_ps < start_ps ? 0 : SpanOf(start_ps, end_ps); }
};

}  // namespace tfprof
