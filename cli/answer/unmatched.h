// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "cli/shell/session.h"
#include "core/report/report.h"
#include "views/view.h"

namespace tfprof {

// Why an answer has less than was hoped for, when it is a slip that is often made: an expression of
// `query` that matches no name as a whole, or a device that has no events. A line each, Printable;
// empty when there is nothing to say. The names are looked at only when `report`, the
// answer to `query`, shows none. Errors: those of the view.
Result<std::vector<std::string>> Unmatched(const Session& session, const View& view,
                                           const Query& query, const Report& report,
                                           Context& context);

}  // namespace tfprof
