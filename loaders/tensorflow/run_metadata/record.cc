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
  const auto find_allocations = [=](std::string_view) {
    record->has_allocations = true;
    return nullptr;
  };
  using Of = field::AllocatorMemoryUsed;
  const char* bad = wire::ReadMessage(
      message, Text<Of::allocator_name>(&name), Number<Of::total_bytes>(&total),
      Number<Of::peak_bytes>(&peak), Number<Of::live_bytes>(&live),
      Number<Of::allocator_bytes_in_use>(&in_use), Each<Of::allocation_records>(find_allocations));
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

struct Allocated {  // an AllocationDescription
  bool described = false;
  int64_t requested = 0;
  int64_t allocated = 0;
  uint64_t address = 0;
};

TFPROF_INLINE const char* ReadBuffer(std::string_view message, Allocated* buffer) {
  using Of = field::AllocationDescription;
  buffer->described = true;
  return wire::ReadMessage(
      message, Number<Of::requested_bytes>(&buffer->requested),
      Number<Of::allocated_bytes>(&buffer->allocated), Ignored<Of::allocator_name, wire::kBytes>(),
      Ignored<Of::allocation_id, wire::kVarint>(),
      Ignored<Of::has_single_reference, wire::kVarint>(), Number<Of::ptr>(&buffer->address));
}

TFPROF_INLINE const char* ReadOutput(std::string_view message, RunRecord* record) {
  Allocated buffer;
  int32_t slot = 0;
  const auto read_buffer = [&](std::string_view description) {
    return ReadBuffer(description, &buffer);
  };
  const auto read_tensor = [&](std::string_view tensor) {
    using Of = field::TensorDescription;
    return wire::ReadMessage(tensor, Ignored<Of::dtype, wire::kVarint>(),
                             Ignored<Of::shape, wire::kBytes>(),
                             Each<Of::allocation_description>(read_buffer));
  };
  const char* bad = wire::ReadMessage(message, Number<field::NodeOutput::slot>(&slot),
                                      Each<field::NodeOutput::tensor_description>(read_tensor));
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
  record->name = record->timeline_label = {};
  record->start_us = record->duration_us = 0;
  record->start_ns = record->duration_ns = 0;
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
  using Of = field::NodeExecStats;
  const auto read_allocator = [=](std::string_view used) { return ReadAllocator(used, record); };
  const auto read_output = [=](std::string_view output) { return ReadOutput(output, record); };
  const auto read_stats = [=](std::string_view stats) { return ReadMemoryStats(stats, record); };
  const char* bad = wire::ReadMessage(
      message, Text<Of::node_name>(&record->name), Number<Of::all_start_micros>(&record->start_us),
      Ignored<Of::op_start_rel_micros, wire::kVarint>(),
      Number<Of::op_end_rel_micros>(&record->duration_us),
      Ignored<Of::all_end_rel_micros, wire::kVarint>(), Each<Of::memory>(read_allocator),
      Each<Of::output>(read_output), Text<Of::timeline_label>(&record->timeline_label),
      Ignored<Of::scheduled_micros, wire::kVarint>(), Ignored<Of::thread_id, wire::kVarint>(),
      Each<Of::memory_stats>(read_stats), Number<Of::all_start_nanos>(&record->start_ns),
      Ignored<Of::op_start_rel_nanos, wire::kVarint>(),
      Number<Of::op_end_rel_nanos>(&record->duration_ns));
  IncludeMemoryStats(&record->memory);
  return bad;
}

void AllocationsOfRun(std::string_view message, std::vector<AllocationRecord>* out) {
  const auto read_allocator = [&](std::string_view allocator) -> const char* {
    const size_t first = out->size();
    std::string_view name("");
    const auto add = [=](std::string_view allocation) {
      return ReadAllocation(allocation, &out->emplace_back());
    };
    wire::ReadMessage(allocator, Text<field::AllocatorMemoryUsed::allocator_name>(&name),
                      Each<field::AllocatorMemoryUsed::allocation_records>(add));
    for (size_t i = first; i < out->size(); ++i) (*out)[i].allocator = name;
    return nullptr;
  };
  wire::ReadMessage(message, Each<field::NodeExecStats::memory>(read_allocator));
}

}  // namespace tfprof
