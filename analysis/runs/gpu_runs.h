// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "analysis/ops/event_ops.h"
#include "core/base/column.h"
#include "core/base/context.h"
#include "core/store/store.h"

namespace tfprof {

class Indexes;

// The executions of compiled programs on one GPU, and which kernel begins an execution of its
// instruction: an instruction may launch several.
struct GpuRuns {
  static constexpr uint32_t kNone = 0xFFFFFFFFu;

  struct Execution {
    uint64_t program_id = 0;
    uint32_t call = kNoRow;  // the host event that launched it
  };

  EventOps ops;  // OpSources::all
  Range rows;    // of Store::events
  // By row - rows.first. 1: an earlier kernel began this execution of the instruction.
  Column<uint8_t> continues;
  Column<uint32_t> execution_of;  // index into executions; kNone: unknown, or of no program
  std::vector<Execution> executions;

  bool Starts(uint32_t row) const { return rows.count == 0 || !continues[row - rows.first]; }
  uint32_t ExecutionOf(uint32_t row) const {
    return rows.count == 0 ? kNone : execution_of[row - rows.first];
  }

  // An index. The evidence for an execution of an instruction, the first that exists:
  // - A fusion, and an instruction that only moves data, launch one kernel.
  // - The host event of the instruction around the launch (analysis/runs/launch_calls.h).
  // - An instruction of the entry computation runs once per execution of its program.
  // - Else its most frequent kernel counts.
  // Work of no program is not judged: every kernel begins a run. Error: cancelled.
  using Key = ProcessId;
  static constexpr size_t kKept = 64;
  static Result<GpuRuns> Build(const Indexes& indexes, ProcessId device, Context& context);
};

}  // namespace tfprof
