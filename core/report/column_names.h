// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

// Finds columns by their names: by id, or by the heading in tables.

namespace tfprof {

// The column of that id, else the first one with that heading. Null: there is none.
const ReportColumn* ColumnCalled(const Table& table, std::string_view name);

// As above, in the first table with such a column, among the tables that core/report/refine.h works
// on.
const ReportColumn* ColumnCalled(const Report& report, std::string_view name);

// As above, in declared tables; finally also without regard to case.
const ColumnDef* ColumnCalled(const TableDefs& tables, std::string_view name);

// True if -columns, -where or -order_by names the column, or -select.
bool IsRequested(const ColumnDef& def, const Display& display);

// Replaces the names in -where, -order_by and -columns by the results of `id_of`.
void NameColumns(const std::function<std::string(const std::string&)>& id_of, Display* display);

// For -ids original: resolves the names in -where, -order_by and -columns by original ids first,
// and numbers in their units.
void NameByOriginalIds(const Report& report, Display* display);

// Formats "did you mean NAME? columns: A B C" for a name that is no column of these tables.
std::string ColumnsHint(const Report& report, std::string_view name);

}  // namespace tfprof
