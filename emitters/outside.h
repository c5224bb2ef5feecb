// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "core/report/report.h"

// What a report's whole has and no row of its first table tells: outputs whose parts must add up
// write it, too. 0 where there is none of it, also where the measure was not recorded.

namespace tfprof {

// Of a list: its whole without its rows. The first row of a tree is its whole already.
int64_t OutsideRows(const Report& report, std::string_view measure_id);

// What counts for nodes without a code trace: property untraced_<measure>.
int64_t Untraced(const Report& report, std::string_view measure_id);

constexpr std::string_view kNotShown = "[not shown]";
constexpr std::string_view kUntraced = "[untraced]";

}  // namespace tfprof
