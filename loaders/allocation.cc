// SPDX-License-Identifier: Apache-2.0
#include "loaders/allocation.h"

#include "loaders/wire.h"

namespace tfprof {

using wire::Fields;
using wire::kVarint;
using wire::Tag;

const char* ReadAllocation(std::string_view message, AllocationRecord* record) {
  Fields fields(message);
  while (fields.Next()) {
    switch (fields.tag()) {
      case Tag(1, kVarint):
        record->time_us = fields.Int64();
        break;
      case Tag(2, kVarint):
        record->bytes = fields.Int64();
        break;
      default:
        fields.Skip();
    }
  }
  return fields.bad();
}

void AddAllocation(EventId event, const AllocationRecord& record, StoreBuilder& store) {
  const bool told = record.allocator.data() != nullptr;
  const NameId allocator = told ? store.Name(record.allocator) : NameId();
  const int64_t time_ps = record.time_us > 0 ? store.TimeFromMicros(record.time_us) : kNoTime;
  store.AddAllocation({event, allocator, time_ps, record.bytes});
}

}  // namespace tfprof
