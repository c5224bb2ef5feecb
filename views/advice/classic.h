// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/indexes.h"
#include "analysis/nodes/accounting.h"
#include "core/query/query.h"
#include "core/report/report.h"

namespace tfprof {

// The facts behind the original's advice, by its rules. Each checker that ran is a boolean property
// with its name. Their facts:
// - AcceleratorUtilizationChecker: table `devices`: device, utilization.
// - ExpensiveOperationChecker: the first rows of op, scope and code by micros, with the original's
//   queries. Tables `operation_types` (self values; property total_micros is the total),
//   `graph_nodes` (ranked by totals, with self values), and, if there are code traces that branch,
//   `code` (totals; depth; possibly without rows).
// - OperationChecker: properties batch_norm_is_not_fused, nhwc_on_accelerator.
Result<Report> ClassicAdvice(const StorePtr& store, const Indexes& indexes, const Query& query,
                             Context& context);

// Utilization of a device's streams: the accelerator time of its nodes divided by the time from the
// first start to the last end of their records. Each node counts in the last step that has records
// of the node.
struct DeviceUtilization {
  LaneId lane;
  double utilization = 0;
};

// Returns accelerator devices, by name; devices without a span are left out.
Result<std::vector<DeviceUtilization>> ClassicUtilization(const Store& store,
                                                          const NodeAccounts& accounts,
                                                          Context& context);

// True if the device of that lane is an accelerator, by the original's rule.
bool IsAccelerator(const Store& store, LaneId lane);

}  // namespace tfprof
