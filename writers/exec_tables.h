// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/base/context.h"
#include "core/base/wire_writer.h"
#include "core/store/event_runs.h"
#include "core/store/store.h"

namespace tfprof {

// Rows grouped by node, for formats in node order: 4 bytes per row and 4 per node.
struct NodeRows {
  Column<uint32_t> first;  // by node, plus one: start of its rows in `row`
  Column<uint32_t> row;

  std::span<const uint32_t> Of(NodeId node) const {
    return row.Rows(first[node.value], first[node.value + 1] - first[node.value]);
  }
};

// Source tables of the executions in a ProfileProto. The format has whole microseconds of wall time
// per node, by step and device. Only two kinds of devices have times, identified by name: the
// canonical device of the node, and sums of streams. Other devices keep only their name.

// Amount of lost data, for a note.
struct Amount {
  int64_t count = 0;
  int64_t cost_ps = 0;
  std::string first_place;  // a lane's name

  void Add(int64_t duration_ps, std::string_view place);
};

struct ExecLosses {
  Amount second_devices;    // records of a node on a device that is not its canonical one
  Amount silent_devices;    // records on devices without times in the format
  int64_t rounded = 0;      // records whose start or duration is not a whole number of us
  int64_t memory = 0;       // written rows of Store::exec_memory
  int64_t allocations = 0;  // written allocations
};

// The name of a lane in the file, and the meaning of its times.
struct LaneText {
  enum Kind { silent, device, accelerator };
  uint32_t text = 0;  // index in ExecTables::texts
  Kind kind = silent;
};

struct ExecTables {
  const Store& store;
  std::vector<EventRun> runs;  // by row
  NodeRows events, memory, allocations_of;
  std::vector<Allocation> allocations;
  std::vector<LaneText> lanes;
  std::vector<std::string> texts;  // of lanes, unique, ascending
  std::vector<uint32_t> declared;  // rows of Store::declared, by node and step
  int64_t moved_us = 0;  // added to all times, so that none is 0 or less, which means no time
  ExecLosses losses = {};
};

Result<ExecTables> PrepareExecs(const Store& store, Context& context);

// Returns the canonical lane of a node: the first with the form of a device. None: it has none.
LaneId CountingLane(NodeId node, const ExecTables& tables);

// Returns the wall time of a store time. Fractions of a microsecond are cut off.
int64_t Micros(int64_t ps, const ExecTables& tables);

// Null: first start and last end follow from the rows of the node and step.
const Declared* FindDeclared(NodeId node, StepId step, const ExecTables& tables);

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

// Writes ProfileNode.execs of one node. `counting` is its CountingLane.
void WriteExecs(NodeId node, LaneId counting, ExecTables& tables, WireWriter& out);

}  // namespace tfprof
