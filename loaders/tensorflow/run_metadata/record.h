// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "loaders/tensorflow/run_metadata/allocation.h"

namespace tfprof {

// One execution of one node: the facts of a NodeExecStats. Reused for the capacity of its lists.
struct RunRecord {
  std::string_view name;
  std::string_view timeline_label;  // NAME = TYPE(INPUT, INPUT); empty: not recorded
  int64_t start_us = 0;
  int64_t duration_us = 0;
  int64_t start_ns = 0;  // 0: not recorded
  int64_t duration_ns = 0;
  bool has_memory = false;  // memory was traced, even if it is 0 bytes
  int gpu_allocators = 0;
  ExecMemory memory;  // all but event, time and first_output
  std::vector<OutputMemory> outputs;
  bool has_allocations = false;  // allocations stay in the file
};

// Returns null, or the place where the wire format of `message` is invalid. Sums of foreign numbers
// wrap.
const char* ReadRunRecord(std::string_view message, RunRecord* record);

// Reads the allocations of a NodeExecStats, in file order.
void AllocationsOfRun(std::string_view message, std::vector<AllocationRecord>* out);

}  // namespace tfprof
