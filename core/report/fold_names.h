// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/report/fold_plan.h"

namespace tfprof {

// The column of `table` by which its rows fold; null: they do not fold.
const ReportColumn* FoldingNames(const Table& table);

// For each row of the plan, the name for all its members: layer_{0..23}/mlp. New texts are kept in
// `pool`.
std::vector<std::string_view> NamesOfRows(const FoldPlan& plan, const Table& table,
                                          const ReportColumn& names, TextPool* pool);

}  // namespace tfprof
