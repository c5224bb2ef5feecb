// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "analysis/nodes/accounting.h"
#include "core/base/context.h"
#include "core/store/event_runs.h"
#include "core/store/store.h"

namespace tfprof {

// The executions of function calls, loops and branches contain those of their bodies. Their
// exclusive time is their own minus the union of the records on executors that lie within them: a
// record that only overlaps a call is other work. Of two calls with equal times, neither contains
// the other.
//
// Returns the contained time of the nodes that call others, in the steps in which they ran,
// ascending by node, then by step. `runs`: of the selected steps, by step. `whole_us`: as
// PlaceFilter::whole_us.
Result<std::vector<ContainedTime>> ContainedTimes(const Store& store, const NodeAccounts& accounts,
                                                  std::span<const EventRun> runs, bool whole_us,
                                                  Context& context);

// Adds up rows with the same node and step, which are adjacent.
void MergeContained(std::vector<ContainedTime>* times);

}  // namespace tfprof
