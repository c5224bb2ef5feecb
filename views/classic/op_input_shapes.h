// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/nodes/accounting.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// The table "input_shapes" of the op view (views/classic/op.h): how often the members of each row
// of the report's first table got which combination of input shapes.
Table InputShapesOf(Report& report, const NodeSums& sums);
const TableDef& InputShapesTableDef();

}  // namespace tfprof
