// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

// Columns as people name them: by the id that programs know, or by the heading that stands above.

namespace tfprof {

// The column of that id, else the first with that heading. Null: there is none.
const ReportColumn* ColumnCalled(const Table& table, std::string_view name);

// The same of the first table that has one, of those that core/report/refine.h works on.
const ReportColumn* ColumnCalled(const Report& report, std::string_view name);

// The same of declared tables; at last in any case of letters.
const ColumnDef* ColumnCalled(TableDefs tables, std::string_view name);

// Puts what `id_of` makes of them in place of the names in -where, -order_by and -columns.
void NameColumns(const std::function<std::string(const std::string&)>& id_of, Display* display);

// With -ids original: the names in -where, -order_by and -columns by the former ids first, and
// numbers in their units.
void NameByOriginalIds(const Report& report, Display* display);

// "did you mean NAME? columns: A B C" for a name that no column of those tables has.
std::string ColumnsHint(const Report& report, std::string_view name);

}  // namespace tfprof
