// SPDX-License-Identifier: Apache-2.0
#include "loaders/allocation.h"

#include "loaders/wire_message.h"

namespace tfprof {

const char* ReadAllocation(std::string_view message, AllocationRecord* record) {
  return wire::ReadMessage(message, wire::Number<1>(&record->time_us),
                           wire::Number<2>(&record->bytes));
}

void AddAllocation(EventId event, const AllocationRecord& record, StoreBuilder& store) {
  const bool told = record.allocator.data() != nullptr;
  const NameId allocator = told ? store.Name(record.allocator) : NameId();
  const int64_t time_ps = record.time_us > 0 ? store.TimeFromMicros(record.time_us) : kNoTime;
  store.AddAllocation({event, allocator, time_ps, record.bytes});
}

}  // namespace tfprof
