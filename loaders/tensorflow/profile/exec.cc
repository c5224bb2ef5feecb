// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/profile/exec.h"

#include "core/base/arith.h"
#include "loaders/wire/message.h"
#include "proto/tfprof_log_fields.h"

namespace tfprof {
namespace {

using wire::Each;
using wire::Number;

// Reads a pair in the form that all writers use: one packed field of two numbers.
TFPROF_INLINE bool ReadPackedPair(std::string_view tuple, int64_t* first, int64_t* second) {
  if (tuple.size() < 4 || tuple[0] != wire::TagByte(field::Tuple::int64_values, wire::kBytes))
    return false;
  if (static_cast<uint8_t>(tuple[1]) != tuple.size() - 2) return false;
  const char* const end = tuple.data() + tuple.size();
  uint64_t numbers[2] = {};
  const char* at = wire::ReadVarint(tuple.data() + 2, &numbers[0]);
  if (at == nullptr || at >= end) return false;
  at = wire::ReadVarint(at, &numbers[1]);
  *first = static_cast<int64_t>(numbers[0]);
  *second = static_cast<int64_t>(numbers[1]);
  return at == end;
}

// Reads a pair in any form.
bool ReadFirstTwo(std::string_view tuple, int64_t* first, int64_t* second) {
  int64_t values[2] = {};
  int count = 0;
  const auto take = [&](uint64_t value) {
    if (count < 2) values[count] = static_cast<int64_t>(value);
    ++count;
  };
  const char* bad = wire::ReadMessage(tuple, wire::Numbers<field::Tuple::int64_values>(take));
  *first = values[0];
  *second = values[1];
  return bad == nullptr && count >= 2;
}

void Clear(Exec* exec) {
  exec->run_count = exec->first_start_us = exec->last_end_us = 0;
  exec->cpu.clear();
  exec->accelerator.clear();
  exec->devices.clear();
  exec->memories.clear();
  exec->has_allocations = false;
}

// Reads a map entry: output slot -> Memory.
TFPROF_INLINE const char* ReadOutput(std::string_view message, OutputMemory* output) {
  const auto read_memory = [=](std::string_view memory) {
    return wire::ReadMessage(memory, Number<field::Memory::bytes>(&output->bytes),
                             Number<field::Memory::ptr>(&output->address));
  };
  return wire::ReadMessage(message, Number<MapEntryField::key>(&output->slot),
                           Each<MapEntryField::value>(read_memory));
}

// Returns true if the message contains any number besides the time. Called when all numbers are 0.
bool IsZeroRecorded(std::string_view message) {
  bool is_conclusive = false;
  for (wire::Fields fields(message); fields.Next(); fields.Skip()) {
    is_conclusive |= fields.type() == wire::kVarint && !fields.Is(field::ExecMemory::memory_micros);
  }
  return is_conclusive;
}

}  // namespace

const char* ReadExec(std::string_view message, Exec* exec) {
  Clear(exec);
  using Of = field::ExecProfile;
  const auto find_allocations = [=](std::string_view) {
    exec->has_allocations = true;
    return nullptr;
  };
  const char* bad = wire::ReadMessage(message, Number<Of::run_count>(&exec->run_count),
                                      Number<Of::all_start_micros>(&exec->first_start_us),
                                      Number<Of::latest_end_micros>(&exec->last_end_us),
                                      Each<Of::accelerator_execs>(AppendTo(&exec->accelerator)),
                                      Each<Of::cpu_execs>(AppendTo(&exec->cpu)),
                                      Each<Of::devices>(wire::PushTo(&exec->devices)),
                                      Each<Of::memory_execs>(wire::PushTo(&exec->memories)),
                                      Each<Of::allocations>(find_allocations));
  KeepLast(&exec->cpu);
  KeepLast(&exec->accelerator);
  return bad;
}

void AllocationsOfExec(std::string_view message, std::vector<AllocationRecord>* out) {
  const auto add = [=](std::string_view allocation) -> const char* {
    AllocationRecord record;
    if (ReadAllocation(allocation, &record) == nullptr) out->push_back(record);
    return nullptr;
  };
  wire::ReadMessage(message, Each<field::ExecProfile::allocations>(add));
}

bool ReadPair(std::string_view tuple, int64_t* start_us, int64_t* duration_us) {
  return ReadPackedPair(tuple, start_us, duration_us) || ReadFirstTwo(tuple, start_us, duration_us);
}

const char* ReadMemoryRecord(std::string_view message, MemoryRecord* record) {
  record->time_us = 0;
  record->outputs.clear();
  ExecMemory row;
  int64_t temp[2] = {}, persistent[2] = {};  // host, accelerator
  const auto add_output = [=](std::string_view output) {
    return ReadOutput(output, &record->outputs.emplace_back());
  };
  using Of = field::ExecMemory;
  const char* bad = wire::ReadMessage(
      message, Number<Of::memory_micros>(&record->time_us), Number<Of::host_temp_bytes>(&temp[0]),
      Number<Of::host_persistent_bytes>(&persistent[0]),
      Number<Of::accelerator_temp_bytes>(&temp[1]),
      Number<Of::accelerator_persistent_bytes>(&persistent[1]),
      Number<Of::requested_bytes>(&row.requested), Number<Of::peak_bytes>(&row.peak),
      Number<Of::residual_bytes>(&row.residual), Number<Of::output_bytes>(&row.output),
      Number<Of::allocator_bytes_in_use>(&row.in_use), Each<Of::output_memory>(add_output));
  row.temp = WrapAdd(temp[0], temp[1]);
  row.persistent = WrapAdd(persistent[0], persistent[1]);
  record->row = row;
  return bad;
}

bool IsEmpty(const MemoryRecord& record, std::string_view message) {
  const ExecMemory& row = record.row;
  const int64_t used =
      row.requested | row.peak | row.residual | row.output | row.temp | row.persistent;
  return used == 0 && row.in_use == kNoInt && record.outputs.empty() && !IsZeroRecorded(message);
}

}  // namespace tfprof
