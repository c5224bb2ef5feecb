// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/wire_writer.h"
#include "writers/exec_tables.h"

namespace tfprof {

// Consecutive rows of one node, step and lane: ExecTables::events.row[first .. end).
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

// Writes ExecProfile.memory_execs and .allocations of one node and step. Memory is that of the
// canonical device, or of the device without a name if the node has no canonical device. The i-th
// memory record belongs to the i-th run with a time, so such a run without memory gets a record
// with only its time. Records of other runs follow. Allocations are those of accelerators.
void WriteMemories(NodeId node, LaneId counting, std::span<const Piece> pieces, ExecTables& tables,
                   WireWriter& out);

}  // namespace tfprof
