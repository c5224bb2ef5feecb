// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "core/store_builder.h"

namespace tfprof {

// An ExecMemory of a ProfileProto.
struct MemoryRecord {
  int64_t time_us = 0;
  ExecMemory row;  // all but event, time and first_output
  std::vector<OutputMemory> outputs;
};

// Null, or where `message` stops to be wire format.
const char* ReadMemoryRecord(std::string_view message, MemoryRecord* record);

// Nothing was used: as good as no record, which is what the run record had that it was made from.
bool IsEmpty(const MemoryRecord& record);

}  // namespace tfprof
