// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>

#include "core/report/report.h"

// Rows of tables of changes: each has a status.

namespace tfprof {

inline constexpr std::string_view kSame = "same";
inline constexpr std::string_view kChanged = "changed";
inline constexpr std::string_view kNew = "new";
inline constexpr std::string_view kGone = "gone";

// Adds the values of `rows` to a sum, in the unit of the cells; absent values count as 0.
void AddCells(const ReportColumn& column, std::span<const uint32_t> rows, double* sum);

// Removes the rows that did not change from the tables that have a status, and counts them in
// unchanged_rows and unchanged_sum. For readers: other formats keep all rows.
void HideUnchanged(Report* report);

}  // namespace tfprof
