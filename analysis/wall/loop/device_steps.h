// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "analysis/indexes.h"
#include "analysis/wall/loop/steps.h"

namespace tfprof {

// Returns the steps of a thread with the work that devices do for them: a step lasts until all that
// was launched in it has run, and the next one begins then, if not later. So steps of a host that
// is ahead of its devices are as long as those of the devices. Errors: cancelled; those of
// LaunchLinks.
Result<WallSteps> StepsWithWork(const Store& store, const Indexes& indexes,
                                std::span<const ProcessId> devices, WallSteps of_thread,
                                Context& context);

}  // namespace tfprof
