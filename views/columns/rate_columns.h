// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/base/arith.h"
#include "core/report/report.h"
#include "views/columns/rates.h"

// What op_stats tells of how well operations used the devices.

namespace tfprof {

// A row of a table of op_stats.
struct StatsRow {
  bool is_device = false;
  bool is_idle = false;
  FrameworkOp op;
  double share = kNoReal;        // of the self times of its side
  double cumulative = kNoReal;   // with all rows before it
  Bound told = {};               // by all that is told of it
  Bound bound = {};              // by what can be
  double memory_rate = kNoReal;  // bytes/s
};

// Rates, tensor cores, and what limits them; rows of hosts have none.
void AddRateColumns(const std::vector<StatsRow>& rows, Table* table);

}  // namespace tfprof
