// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/sink.h"
#include "core/report/report.h"

namespace tfprof {

// The values of a column of numbers, ascending.
struct ColumnValues {
  std::vector<double> values;
  size_t absent = 0;  // rows without a value, in no bin
};

// automatic: log if the first linear bin would have at least half of the values.
enum class BinScale : uint8_t { automatic, linear, log };

// Appends the number of values in each bin, then min, percentiles and max. Linear bins have equal
// widths. Bounds of log bins are 1, 2 and 5 times powers of ten, for bytes powers of two; values
// that are not positive have one bin of their own. `columns`: the width of the screen; 0: there is
// none. REQUIRES: there is a value.
void AppendHistogram(const ColumnSpec& spec, const ColumnValues& found, BinScale scale,
                     size_t columns, Sink& out);

}  // namespace tfprof
