// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/run_metadata/record.h"

#include <algorithm>

#include "core/base/arith.h"
#include "loaders/wire/message.h"
#include "proto/step_stats_fields.h"

namespace tfprof {
namespace {

using wire::Each;
using wire::Ignored;
using wire::Number;
using wire::Text;

// Each function returns null, or the place where the wire format of its message is invalid. A field
// that occurs twice is merged: later values count.

TFPROF_INLINE const char* ReadAllocator(std::string_view message, RunRecord* record) {
  std::string_view name("");
  int64_t total = 0, peak = 0, live = 0, in_use = 0;
  const char* bad =
      wire::ReadMessage(message, Text<field::AllocatorMemoryUsed::allocator_name>(&name),
                        Number<field::AllocatorMemoryUsed::total_bytes>(&total),
                        Number<field::AllocatorMemoryUsed::peak_bytes>(&peak),
                        Number<field::AllocatorMemoryUsed::live_bytes>(&live),
                        Number<field::AllocatorMemoryUsed::allocator_bytes_in_use>(&in_use),
                        Each<field::AllocatorMemoryUsed::allocation_records>([=](std::string_view) {
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
  return wire::ReadMessage(
      message, Number<field::AllocationDescription::requested_bytes>(&buffer->requested),
      Number<field::AllocationDescription::allocated_bytes>(&buffer->allocated),
      Ignored<field::AllocationDescription::allocator_name, wire::kBytes>(),
      Ignored<field::AllocationDescription::allocation_id, wire::kVarint>(),
      Ignored<field::AllocationDescription::has_single_reference, wire::kVarint>(),
      Number<field::AllocationDescription::ptr>(&buffer->address));
}

TFPROF_INLINE const char* ReadOutput(std::string_view message, RunRecord* record) {
  Buffer buffer;
  int32_t slot = 0;
  const char* bad =
      wire::ReadMessage(message, Number<field::NodeOutput::slot>(&slot),
                        Each<field::NodeOutput::tensor_description>(
                            [&](std::string_view tensor) {  // a TensorDescription
                              return wire::ReadMessage(
                                  tensor, Ignored<field::TensorDescription::dtype, wire::kVarint>(),
                                  Ignored<field::TensorDescription::shape, wire::kBytes>(),
                                  Each<field::TensorDescription::allocation_description>(
                                      [&](std::string_view description) {
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
  return wire::ReadMessage(
      message, Number<field::MemoryStats::temp_memory_size>(&record->memory.temp),
      Number<field::MemoryStats::persistent_memory_size>(&record->memory.persistent));
}

// Clears the previous record but keeps the capacity of its lists.
void Clear(RunRecord* record) {
  record->name = {};
  record->start_us = record->duration_us = 0;
  record->has_memory = false;
  record->gpu_allocators = 0;
  record->memory = {};
  record->outputs.clear();
  record->has_allocations = false;
}

// requested and peak include temp and persistent; residual includes persistent.
void IncludeMemoryStats(ExecMemory* memory) {
  const int64_t both = WrapAdd(memory->temp, memory->persistent);
  memory->requested = WrapAdd(memory->requested, both);
  memory->peak = WrapAdd(memory->peak, both);
  memory->residual = WrapAdd(memory->residual, memory->persistent);
}

}  // namespace

const char* ReadRunRecord(std::string_view message, RunRecord* record) {
  Clear(record);
  const char* bad =
      wire::ReadMessage(message, Text<field::NodeExecStats::node_name>(&record->name),
                        Number<field::NodeExecStats::all_start_micros>(&record->start_us),
                        Ignored<field::NodeExecStats::op_start_rel_micros, wire::kVarint>(),
                        Number<field::NodeExecStats::op_end_rel_micros>(&record->duration_us),
                        Ignored<field::NodeExecStats::all_end_rel_micros, wire::kVarint>(),
                        Each<field::NodeExecStats::memory>([=](std::string_view allocator) {
                          return ReadAllocator(allocator, record);
                        }),
                        Each<field::NodeExecStats::output>(
                            [=](std::string_view output) { return ReadOutput(output, record); }),
                        Ignored<field::NodeExecStats::timeline_label, wire::kBytes>(),
                        Ignored<field::NodeExecStats::scheduled_micros, wire::kVarint>(),
                        Ignored<field::NodeExecStats::thread_id, wire::kVarint>(),
                        Each<field::NodeExecStats::memory_stats>(
                            [=](std::string_view stats) { return ReadMemoryStats(stats, record); }),
                        Ignored<field::NodeExecStats::all_start_nanos, wire::kVarint>(),
                        Ignored<field::NodeExecStats::op_start_rel_nanos, wire::kVarint>(),
                        Ignored<field::NodeExecStats::op_end_rel_nanos, wire::kVarint>());
  IncludeMemoryStats(&record->memory);
  return bad;
}

void AllocationsOfRun(std::string_view message, std::vector<AllocationRecord>* out) {
  const auto read_allocator = [&](std::string_view allocator) -> const char* {
    const size_t first = out->size();
    std::string_view name("");
    wire::ReadMessage(
        allocator, Text<field::AllocatorMemoryUsed::allocator_name>(&name),
        Each<field::AllocatorMemoryUsed::allocation_records>([&](std::string_view allocation) {
          return ReadAllocation(allocation, &out->emplace_back());
        }));
    for (size_t i = first; i < out->size(); ++i) (*out)[i].allocator = name;
    return nullptr;
  };
  wire::ReadMessage(message, Each<field::NodeExecStats::memory>(read_allocator));
}

}  // namespace tfprof
