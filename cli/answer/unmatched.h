// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "cli/shell/session.h"
#include "core/report/report.h"
#include "views/view.h"

namespace tfprof {

// Explains why an answer has fewer rows than expected, for common mistakes: an expression of
// `query` that matches no whole name, or a device without events. One line each, Printable; empty:
// nothing to explain. Names are compared only if `report`, the answer to `query`, shows no row.
// Errors: those of the view.
Result<std::vector<std::string>> Unmatched(const Session& session, const View& view,
                                           const Query& query, const Report& report,
                                           Context& context);

}  // namespace tfprof
