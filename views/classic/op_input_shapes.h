// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/nodes/accounting.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// Returns the table "input_shapes" of the op view (views/classic/op.cc): the input-shape
// combinations of the nodes in each row of the report's first table.
Table InputShapesOf(Report& report, const NodeSums& sums);
const TableDef& InputShapesTableDef();

}  // namespace tfprof
