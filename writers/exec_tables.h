// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "writers/node_rows.h"

namespace tfprof {

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
int64_t DurationMicros(int64_t ps);  // rounded; at least 1, as in the original
// Returns true if start and duration of a placed event are whole microseconds.
bool IsWhole(uint32_t row, const Store& store);

// Null: first start and last end follow from the rows of the node and step.
const Declared* FindDeclared(NodeId node, StepId step, const ExecTables& tables);

}  // namespace tfprof
