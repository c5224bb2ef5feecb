// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/report/report.h"

namespace tfprof {

// A value type of a pprof sample.
struct PprofType {
  Measure measure;
  std::string_view name;
  std::string_view unit;  // a unit that pprof can scale
  int64_t factor = 1;     // multiplies the measure's value, before the division by
  int64_t divisor = 1;
};

// Returns the types of the recorded totals in the first table; if none was recorded, the first one,
// since pprof rejects a file without types.
std::vector<PprofType> PprofTypesOf(const Report& report);

}  // namespace tfprof
