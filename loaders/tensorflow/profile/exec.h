// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/store/builder.h"
#include "loaders/tensorflow/run_metadata/allocation.h"
#include "loaders/wire/map_entry.h"

namespace tfprof {

// Executions of a node in one step: an ExecProfile, read but not yet stored. Reused for the
// capacity of its lists.
struct Exec {
  int64_t run_count = 0;
  int64_t first_start_us = 0;  // 0: none
  int64_t last_end_us = 0;
  // device -> ExecTime, sorted by device
  std::vector<MapEntry<std::string_view>> cpu, accelerator;
  std::vector<std::string_view> devices, memories;
  bool has_allocations = false;  // allocations stay in the file
};

// Returns null, or the place where the wire format of `message` is invalid.
const char* ReadExec(std::string_view message, Exec* exec);

// Reads the allocations of an ExecProfile, in file order.
void AllocationsOfExec(std::string_view message, std::vector<AllocationRecord>* out);

// Reads a time of an ExecTime: a Tuple of start and duration in us. Returns false if the Tuple has
// fewer numbers or is malformed.
bool ReadPair(std::string_view tuple, int64_t* start_us, int64_t* duration_us);

// An ExecMemory of a ProfileProto.
struct MemoryRecord {
  int64_t time_us = 0;
  ExecMemory row;  // all but event, time and first_output
  std::vector<OutputMemory> outputs;
};

// Returns null, or the place where the wire format of `message` is invalid.
const char* ReadMemoryRecord(std::string_view message, MemoryRecord* record);

// Returns true if the record, read from `message`, contains no number besides its time. Such a
// record marks a run without memory. An explicit 0 (as `save` writes) is a measurement.
bool IsEmpty(const MemoryRecord& record, std::string_view message);

}  // namespace tfprof
