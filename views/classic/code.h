// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"

namespace tfprof {

// Cost by source line of the program that built the graph: the frames of analysis/nodes/code_tree.h
// with self and accumulated values. tables[0] "code" is a tree like that of scope: name, accounted,
// self and total of every measure; device and op_types if selected; not shown: file, line, function
// and function_line of the frame. occurrence, input_shapes and tensor_value have no columns.
// samples: the accounted nodes, each at the nearest shown row (views/classic/code_samples.h).
// Error: usage, if the profile has no code traces.
Result<Report> Code(const StorePtr& store, const Indexes& indexes, const Query& query,
                    Context& context);

}  // namespace tfprof
