// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/report/fold_plan.h"

namespace tfprof {

// The column of `table` by which its rows fold; null: they do not.
const ReportColumn* FoldingNames(const Table& table);

// By row of the plan the name that stands for those of all its members: layer_{0..23}/mlp. Texts
// that are new are kept in `pool`.
std::vector<std::string_view> NamesOfRows(const FoldPlan& plan, const Table& table,
                                          const ReportColumn& names, TextPool* pool);

}  // namespace tfprof
