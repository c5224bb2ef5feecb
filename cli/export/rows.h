// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "cli/export/writing.h"
#include "core/query/options.h"

// The commands that write the rows of an additive view (scope, graph, op, code) as stacks.

namespace tfprof {

constexpr unsigned kStackOptions = kTreeOptions | kStepOption | kSelectOptions | kPlaceOptions |
                                   kNameOptions | kWritingOptions | kViewOption;

Result<void> CheckPprof(const std::string& out, const Query& query);
Result<Written> WritePprof(const WritingJob& job);

// OUT ends in .html, .svg, .folded or .speedscope.json, with or without .gz.
Result<void> CheckFlame(const std::string& out, const Query& query);
Result<Written> WriteFlame(const WritingJob& job);

}  // namespace tfprof
