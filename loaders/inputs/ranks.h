// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "loaders/open.h"

namespace tfprof {

// Parses a list of ranks and ranges, 0,8:16. Error: usage.
Result<std::vector<RankRange>> ParseRanks(std::string_view text);

// Returns the list that ParseRanks reads.
std::string RanksText(std::span<const RankRange> ranges);

// No ranges: all ranks.
bool TakesRank(std::span<const RankRange> ranges, int64_t rank);

// Returns the rank that the name of a file has: rank3.json, train_rank-12.pt.trace.json; kNoInt:
// none.
int64_t RankInName(std::string_view path);

}  // namespace tfprof
