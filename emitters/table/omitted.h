// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "emitters/table/layout.h"

namespace tfprof {

// Lines `[N others]` within a tree that -n cut. A shown row with shown children gets one after its
// subtree if the children that are not shown have 1 % of the total or more. The last line of the
// table counts all rows that are not shown.

// Returns the rows whose line follows `row`, deepest first.
std::vector<uint32_t> OmittedAfter(const Layout& layout, size_t row);

// Appends the cell of the line of `parent`: the label in the column of names, the sums of the
// omitted children in columns of role total.
void AppendOmittedCell(const Layout& layout, const LaidColumn& column, uint32_t parent,
                       std::string* out);

// Returns the indentation of the line's label.
size_t OmittedIndent(const Layout& layout, uint32_t parent);

}  // namespace tfprof
