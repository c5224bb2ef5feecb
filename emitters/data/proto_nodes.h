// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/report/report.h"
#include "proto/tfprof_output.pb.h"

// Rows of scope, graph, op and code as the original's messages (proto/tfprof_output.proto), without
// their children. Absent values are 0, as in the original.

namespace tfprof {

// Fills a row of scope or graph; overwrites `message`.
void FillGraphNode(const Report& report, size_t row, pb::GraphNodeProto* message);

// Fills a row of op or code with its graph nodes, ordered by name.
void FillMultiNode(const Report& report, size_t row, pb::MultiGraphNodeProto* message);

// Fills the root of op, which is not a row: the sums of all rows.
void FillOpRoot(const Report& report, pb::MultiGraphNodeProto* message);

}  // namespace tfprof
