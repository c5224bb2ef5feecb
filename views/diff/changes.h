// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "core/base/arith.h"
#include "views/diff/side_tables.h"

// Pairs of rows of both sides.

namespace tfprof {

// A row of either side or of both.
struct RowChange {
  std::string_view key, name;
  std::string_view status;                 // core/report/changes.h
  const SideTable::Row* before = nullptr;  // null: absent
  const SideTable::Row* after = nullptr;

  double Before(size_t measure) const { return ValueOf(before, measure); }
  double After(size_t measure) const { return ValueOf(after, measure); }

 private:
  static double ValueOf(const SideTable::Row* row, size_t measure) {
    return row == nullptr ? kNoReal : row->values[measure];
  }
};

// Returns the rows by the size of their change in the first measure; those without any change are
// last. They refer to the sides.
std::vector<RowChange> ChangesOf(const SideTable& before, const SideTable& after);

// Absent counts as 0; NaN: absent on both sides.
double Difference(double before, double after);
// Returns the difference as a share of the base; NaN: that is absent or 0.
double RelativeTo(double before, double after);

}  // namespace tfprof
