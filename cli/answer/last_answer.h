// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "cli/shell/session.h"
#include "core/base/sink.h"

// Commands about the table that was shown last.

namespace tfprof {

// `last`: the same question again, all rows of it. `hist COLUMN`: how the values of one of its
// columns are spread, of all rows. `explain [COLUMN]`: what a column is, or all of its columns;
// also what -select knows. Errors: usage.
Result<int> RunLast(Session& session, const CommandLine& line, std::string_view place, Sink& out);
Result<int> RunHist(Session& session, const CommandLine& line, std::string_view place, Sink& out);
Result<int> RunExplain(Session& session, const CommandLine& line, std::string_view place,
                       Sink& out);

}  // namespace tfprof
