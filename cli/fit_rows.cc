// SPDX-License-Identifier: Apache-2.0
#include "cli/fit_rows.h"

#include <algorithm>
#include <vector>

#include "core/keep_rows.h"

namespace tfprof {
namespace {

constexpr int64_t kFewRows = 10;

}  // namespace

int64_t RowsOfEach(const Report& report, int64_t most) {
  std::vector<int64_t> rows;
  for (const Table& table : report.tables) {
    if (table.people && !FollowsFirst(table)) rows.push_back(static_cast<int64_t>(table.rows));
  }
  std::sort(rows.begin(), rows.end());
  int64_t left = most;
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto tables = static_cast<int64_t>(rows.size() - i);
    if (rows[i] * tables > left) return std::max(left / tables, std::min(kFewRows, most));
    left -= rows[i];
  }
  return most;
}

}  // namespace tfprof
