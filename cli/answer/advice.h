// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/query/query.h"
#include "core/report/report.h"

// Command-line checks that only `advise` and `-fail-if` need.

namespace tfprof {

std::vector<std::string_view> CheckerNames();
std::vector<std::string_view> LimitNames();  // for -fail-if: severities, then checkers

// Checks that -checker and -fail-if name existing checkers and severities, that the answer can have
// findings for each limit, and that classic text has a section for each checker. Error: usage.
Result<void> CheckAdvice(const Query& query);

// Error: limit, if diff reports an exceeded limit, or if advise has a finding whose severity is as
// bad as one in -fail-if or whose checker -fail-if names. `report` must have all its findings.
Result<void> CheckFailIf(const Report& report, const Query& query);

}  // namespace tfprof
