// SPDX-License-Identifier: Apache-2.0
#include "loaders/run_record.h"

#include <algorithm>

#include "core/arith.h"
#include "loaders/wire.h"

namespace tfprof {
namespace {

using wire::Fields;
using wire::kBytes;
using wire::kVarint;
using wire::Tag;

// Each function returns where its message stops to be wire format, or null. Fields of a message
// that is given twice are merged: what comes later counts.

const char* ReadAllocator(std::string_view message, RunRecord* record) {
  std::string_view name("");
  const size_t first_allocation = record->allocations.size();
  int64_t total = 0, peak = 0, live = 0, in_use = 0;
  Fields fields(message);
  while (fields.Next()) {
    switch (fields.tag()) {
      case Tag(1, kBytes):
        name = fields.Bytes();
        break;
      case Tag(2, kVarint):
        total = fields.Int64();
        break;
      case Tag(3, kVarint):
        peak = fields.Int64();
        break;
      case Tag(4, kVarint):
        live = fields.Int64();
        break;
      case Tag(5, kVarint):
        in_use = fields.Int64();
        break;
      case Tag(6, kBytes): {
        const char* bad = ReadAllocation(fields.Bytes(), &record->allocations.emplace_back());
        if (bad != nullptr) return bad;
        break;
      }
      default:
        fields.Skip();
    }
  }
  for (size_t i = first_allocation; i < record->allocations.size(); ++i) {
    record->allocations[i].allocator = name;
  }
  ExecMemory& memory = record->memory;
  memory.requested = WrapAdd(memory.requested, total);
  memory.peak = WrapAdd(memory.peak, peak);
  memory.residual = WrapAdd(memory.residual, live);
  if (name.find("GPU") != name.npos) {
    ++record->gpu_allocators;
    memory.in_use = std::max({memory.in_use, in_use, int64_t{0}});
  }
  record->has_memory = true;
  return fields.bad();
}

struct Buffer {  // an AllocationDescription
  bool described = false;
  int64_t requested = 0;
  int64_t allocated = 0;
  uint64_t address = 0;
};

const char* ReadBuffer(std::string_view message, Buffer* buffer) {
  buffer->described = true;
  Fields fields(message);
  while (fields.Next()) {
    switch (fields.tag()) {
      case Tag(1, kVarint):
        buffer->requested = fields.Int64();
        break;
      case Tag(2, kVarint):
        buffer->allocated = fields.Int64();
        break;
      case Tag(6, kVarint):
        buffer->address = fields.Varint();
        break;
      default:
        fields.Skip();
    }
  }
  return fields.bad();
}

const char* ReadTensorDescription(std::string_view message, Buffer* buffer) {
  Fields fields(message);
  while (fields.Next()) {
    if (fields.tag() != Tag(4, kBytes)) {
      fields.Skip();
      continue;
    }
    const char* bad = ReadBuffer(fields.Bytes(), buffer);
    if (bad != nullptr) return bad;
  }
  return fields.bad();
}

const char* ReadOutput(std::string_view message, RunRecord* record) {
  Buffer buffer;
  int32_t slot = 0;
  Fields fields(message);
  while (fields.Next()) {
    switch (fields.tag()) {
      case Tag(1, kVarint):
        slot = fields.Int32();
        break;
      case Tag(3, kBytes): {
        const char* bad = ReadTensorDescription(fields.Bytes(), &buffer);
        if (bad != nullptr) return bad;
        break;
      }
      default:
        fields.Skip();
    }
  }
  if (buffer.described) {
    const int64_t bytes = std::max(buffer.allocated, buffer.requested);
    record->outputs.push_back({slot, bytes, buffer.address});
    record->memory.output = WrapAdd(record->memory.output, bytes);
    record->has_memory = true;
  }
  return fields.bad();
}

const char* ReadMemoryStats(std::string_view message, RunRecord* record) {
  record->has_memory = true;
  Fields fields(message);
  while (fields.Next()) {
    switch (fields.tag()) {
      case Tag(1, kVarint):
        record->memory.temp = fields.Int64();
        break;
      case Tag(3, kVarint):
        record->memory.persistent = fields.Int64();
        break;
      default:
        fields.Skip();
    }
  }
  return fields.bad();
}

// Nothing of the record before is left, but for the capacity of its lists.
void Clear(RunRecord* record) {
  record->name = {};
  record->start_us = record->duration_us = 0;
  record->has_memory = false;
  record->gpu_allocators = 0;
  record->memory = {};
  record->outputs.clear();
  record->allocations.clear();
}

// requested and peak include temp and persistent, residual includes persistent.
void IncludeMemoryStats(ExecMemory* memory) {
  const int64_t both = WrapAdd(memory->temp, memory->persistent);
  memory->requested = WrapAdd(memory->requested, both);
  memory->peak = WrapAdd(memory->peak, both);
  memory->residual = WrapAdd(memory->residual, memory->persistent);
}

}  // namespace

const char* ReadRunRecord(std::string_view message, RunRecord* record) {
  Clear(record);
  const char* bad = nullptr;
  Fields fields(message);
  while (fields.Next()) {
    switch (fields.tag()) {
      case Tag(1, kBytes):
        record->name = fields.Bytes();
        break;
      case Tag(2, kVarint):
        record->start_us = fields.Int64();
        break;
      case Tag(4, kVarint):
        record->duration_us = fields.Int64();
        break;
      case Tag(6, kBytes):
        bad = ReadAllocator(fields.Bytes(), record);
        break;
      case Tag(7, kBytes):
        bad = ReadOutput(fields.Bytes(), record);
        break;
      case Tag(12, kBytes):
        bad = ReadMemoryStats(fields.Bytes(), record);
        break;
      default:
        fields.Skip();
    }
    if (bad != nullptr) return bad;
  }
  IncludeMemoryStats(&record->memory);
  return fields.bad();
}

}  // namespace tfprof
