// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/report.h"
#include "views/accounting.h"

namespace tfprof {

// The table "input_shapes" of the op view (views/op.h): how often the members of each row of the
// report's first table got which combination of input shapes.
Table InputShapesOf(Report& report, const NodeSums& sums);

}  // namespace tfprof
