// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/context.h"
#include "emitters/table/layout.h"

namespace tfprof {

// Replacement cuts for cells that would look alike but differ. AppendCut cuts cells in the middle,
// where long kernel names often differ; these cells are cut around their differences instead.
using DistinctCuts = std::unordered_map<size_t, std::string>;  // by row

// Returns the cuts by column of `layout`. REQUIRES: column widths are set. Linear in the texts; no
// cuts if a table has more than kMostRows rows. Error: cancelled.
Result<std::vector<DistinctCuts>> CutApart(const Layout& layout, Context& context);

}  // namespace tfprof
