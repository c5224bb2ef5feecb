// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "emitters/table/layout.h"

namespace tfprof {

// Padding of a column's cells if lines are unbounded and nothing is cut: padding to one name of
// hundreds of letters would push all other rows apart.
class PadWidth {
 public:
  void Add(size_t width);
  // Returns the widest cell that is no wider than twice the median or the width of a screen.
  size_t Widest() const;

 private:
  std::vector<uint32_t> cells_;  // count by width
  size_t count_ = 0;
};

// Appends a cell of the column, printable and without its shared prefix.
void AppendWithoutHead(const LaidColumn& column, std::string_view text, bool utf8,
                       std::string* out);

// Makes the lines of a table, whose columns are as wide as their contents, at most `max` cells
// long. Texts first lose the prefix that all cells of a column share, then shrink to a readable
// width. If that is not enough, the bar goes, then the droppable columns (ColumnSpec::spare) from
// the right, except those that still fit. Then texts shrink to the minimum and heads of numbers to
// the width of their cells. Last, columns are dropped from the right. The widest columns shrink
// first.
void FitWidth(size_t max, Layout* layout);

}  // namespace tfprof
