// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "core/report/report.h"

// Parts of a report's total that no row of its first table covers. Outputs whose parts must add up
// write them, too. Both functions return 0 if there is no such part or the measure was not
// recorded.

namespace tfprof {

// In a list: the total minus its rows. The first row of a tree is the total already.
int64_t OutsideRows(const Report& report, std::string_view measure_id);

// Returns the value of nodes without a code trace: property untraced_<measure>.
int64_t Untraced(const Report& report, std::string_view measure_id);

constexpr std::string_view kNotShown = "[not shown]";
constexpr std::string_view kUntraced = "[untraced]";

}  // namespace tfprof
