// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "analysis/ops/input_ops.h"
#include "core/base/arith.h"
#include "core/report/report.h"
#include "views/steps/answer.h"

// What to do about the steps of a trace, with the reason.
#include "core/report/table_def.h"

namespace tfprof {

struct NextStep {
  double share_percent = kNoReal;  // of the step time that it is about; NaN: not told
  std::string what;                // to do
  std::string reason;              // what was found, with its numbers: a sentence
  std::string command;             // which tells more; empty: none
};

// So much that how the input is made matters.
bool WaitForInput(const StepAnswer& steps);

// By share, the largest first.
std::vector<NextStep> InputAdvice(const StepAnswer& steps, const InputOps& ops);
// The same, and what else the steps tell: collectives, copies, launches, precision, a slow first
// step, hosts that the others wait for. `is_nvidia`: the devices have units for 16 bit;
// `has_host_plane`: what the host did was recorded beside them.
std::vector<NextStep> StepAdvice(const StepAnswer& steps, const InputOps& ops, bool is_nvidia,
                                 bool has_host_plane = true);

// Table advice, one row per item.
Table AdviceTable(const std::vector<NextStep>& items, TextPool* pool);

// The declaration of AdviceTable.
const TableDef& AdviceTableDef();

}  // namespace tfprof
