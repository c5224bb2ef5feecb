// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/context.h"
#include "core/report/report.h"
#include "core/report/table_def.h"
#include "views/diff/compared.h"
#include "views/diff/side.h"

// The rows of one side of diff in tables other than those of graph nodes.

namespace tfprof {

struct SideTable {
  struct Row {
    std::string name;
    std::vector<double> values;  // by measure, times in us; NaN: absent
  };
  std::map<std::string, Row, std::less<>> rows;  // by name and order among equal names

  double Total(size_t measure) const;  // NaN: absent in all rows
};

// Returns the declared column of a compared measure; null: the table has none. A table of single
// events or calls also has their count, `events`.
const ColumnDef* DefOf(const TableDef& table, const ComparedTable& of, std::string_view measure);
inline constexpr std::string_view kEvents = "events";

// Takes the rows of `of` from an answer. `several_hosts`: names of hosts are parts of the names.
// Values that grow with the steps are divided by `divide_by`. Empties Report::blocks.
Result<SideTable> TakeRows(Report& report, const ComparedTable& of, bool several_hosts,
                           int64_t divide_by, Context& context);

}  // namespace tfprof
