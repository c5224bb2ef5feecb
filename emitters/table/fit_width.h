// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "emitters/table/layout.h"

namespace tfprof {

// Makes the lines of a table whose columns have the widths of their contents at most `most` cells
// long. Texts lose first what all their cells begin with (emitters/table/shared_heads.h) and are
// narrowed to a width that is easy to read. Where that is not enough the bar goes, then the columns
// that people can do without (ColumnSpec::spare), from the right, but for those that fit after all;
// then texts become as narrow as can be and heads of numbers as their cells, and at last columns
// from the right go. The widest are narrowed first.
void FitWidth(size_t most, Layout* layout);

}  // namespace tfprof
