// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/report/report.h"

namespace tfprof {

// What a value of a pprof sample is.
struct PprofType {
  Measure measure;
  std::string_view name;
  std::string_view unit;  // one that pprof scales
  int64_t factor = 1;     // from the measure's unit, then divided by
  int64_t divisor = 1;
};

// Those of the totals that the first table shows and the profile has; if it has none of them the
// first, since pprof refuses a file without types.
std::vector<PprofType> PprofTypesOf(const Report& report);

}  // namespace tfprof
