// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/context.h"
#include "emitters/table/layout.h"

namespace tfprof {

// Cells are cut in the middle (AppendCut), where long names of kernels often differ. This is how
// those rows of a column are cut instead that would look alike and are not: around the places where
// they differ.
using DistinctCuts = std::unordered_map<size_t, std::string>;  // by row

// By column of `layout`, whose widths are known. Linear in the texts; none where a table has more
// rows than anybody reads. Error: cancelled.
Result<std::vector<DistinctCuts>> CutApart(const Layout& layout, Context& context);

}  // namespace tfprof
