// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "cli/serve/http.h"
#include "core/base/context.h"
#include "core/base/result.h"
#include "emitters/page/trace/matches.h"
#include "emitters/page/trace/page_trace.h"

namespace tfprof {

// Returns the part of a trace that a request is about; cli/serve/site.h has its kinds. `matches`:
// of the search that it names; null: none.
Result<std::string> PartOfTrace(const PageTrace& trace, std::string_view kind,
                                const HttpRequest& request, const SpanMatches* matches,
                                Context& context);

}  // namespace tfprof
