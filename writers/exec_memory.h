// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/wire_writer.h"
#include "writers/exec_tables.h"

namespace tfprof {

// Rows of one node, step and lane that follow each other: ExecTables::events.row[first .. end).
struct Piece {
  LaneId lane;
  StepId step;
  uint32_t first = 0;
  uint32_t end = 0;
};

inline std::span<const uint32_t> RowsOf(const Piece& piece, const ExecTables& tables) {
  return tables.events.row.Rows(piece.first, piece.end - piece.first);
}

inline bool IsPlaced(uint32_t row, const Store& store) {
  return store.events.start_ps[row] != kNoTime;
}

// ExecProfile.memory_execs and .allocations of one node and step: what counts is the memory on the
// device that counts, or on the device without name where the node has no such one.
// The i-th memory record belongs to the i-th run that has a time, so such a run without memory has
// a record of its time alone; what belongs to no such run stands behind them.
// Allocations are those of accelerators.
void WriteMemories(NodeId node, LaneId counting, std::span<const Piece> pieces, ExecTables& tables,
                   WireWriter& out);

}  // namespace tfprof
