// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/base/arith.h"
#include "core/report/report.h"
#include "views/columns/rates.h"

// Columns of op_stats on how well operations used the devices.

namespace tfprof {

// A row of a table of op_stats.
struct StatsRow {
  bool is_device = false;
  bool is_idle = false;
  FrameworkOp op;
  double share = kNoReal;        // of the self times of its side (host or device)
  double cumulative = kNoReal;   // including all rows before it
  Bound recorded = {};           // by all recorded work
  Bound bound = {};              // by the work that supports a verdict
  double memory_rate = kNoReal;  // bytes/s
};

// Adds rates, tensor-core use and bounds; host rows have none.
void AddRateColumns(const std::vector<StatsRow>& rows, Table* table);

}  // namespace tfprof
