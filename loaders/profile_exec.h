// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <utility>
#include <vector>

#include "core/store_builder.h"
#include "loaders/map_entry.h"
#include "loaders/tally.h"

namespace tfprof {

// What the nodes of a ProfileProto executed, as rows of a store.
//
// A profile tells less than the run records it was made from: devices whose times do not count
// keep only their name, and a record without a start time leaves nothing but the presence of its
// step. Such facts become unplaced events that stand for 0 occurrences.

// One ExecProfile, read but not yet stored.
struct Exec {
  int64_t run_count = 0;
  int64_t first_start_us = 0;  // 0: none
  int64_t last_end_us = 0;
  std::vector<MapEntry<std::string_view>> cpu, accelerator;  // device -> ExecTime
  std::vector<std::string_view> devices, memories, allocations;
};

// Who executed: a node, and the device whose records count (empty: none).
struct Executor {
  NodeId node;
  LabelId label;
  std::string_view canonical_device;
};

struct ExecLoading {
  const SourceFile& file;
  StoreBuilder& store;

  // The first few devices and all steps seen, so that a device text is hashed only once.
  std::vector<std::pair<std::string_view, LaneId>> lanes;
  std::vector<std::pair<int64_t, StepId>> steps;
  size_t lane_hint = 0, step_hint = 0;
  std::vector<int64_t> lane_mark;  // by lane: the last execution that has rows there
  int64_t executions = 0;

  Exec exec;  // the current one; kept for the capacity of its lists
  Tally odd_pairs, no_time, fewer_runs, malformed_memory;
};

LaneId LaneOf(std::string_view device, ExecLoading* loading);

// Stores the ExecProfile `message` of a step. Null, or where it stops to be wire format; then
// nothing was stored.
const char* AddExec(const Executor& executor, int64_t step, std::string_view message,
                    ExecLoading* loading);

void TellAll(const ExecLoading& loading);

}  // namespace tfprof
