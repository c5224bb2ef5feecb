// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "cli/shell/session.h"
#include "core/base/sink.h"

// Commands about the table that was shown last.

namespace tfprof {

// `last` repeats the last query with all rows. `hist COLUMN` shows the distribution of the values
// of a column over all rows. `explain [COLUMN]` describes one column or all columns, and the
// attributes of -select. Errors: usage.
Result<int> RunLast(Session& session, const CommandLine& line, std::string_view place, Sink& out);
Result<int> RunHist(Session& session, const CommandLine& line, std::string_view place, Sink& out);
Result<int> RunExplain(Session& session, const CommandLine& line, std::string_view place,
                       Sink& out);

}  // namespace tfprof
