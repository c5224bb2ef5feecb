// SPDX-License-Identifier: Apache-2.0
#include "loaders/profile_memory.h"

#include "core/arith.h"
#include "loaders/wire.h"

namespace tfprof {
namespace {

using wire::Fields;
using wire::kBytes;
using wire::kVarint;
using wire::Tag;

const char* ReadAmount(std::string_view message, OutputMemory* output) {
  Fields fields(message);
  while (fields.Next()) {
    switch (fields.tag()) {
      case Tag(1, kVarint):
        output->bytes = fields.Int64();
        break;
      case Tag(2, kVarint):
        output->address = fields.Varint();
        break;
      default:
        fields.Skip();
    }
  }
  return fields.bad();
}

// A map entry: output slot -> Memory.
const char* ReadOutput(std::string_view message, OutputMemory* output) {
  Fields fields(message);
  while (fields.Next()) {
    switch (fields.tag()) {
      case Tag(1, kVarint):
        output->slot = fields.Int32();
        break;
      case Tag(2, kBytes): {
        const char* bad = ReadAmount(fields.Bytes(), output);
        if (bad != nullptr) return bad;
        break;
      }
      default:
        fields.Skip();
    }
  }
  return fields.bad();
}

}  // namespace

const char* ReadMemoryRecord(std::string_view message, MemoryRecord* record) {
  record->time_us = 0;
  record->row = {};
  record->outputs.clear();
  ExecMemory& row = record->row;
  int64_t temp[2] = {}, persistent[2] = {};  // of the host, of the accelerator
  Fields fields(message);
  while (fields.Next()) {
    switch (fields.tag()) {
      case Tag(1, kVarint):
        record->time_us = fields.Int64();
        break;
      case Tag(2, kVarint):
        temp[0] = fields.Int64();
        break;
      case Tag(3, kVarint):
        persistent[0] = fields.Int64();
        break;
      case Tag(4, kVarint):
        temp[1] = fields.Int64();
        break;
      case Tag(5, kVarint):
        persistent[1] = fields.Int64();
        break;
      case Tag(6, kVarint):
        row.requested = fields.Int64();
        break;
      case Tag(7, kVarint):
        row.peak = fields.Int64();
        break;
      case Tag(8, kVarint):
        row.residual = fields.Int64();
        break;
      case Tag(9, kVarint):
        row.output = fields.Int64();
        break;
      case Tag(10, kVarint):
        row.in_use = fields.Int64();
        break;
      case Tag(11, kBytes): {
        const char* bad = ReadOutput(fields.Bytes(), &record->outputs.emplace_back());
        if (bad != nullptr) return bad;
        break;
      }
      default:
        fields.Skip();
    }
  }
  row.temp = WrapAdd(temp[0], temp[1]);
  row.persistent = WrapAdd(persistent[0], persistent[1]);
  return fields.bad();
}

bool IsEmpty(const MemoryRecord& record) {
  const ExecMemory& row = record.row;
  return record.outputs.empty() && row.in_use == kNoInt &&
         (row.requested | row.peak | row.residual | row.output | row.temp | row.persistent) == 0;
}

}  // namespace tfprof
