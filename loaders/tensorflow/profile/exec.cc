// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/profile/exec.h"

#include "core/base/arith.h"
#include "loaders/wire/message.h"
#include "proto/tfprof_log_fields.h"

namespace tfprof {
namespace {

using wire::Each;
using wire::Fields;
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
  Fields fields(tuple);
  while (fields.Next()) {
    if (fields.tag() == wire::Tag(field::Tuple::int64_values, wire::kBytes)) {
      if (!wire::EachPacked(fields.Bytes(), take)) return false;
    } else if (fields.tag() == wire::Tag(field::Tuple::int64_values, wire::kVarint)) {
      take(fields.Varint());
    } else {
      fields.Skip();
    }
  }
  *first = values[0];
  *second = values[1];
  return fields.bad() == nullptr && count >= 2;
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
  return wire::ReadMessage(message, Number<MapEntryField::key>(&output->slot),
                           Each<MapEntryField::value>([&](std::string_view memory) {
                             return wire::ReadMessage(memory,
                                                      Number<field::Memory::bytes>(&output->bytes),
                                                      Number<field::Memory::ptr>(&output->address));
                           }));
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
  const auto push = [](std::vector<std::string_view>* to) {
    return [to](std::string_view bytes) -> const char* {
      to->push_back(bytes);
      return nullptr;
    };
  };
  const char* bad =
      wire::ReadMessage(message, Number<field::ExecProfile::run_count>(&exec->run_count),
                        Number<field::ExecProfile::all_start_micros>(&exec->first_start_us),
                        Number<field::ExecProfile::latest_end_micros>(&exec->last_end_us),
                        Each<field::ExecProfile::accelerator_execs>([&](std::string_view entry) {
                          return AppendEntry(entry, &exec->accelerator);
                        }),
                        Each<field::ExecProfile::cpu_execs>(
                            [&](std::string_view entry) { return AppendEntry(entry, &exec->cpu); }),
                        Each<field::ExecProfile::devices>(push(&exec->devices)),
                        Each<field::ExecProfile::memory_execs>(push(&exec->memories)),
                        Each<field::ExecProfile::allocations>([&](std::string_view) {
                          exec->has_allocations = true;
                          return nullptr;
                        }));
  KeepLast(&exec->cpu);
  KeepLast(&exec->accelerator);
  return bad;
}

void AllocationsOfExec(std::string_view message, std::vector<AllocationRecord>* out) {
  wire::ReadMessage(message, Each<field::ExecProfile::allocations>(
                                 [&](std::string_view allocation) -> const char* {
                                   AllocationRecord record;
                                   if (ReadAllocation(allocation, &record) == nullptr)
                                     out->push_back(record);
                                   return nullptr;
                                 }));
}

bool ReadPair(std::string_view tuple, int64_t* start_us, int64_t* duration_us) {
  return ReadPackedPair(tuple, start_us, duration_us) || ReadFirstTwo(tuple, start_us, duration_us);
}

const char* ReadMemoryRecord(std::string_view message, MemoryRecord* record) {
  record->time_us = 0;
  record->outputs.clear();
  ExecMemory row;
  int64_t temp[2] = {}, persistent[2] = {};  // host, accelerator
  const char* bad =
      wire::ReadMessage(message, Number<field::ExecMemory::memory_micros>(&record->time_us),
                        Number<field::ExecMemory::host_temp_bytes>(&temp[0]),
                        Number<field::ExecMemory::host_persistent_bytes>(&persistent[0]),
                        Number<field::ExecMemory::accelerator_temp_bytes>(&temp[1]),
                        Number<field::ExecMemory::accelerator_persistent_bytes>(&persistent[1]),
                        Number<field::ExecMemory::requested_bytes>(&row.requested),
                        Number<field::ExecMemory::peak_bytes>(&row.peak),
                        Number<field::ExecMemory::residual_bytes>(&row.residual),
                        Number<field::ExecMemory::output_bytes>(&row.output),
                        Number<field::ExecMemory::allocator_bytes_in_use>(&row.in_use),
                        Each<field::ExecMemory::output_memory>([&](std::string_view output) {
                          return ReadOutput(output, &record->outputs.emplace_back());
                        }));
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
