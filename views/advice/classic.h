// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"

namespace tfprof {

// The facts behind the original's advice, by its rules. A checker that was asked for is a boolean
// property of its name; what it found:
// - AcceleratorUtilizationChecker: table `devices`: device, utilization.
// - ExpensiveOperationChecker: the first rows of op, scope and code by micros, as the original asks
//   for them. Tables `operation_types` (own values; property total_micros is the whole),
//   `graph_nodes` (ranked by totals, with own values), and, where there are code traces that
//   branch, `code` (totals; depth; possibly without rows).
// - OperationChecker: properties batch_norm_is_not_fused, nhwc_on_accelerator.
Result<Report> ClassicAdvice(const StorePtr& store, const Indexes& indexes, const Query& query,
                             Context& context);

// How busy the streams of a device were: the accelerator time of its nodes / the time from the
// first start to the last end of their records, each node in the last step that it has records of.
struct DeviceUtilization {
  LaneId lane;
  double utilization = 0;
};

// Devices of accelerators, by name; those without a span are left out.
Result<std::vector<DeviceUtilization>> ClassicUtilization(const Store& store,
                                                          const NodeAccounts& accounts,
                                                          Context& context);

// Whether the device of that lane is an accelerator, by the original's rule.
bool IsAccelerator(const Store& store, LaneId lane);

}  // namespace tfprof
