// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/attributes.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

// The declared tables of scope, graph, op and code: names of rows, their attributes, and every
// measure of the row itself and of all that counts below it.

namespace tfprof {

TableDefs ScopeTables();
TableDefs GraphTables();
TableDefs OpTables();
TableDefs CodeTables();

const TableDef& ScopeTableDef();
const TableDef& GraphTableDef();
const TableDef& OpTableDef();
const TableDef& CodeTableDef();
// The rows of op, under the name that other views give them.
const TableDef& OperationsTableDef();

// The id that a measure has in the original: "micros", "total_micros", "classic_remainder_micros".
std::string OriginalId(Measure measure, ColumnRole role);

}  // namespace tfprof
