// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "core/store/builder.h"

namespace tfprof {

// An ExecMemory of a ProfileProto.
struct MemoryRecord {
  int64_t time_us = 0;
  ExecMemory row;  // all but event, time and first_output
  std::vector<OutputMemory> outputs;
};

// Null, or where `message` stops to be wire format.
const char* ReadMemoryRecord(std::string_view message, MemoryRecord* record);

// Whether the record, read from `message`, tells of no memory: it has no number but its time. Such
// a one stands for a run without memory. A 0 that is told (as `save` does) was measured.
bool IsEmpty(const MemoryRecord& record, std::string_view message);

}  // namespace tfprof
