// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "loaders/run_record.h"
#include "loaders/tally.h"

namespace tfprof {

// Stores the records of run metadata, device by device: BeginDevice, AddRunRecord for each,
// EndDevice.
struct RunRows {
  // Records are read a few at a time: while one is stored, the table entries that the next ones
  // need are on their way to the cache.
  static constexpr size_t kBatch = 16;
  struct Read {
    RunRecord record;
    const char* place = nullptr;
    size_t bytes = 0;
    uint64_t name_hash = 0;
    LabelId label;
  };

  const SourceFile& file;
  StoreBuilder& store;
  SourceId source;
  LaneId lane = {};    // of the current device
  EventId first = {};  // its first row
  std::vector<Read> batch = std::vector<Read>(kBatch);
  size_t batched = 0;
  std::vector<LabelId> new_on_lane = {};  // seen on the device; their nodes may not know the lane
  Column<uint64_t> lanes_of_label = {};   // bit i: the node knows lane i
  Tally no_time = {}, malformed = {}, foreign = {}, several_gpu_allocators = {};
};

void BeginDevice(LaneId lane, StepId step, RunRows* rows);
// A NodeExecStats. A malformed one is counted and skipped.
void AddRunRecord(std::string_view message, RunRows* rows);
// `lane` is what the device turned out to be.
void EndDevice(LaneId lane, RunRows* rows);

void TellAll(const RunRows& rows);

}  // namespace tfprof
