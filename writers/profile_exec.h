// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/wire_writer.h"
#include "writers/exec_tables.h"

namespace tfprof {

// Executions of no step are written as a step of this number, which is not among the profile's.
constexpr int64_t kNoStepNumber = -1;

// ProfileNode.execs of one node; `counting` is its CountingLane.
void WriteExecs(NodeId node, LaneId counting, ExecTables& tables, WireWriter& out);

}  // namespace tfprof
