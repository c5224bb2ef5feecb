// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/shell/session.h"
#include "core/query/query.h"
#include "core/report/report.h"

namespace tfprof {

// Adds a note where `-step 0:9` asks for steps before the first or behind the last that there is:
// its answer is that of fewer steps than somebody may think. Error: cancelled.
Result<void> NoteStepsBeyond(const Session& session, const Query& query, Report* report,
                             Context& context);

}  // namespace tfprof
