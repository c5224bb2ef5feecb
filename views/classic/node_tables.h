// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/attributes.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

// The declared tables of scope, graph, op and code: names of rows, their attributes, and every
// measure, both self and total.

namespace tfprof {

const TableDef& ScopeTableDef();
const TableDef& GraphTableDef();
const TableDef& OpTableDef();
const TableDef& CodeTableDef();
// Returns the rows of op under the table name that other views use.
const TableDef& OperationsTableDef();

// Returns the original's id of a measure: "micros", "total_micros", "classic_remainder_micros".
std::string OriginalId(Measure measure, ColumnRole role);

}  // namespace tfprof
