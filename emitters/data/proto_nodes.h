// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/report/report.h"
#include "proto/tfprof_output.pb.h"

// Rows of scope, graph, op and code as the messages of the original (proto/tfprof_output.proto),
// without their children. What is absent is 0, as there.

namespace tfprof {

// A row of scope or graph; `message` is overwritten.
void FillGraphNode(const Report& report, size_t row, pb::GraphNodeProto* message);

// A row of op or code with the graph nodes that it stands for, by name.
void FillMultiNode(const Report& report, size_t row, pb::MultiGraphNodeProto* message);

// The root of op, which is no row of it: the sums of all rows.
void FillOpRoot(const Report& report, pb::MultiGraphNodeProto* message);

}  // namespace tfprof
