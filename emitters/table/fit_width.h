// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "emitters/table/layout.h"

namespace tfprof {

// Makes the lines of a table, whose columns are as wide as their contents, at most `most` cells
// long. Texts first lose the prefix that all cells of a column share
// (emitters/table/shared_heads.h), then shrink to a readable width. If that is not enough, the bar
// goes, then the droppable columns (ColumnSpec::spare) from the right, except those that still fit.
// Then texts shrink to the minimum and heads of numbers to the width of their cells. Last, columns
// are dropped from the right. The widest columns shrink first.
void FitWidth(size_t most, Layout* layout);

}  // namespace tfprof
