// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "analysis/indexes.h"
#include "core/report/report.h"
#include "core/report/table_def.h"
#include "views/advice/finding.h"

// The first screen of a profile: where the wall time goes, what costs most.

namespace tfprof {

// The parts of the wall time of a step.
const TableDef& WallTableDef();
// How a view shows the parts: as its table, or as a line beside tables of its own.
enum class WallForm { table, lines };

// Adds the wall time of a step (without steps: of the capture), its parts, the idle time of the
// devices, and what the host does. False: the profile has no wall time. Errors: cancelled.
Result<bool> AddWallTime(const Store& store, const Indexes& indexes, WallForm form,
                         Context& context, Report* report);

// Adds the wall time of a profile that records its steps, with the time in which its devices are
// busy.
Result<void> AddWallOfSteps(const Store& store, const Indexes& indexes, Context& context,
                            Report* report);

// Adds the mean, least and greatest duration of a step, in ps.
void AddStepRange(int64_t mean_ps, int64_t min_ps, int64_t max_ps, Report* report);

// Returns the findings that cost most, in their order.
std::vector<Finding> ShownFindings(const std::vector<Finding>& findings);

// Adds the findings that cost most, one line each, and all findings for machines.
Result<void> AddFindings(const StorePtr& store, const Indexes& indexes, Context& context,
                         Report* report);

}  // namespace tfprof
