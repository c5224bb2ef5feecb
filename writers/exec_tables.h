// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "writers/node_rows.h"

namespace tfprof {

// What the executions of a ProfileProto are written from. It holds whole microseconds of wall time,
// of each node by step and device. Only two kinds of devices have times there, told by their
// names: the one that counts for the node, and sums of streams. Of others the name is kept.

// What could not be kept, for a note.
struct Amount {
  int64_t count = 0;
  int64_t cost_ps = 0;
  std::string first_place;  // a lane's name

  void Add(int64_t duration_ps, std::string_view place);
};

struct ExecLosses {
  Amount second_devices;    // records of a node on another device than the one that counts for it
  Amount silent_devices;    // records on devices that have no times in the format
  int64_t rounded = 0;      // records whose start or duration is no whole number of us
  int64_t memory = 0;       // rows of Store::exec_memory that were written
  int64_t allocations = 0;  // that were written
};

// What a lane is called in the file, and what times mean under that name.
struct LaneText {
  enum Kind { silent, device, accelerator };
  uint32_t text = 0;  // of ExecTables::texts
  Kind kind = silent;
};

struct ExecTables {
  const Store& store;
  std::vector<EventRun> runs;  // by row
  NodeRows events, memory, allocations_of;
  std::vector<Allocation> allocations;
  std::vector<LaneText> lanes;
  std::vector<std::string> texts;  // of lanes, each once, ascending
  std::vector<uint32_t> declared;  // rows of Store::declared, by node and step
  int64_t moved_us = 0;            // added to all times, so that none is 0 or less: that is none
  ExecLosses losses = {};
};

Result<ExecTables> PrepareExecs(const Store& store, Context& context);

// The lane that counts for a node: the first with the form of a device. None: it has none.
LaneId CountingLane(NodeId node, const ExecTables& tables);

// Wall time of a time of the store. A part of a microsecond is cut off.
int64_t Micros(int64_t ps, const ExecTables& tables);
int64_t DurationMicros(int64_t ps);              // rounded; at least 1, as the original counts it
bool IsWhole(uint32_t row, const Store& store);  // a placed event: both are whole microseconds

// Null: the rows of that node and step tell first start and last end themselves.
const Declared* FindDeclared(NodeId node, StepId step, const ExecTables& tables);

}  // namespace tfprof
