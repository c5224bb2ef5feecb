// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/attributes.h"

namespace tfprof {

// A small picture for terminals. The tables contain all of its data.
struct Picture {
  enum class Kind : uint8_t {
    bars,   // a line per row: its parts side by side, scaled by value
    curve,  // one line: the rows, with one part each, as heights from left to right
  };
  Kind kind = Kind::bars;
  std::string title;  // plain ASCII, short
  Unit unit = Unit::ps;
  std::vector<std::string> parts;   // their names, plain ASCII
  std::vector<std::string> labels;  // of the rows, any bytes; empty for a curve
  std::vector<int64_t> values;      // row by row, one per part; >= 0, or kNoInt: not measured
};

}  // namespace tfprof
