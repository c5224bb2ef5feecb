// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/query.h"
#include "core/report.h"
#include "views/indexes.h"

namespace tfprof {

// Cost by the lines of the program that made the graph: the frames of views/code_tree.h with their
// own and accumulated values. tables[0] "code" is a tree like that of scope: name, accounted, self
// and total of every measure; device and op_types where selected; not shown: file, line, function
// and function_line of the frame. occurrence, input_shapes and tensor_value have no columns.
// samples: the accounted nodes, each at the nearest shown row (views/code_samples.h). Error: usage,
// when the profile has no code traces.
Result<Report> Code(const StorePtr& store, const Indexes& indexes, const Query& query,
                    Context& context);

}  // namespace tfprof
