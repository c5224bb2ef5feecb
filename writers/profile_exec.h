// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/wire_writer.h"
#include "writers/exec_tables.h"

namespace tfprof {

// Step number of executions without a step. It is not among the profile's steps.
constexpr int64_t kNoStepNumber = -1;

// Writes ProfileNode.execs of one node. `counting` is its CountingLane.
void WriteExecs(NodeId node, LaneId counting, ExecTables& tables, WireWriter& out);

}  // namespace tfprof
