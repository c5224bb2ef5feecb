// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/run_metadata/record.h"

#include <algorithm>

#include "core/base/arith.h"
#include "loaders/wire/message.h"

namespace tfprof {
namespace {

using wire::Each;
using wire::Ignored;
using wire::Number;
using wire::Text;

// Each function returns where its message stops to be wire format, or null. Fields of a message
// that is given twice are merged: what comes later counts.

TFPROF_INLINE const char* ReadAllocator(std::string_view message, RunRecord* record) {
  std::string_view name("");
  int64_t total = 0, peak = 0, live = 0, in_use = 0;
  const char* bad =
      wire::ReadMessage(message, Text<1>(&name), Number<2>(&total), Number<3>(&peak),
                        Number<4>(&live), Number<5>(&in_use), Each<6>([=](std::string_view) {
                          record->has_allocations = true;
                          return nullptr;
                        }));
  ExecMemory& memory = record->memory;
  memory.requested = WrapAdd(memory.requested, total);
  memory.peak = WrapAdd(memory.peak, peak);
  memory.residual = WrapAdd(memory.residual, live);
  if (name.find("GPU") != name.npos) {
    ++record->gpu_allocators;
    memory.in_use = std::max({memory.in_use, in_use, int64_t{0}});
  }
  record->has_memory = true;
  return bad;
}

struct Buffer {  // an AllocationDescription
  bool described = false;
  int64_t requested = 0;
  int64_t allocated = 0;
  uint64_t address = 0;
};

TFPROF_INLINE const char* ReadBuffer(std::string_view message, Buffer* buffer) {
  buffer->described = true;
  return wire::ReadMessage(message, Number<1>(&buffer->requested), Number<2>(&buffer->allocated),
                           Ignored<3, wire::kBytes>(), Ignored<4, wire::kVarint>(),
                           Ignored<5, wire::kVarint>(), Number<6>(&buffer->address));
}

TFPROF_INLINE const char* ReadOutput(std::string_view message, RunRecord* record) {
  Buffer buffer;
  int32_t slot = 0;
  const char* bad = wire::ReadMessage(
      message, Number<1>(&slot), Each<3>([&](std::string_view tensor) {  // a TensorDescription
        return wire::ReadMessage(tensor, Ignored<1, wire::kVarint>(), Ignored<2, wire::kBytes>(),
                                 Each<4>([&](std::string_view description) {
                                   return ReadBuffer(description, &buffer);
                                 }));
      }));
  if (bad != nullptr || !buffer.described) return bad;
  const int64_t bytes = std::max(buffer.allocated, buffer.requested);
  record->outputs.push_back({slot, bytes, buffer.address});
  record->memory.output = WrapAdd(record->memory.output, bytes);
  record->has_memory = true;
  return bad;
}

TFPROF_INLINE const char* ReadMemoryStats(std::string_view message, RunRecord* record) {
  record->has_memory = true;
  return wire::ReadMessage(message, Number<1>(&record->memory.temp),
                           Number<3>(&record->memory.persistent));
}

// Nothing of the record before is left, but for the capacity of its lists.
void Clear(RunRecord* record) {
  record->name = {};
  record->start_us = record->duration_us = 0;
  record->has_memory = false;
  record->gpu_allocators = 0;
  record->memory = {};
  record->outputs.clear();
  record->has_allocations = false;
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
  const char* bad = wire::ReadMessage(
      message, Text<1>(&record->name), Number<2>(&record->start_us), Ignored<3, wire::kVarint>(),
      Number<4>(&record->duration_us), Ignored<5, wire::kVarint>(),
      Each<6>([=](std::string_view allocator) { return ReadAllocator(allocator, record); }),
      Each<7>([=](std::string_view output) { return ReadOutput(output, record); }),
      Ignored<8, wire::kBytes>(), Ignored<9, wire::kVarint>(), Ignored<10, wire::kVarint>(),
      Each<12>([=](std::string_view stats) { return ReadMemoryStats(stats, record); }),
      Ignored<13, wire::kVarint>(), Ignored<14, wire::kVarint>(), Ignored<15, wire::kVarint>());
  IncludeMemoryStats(&record->memory);
  return bad;
}

void AllocationsOfRun(std::string_view message, std::vector<AllocationRecord>* out) {
  const auto read_allocator = [&](std::string_view allocator) -> const char* {
    const size_t first = out->size();
    std::string_view name("");
    wire::ReadMessage(allocator, Text<1>(&name), Each<6>([&](std::string_view allocation) {
                        return ReadAllocation(allocation, &out->emplace_back());
                      }));
    for (size_t i = first; i < out->size(); ++i) (*out)[i].allocator = name;
    return nullptr;
  };
  wire::ReadMessage(message, Each<6>(read_allocator));
}

}  // namespace tfprof
