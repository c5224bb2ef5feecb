// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/shell/session.h"
#include "core/base/context.h"
#include "core/base/result.h"
#include "emitters/page/page.h"
#include "emitters/page/trace/page_trace.h"

namespace tfprof {

// Adds the trace, and what it leaves out. `trace`: null if no event of the profile has a time.
// `is_small`: the page has all of the trace, or enough room for a part; a page without a trace,
// that it is within -max-size. Else, unless `is_last`, the trace may be missing. Error: cancelled.
Result<void> AddTrace(const PageTrace* trace, bool is_last, Session& session, Page* page,
                      bool* is_small, Context& context);

}  // namespace tfprof
