// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/run_metadata/allocation.h"

#include "core/base/arith.h"
#include "loaders/wire/message.h"
#include "proto/step_stats_fields.h"

namespace tfprof {
namespace {

int64_t TimeOf(int64_t time_us, int64_t epoch_us) {
  bool clamped = false;
  const int64_t from_epoch = SaturatingAdd(time_us, -epoch_us, &clamped);
  return time_us > 0 ? SaturatingMul(from_epoch, kPsPerUs, &clamped) : kNoTime;
}

void ReadPlaces(const SourceFile& file, AllocationsOfRecord read, const Store& store,
                std::span<const AllocationPlace> places, std::vector<Allocation>* out) {
  const int64_t epoch_us = store.epoch_ns / kNsPerUs;
  std::vector<AllocationRecord> records;
  for (const AllocationPlace& place : places) {
    records.clear();
    read(file.bytes.substr(place.offset, place.bytes), &records);
    for (const AllocationRecord& record : records) {
      out->push_back(
          {place.event, record.allocator, TimeOf(record.time_us, epoch_us), record.bytes});
    }
  }
}

}  // namespace

const char* ReadAllocation(std::string_view message, AllocationRecord* record) {
  return wire::ReadMessage(message,
                           wire::Number<field::AllocationRecord::alloc_micros>(&record->time_us),
                           wire::Number<field::AllocationRecord::alloc_bytes>(&record->bytes));
}

void AddAllocationPlace(EventId event, std::string_view record, const SourceFile& file,
                        SourceId source, StoreBuilder& store) {
  if (record.size() > 0xFFFFFFFFu) return;
  const auto offset = static_cast<uint64_t>(record.data() - file.bytes.data());
  store.AddAllocations(source, {offset, static_cast<uint32_t>(record.size()), event});
}

void KeepAllocations(const SourceFile& file, SourceId source, AllocationsOfRecord read,
                     StoreBuilder& store) {
  if (store.source(source).allocations.count == 0) return;
  store.source(source).details.allocations = [file, read](const Store& of,
                                                          std::span<const AllocationPlace> places,
                                                          std::vector<Allocation>* out) {
    return GuardReads(file, [&]() -> Result<void> {
      ReadPlaces(file, read, of, places, out);
      return {};
    });
  };
}

}  // namespace tfprof
