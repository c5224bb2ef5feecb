// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace tfprof {

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
