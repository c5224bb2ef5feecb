// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/query/query.h"
#include "core/report/report.h"

// What advise alone asks of the command line.

namespace tfprof {

std::vector<std::string_view> CheckerNames();
std::vector<std::string_view> LimitNames();  // of -fail-if: severities, then checkers

// Whether -checker and -fail-if name what there is, the answer can have findings of each limit, and
// classic text has something of each checker. Error: usage.
Result<void> CheckAdvice(const Query& query);

// Error: limit, when diff tells a limit that is exceeded; or of advise, when a finding has a
// severity that -fail-if names, or a worse one, or comes from a checker that it names. `report`:
// with all its findings.
Result<void> CheckFailIf(const Report& report, const Query& query);

}  // namespace tfprof
