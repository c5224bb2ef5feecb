// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/shell/session.h"
#include "core/base/context.h"
#include "core/base/result.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "views/view.h"

namespace tfprof {

// Prints what the original prints on standard output when it writes a timeline or a pprof file.
// Prints nothing in default mode. Errors: those of Report::trace_export.
Result<void> PrintWrittenAsOriginal(Session& session, const View& view, const Report& report,
                                    const Query& query, Context& context);

}  // namespace tfprof
