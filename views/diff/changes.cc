// SPDX-License-Identifier: Apache-2.0
#include "views/diff/changes.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/base/sorting.h"
#include "core/report/changes.h"

namespace tfprof {
namespace {

double ZeroIfNaN(double value) { return std::isnan(value) ? 0 : value; }

// Sums that were divided differ in the last digits; an absent value equals 0.
bool Equal(double before, double after) {
  const double a = ZeroIfNaN(before), b = ZeroIfNaN(after);
  return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

std::string_view StatusOf(const SideTable::Row& before, const SideTable::Row& after) {
  return std::ranges::equal(before.values, after.values, Equal) ? kSame : kChanged;
}

}  // namespace

double Difference(double before, double after) {
  if (std::isnan(before) && std::isnan(after)) return kNoReal;
  return ZeroIfNaN(after) - ZeroIfNaN(before);
}

double RelativeTo(double before, double after) {
  if (std::isnan(before) || before == 0) return kNoReal;
  return Difference(before, after) / before;
}

std::vector<RowChange> ChangesOf(const SideTable& before, const SideTable& after) {
  std::vector<RowChange> changes;
  for (const auto& [key, row] : before.rows) {
    const auto other = after.rows.find(key);
    const SideTable::Row* now = other == after.rows.end() ? nullptr : &other->second;
    const std::string_view status = now == nullptr ? kGone : StatusOf(row, *now);
    changes.push_back({key, row.name, status, &row, now});
  }
  for (const auto& [key, row] : after.rows) {
    if (!before.rows.contains(key)) changes.push_back({key, row.name, kNew, nullptr, &row});
  }
  const auto size = [](const RowChange& change) {
    if (change.status == kSame) return -1.0;
    return std::abs(ZeroIfNaN(Difference(change.Before(0), change.After(0))));
  };
  StableSort(changes, [&](const RowChange& a, const RowChange& b) { return size(a) > size(b); });
  return changes;
}

}  // namespace tfprof
