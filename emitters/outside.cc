// SPDX-License-Identifier: Apache-2.0
#include "emitters/outside.h"

#include "core/base/arith.h"
#include "emitters/cells.h"

namespace tfprof {

int64_t OutsideRows(const Report& report, std::string_view measure_id) {
  const Table& table = report.tables[0];
  const ReportColumn* totals = table.Find("total_" + std::string(measure_id));
  int64_t left = WholeOf(report, measure_id);
  if (table.tree || totals == nullptr || left == kNoInt) return 0;
  for (size_t row = 0; row < table.rows; ++row) {
    const int64_t total = totals->Integer(row);
    if (total != kNoInt) left = WrapAdd(left, -total);
  }
  return left;
}

int64_t Untraced(const Report& report, std::string_view measure_id) {
  const Property* untraced = report.Find("untraced_" + std::string(measure_id));
  return untraced != nullptr && untraced->integer != kNoInt ? untraced->integer : 0;
}

}  // namespace tfprof
