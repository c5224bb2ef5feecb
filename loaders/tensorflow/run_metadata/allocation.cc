// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/run_metadata/allocation.h"

#include "core/base/arith.h"
#include "loaders/wire/message.h"
#include "proto/step_stats_fields.h"

namespace tfprof {
namespace {

// What a DetailReader keeps.
struct Kept {
  SourceFile file;
  AllocationsOfRecord read;
};

struct Reading {
  const Kept& kept;
  std::span<const AllocationPlace> places;
  int64_t epoch_us;
  std::vector<Allocation>* out;
};

int64_t TimeOf(int64_t time_us, int64_t epoch_us) {
  bool clamped = false;
  const int64_t from_epoch = SaturatingAdd(time_us, -epoch_us, &clamped);
  return time_us > 0 ? SaturatingMul(from_epoch, kPsPerUs, &clamped) : kNoTime;
}

void ReadPlaces(const Reading& reading) {
  std::vector<AllocationRecord> records;
  for (const AllocationPlace& place : reading.places) {
    records.clear();
    reading.kept.read(reading.kept.file.bytes.substr(place.offset, place.bytes), &records);
    for (const AllocationRecord& record : records) {
      reading.out->push_back(
          {place.event, record.allocator, TimeOf(record.time_us, reading.epoch_us), record.bytes});
    }
  }
}

Result<void> ReadKept(const void* state, const Store& store,
                      std::span<const AllocationPlace> places, std::vector<Allocation>* out) {
  const auto& kept = *static_cast<const Kept*>(state);
  Reading reading{kept, places, store.epoch_ns / kNsPerUs, out};
  const auto work = [](void* all) -> Result<void> {
    ReadPlaces(*static_cast<const Reading*>(all));
    return {};
  };
  return GuardReads(kept.file, work, &reading);
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
  DetailReader& details = store.source(source).details;
  details.state = std::make_shared<const Kept>(Kept{file, read});
  details.allocations = ReadKept;
}

}  // namespace tfprof
