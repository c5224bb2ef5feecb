// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "analysis/flops/device_peaks.h"
#include "analysis/ops/op_times.h"
#include "analysis/runs/program_runs.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

// Instructions as a tree: what share of a device's peaks each program, category and instruction
// used.

namespace tfprof {

struct ProfiledOps {
  std::span<const OpTime> ops;  // instructions, descending by self time
  const std::vector<ProgramRun>& runs;
  DevicePeaks peaks;
  OpAccounting accounting;
};

// -by category: categories and their instructions. -by program: programs above them. Siblings
// descend by self time.
Table OpProfileTable(const Store& store, const ProfiledOps& profiled, RowsBy by, TextPool& pool);

extern const TableDef kOpProfileTable;

}  // namespace tfprof
