// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/profile/memory.h"

#include "core/base/arith.h"
#include "loaders/wire/message.h"

namespace tfprof {
namespace {

using wire::Each;
using wire::Number;

// A map entry: output slot -> Memory.
TFPROF_INLINE const char* ReadOutput(std::string_view message, OutputMemory* output) {
  return wire::ReadMessage(message, Number<1>(&output->slot), Each<2>([&](std::string_view memory) {
                             return wire::ReadMessage(memory, Number<1>(&output->bytes),
                                                      Number<2>(&output->address));
                           }));
}

// Whether any number but the time is on the wire; asked where all of them are 0.
bool TellsZero(std::string_view message) {
  bool tells = false;
  for (wire::Fields fields(message); fields.Next(); fields.Skip()) {
    tells |= fields.type() == wire::kVarint && fields.number() >= 2 && fields.number() <= 10;
  }
  return tells;
}

}  // namespace

const char* ReadMemoryRecord(std::string_view message, MemoryRecord* record) {
  record->time_us = 0;
  record->outputs.clear();
  ExecMemory row;
  int64_t temp[2] = {}, persistent[2] = {};  // of the host, of the accelerator
  const char* bad = wire::ReadMessage(
      message, Number<1>(&record->time_us), Number<2>(&temp[0]), Number<3>(&persistent[0]),
      Number<4>(&temp[1]), Number<5>(&persistent[1]), Number<6>(&row.requested),
      Number<7>(&row.peak), Number<8>(&row.residual), Number<9>(&row.output),
      Number<10>(&row.in_use), Each<11>([&](std::string_view output) {
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
