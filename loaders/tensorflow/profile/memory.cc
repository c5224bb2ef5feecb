// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/profile/memory.h"

#include "core/base/arith.h"
#include "loaders/wire/message.h"
#include "proto/tfprof_log_fields.h"

namespace tfprof {
namespace {

using wire::Each;
using wire::Number;

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
bool TellsZero(std::string_view message) {
  bool tells = false;
  for (wire::Fields fields(message); fields.Next(); fields.Skip()) {
    tells |= fields.type() == wire::kVarint && !fields.Is(field::ExecMemory::memory_micros);
  }
  return tells;
}

}  // namespace

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
  return used == 0 && row.in_use == kNoInt && record.outputs.empty() && !TellsZero(message);
}

}  // namespace tfprof
