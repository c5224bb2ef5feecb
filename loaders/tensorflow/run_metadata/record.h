// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "loaders/tensorflow/run_metadata/allocation.h"

namespace tfprof {

// One execution of one node: the facts of a NodeExecStats. Kept from record to record for the
// capacity of its lists.
struct RunRecord {
  std::string_view name;
  int64_t start_us = 0;
  int64_t duration_us = 0;
  bool has_memory = false;  // some memory was traced, if only 0 bytes
  int gpu_allocators = 0;
  ExecMemory memory;  // all but event, time and first_output
  std::vector<OutputMemory> outputs;
  bool has_allocations = false;  // which stay in the file
};

// Null, or where `message` stops to be wire format. Sums of foreign numbers wrap.
const char* ReadRunRecord(std::string_view message, RunRecord* record);

// The allocations of a NodeExecStats, in file order.
void AllocationsOfRun(std::string_view message, std::vector<AllocationRecord>* out);

}  // namespace tfprof
