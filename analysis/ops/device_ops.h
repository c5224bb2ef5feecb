// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "analysis/chosen_events.h"
#include "analysis/intervals/nesting.h"
#include "analysis/ops/kernels/tensor_cores.h"
#include "analysis/ops/op_times.h"
#include "analysis/programs.h"

namespace tfprof {

struct Measuring {
  const Store& store;
  const Indexes& indexes;
  OpAccounting accounting;
  const ChosenEvents& chosen;
  KeptTexts& texts;                 // owns the texts of the operations
  std::deque<XlaOp>& instructions;  // likewise
  TensorCoreNames& tensor_cores;
  Context& context;
  std::deque<OpExecutions>* executions = nullptr;  // null: not asked for

  // The executions of an operation; the first call makes the list. REQUIRES: executions.
  OpExecutions& Of(OpExecutions** list) const {
    if (*list == nullptr) *list = &executions->emplace_back();
    return **list;
  }
  bool IsExact() const { return accounting == OpAccounting::exact; }
};

// Measure the operations of one process. Error: cancelled.
Result<ProcessOps> MeasureGpu(const Measuring& measuring, ProcessId process);
Result<ProcessOps> MeasureTpu(const Measuring& measuring, ProcessId process);
Result<ProcessOps> MeasureHost(const Measuring& measuring, ProcessId process);
// Measures the instructions of compiled programs that ran on the host itself.
Result<ProcessOps> MeasureCpu(const Measuring& measuring, ProcessId process);

// Removes operations that did not run.
void KeepExecuted(std::vector<OpTime>* ops);

struct EventOp;

// Returns an operation without its times and costs.
OpTime DescribeOp(const EventOp& of, const CompiledPrograms& programs, const Measuring& measuring);

// The span from the first start to the last end.
struct SpanOfEvents {
  int64_t start_ps = kMaxPs;
  int64_t end_ps = kMinPs;
  void Add(int64_t start, int64_t duration_ps) {
    if (start == kNoTime) return;
    start_ps = std::min(start_ps, start);
    end_ps = std::max(end_ps, SaturatingAdd(start, duration_ps));
  }
  // 0: empty.
  int64_t ps() const { return end_ps < start_ps ? 0 : SpanOf(start_ps, end_ps); }
};

}  // namespace tfprof
