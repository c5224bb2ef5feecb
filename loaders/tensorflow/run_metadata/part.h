// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "loaders/counts.h"
#include "loaders/tensorflow/run_metadata/record.h"

namespace tfprof {

// Which labels were seen on which of the first 64 lanes: their nodes know the lane already.
class LanesOfLabels {
 public:
  bool Has(LabelId label, LaneId lane) const {
    return lane.value < 64 && label.value < lanes_.size() &&
           (lanes_[label.value] >> lane.value & 1) != 0;
  }
  void Add(LabelId label, LaneId lane) {
    if (lane.value >= 64) return;
    if (label.value >= lanes_.size()) lanes_.Resize(label.value + 1);
    lanes_[label.value] |= uint64_t{1} << lane.value;
  }

 private:
  Column<uint64_t> lanes_;  // bit i: lane i
};

// What is known so far; reading changes nothing of it.
struct KnownRuns {
  const StoreBuilder& store;
  const LanesOfLabels& lanes_of_labels;
};

// A part of a file of run metadata, read but not stored: several may be read at once, and are then
// stored one after the other (run_rows.h). Kept for the capacity of its lists.
// Aligned, so that threads which fill parts side by side share no line of the cache.
struct alignas(128) RunPart {
  // The device of some rows, or the part of it that lies here.
  struct Device {
    std::string_view text;            // of its first field, as a rule
    std::string_view last_text = {};  // where it ends: what it turned out to be
    LaneId lane = {};                 // none: the store did not know it yet
    bool begins = true;               // else in an earlier part
    bool ends = false;                // else in a later part
    // Where the next device begins.
    uint32_t rows_end = 0;
    uint32_t new_labels_end = 0;
    uint32_t new_on_lane_end = 0;
  };
  // Of a row whose label the store did not know.
  struct NewLabel {
    uint32_t row;
    NameId name;  // none: new as well
    uint64_t hash;
    std::string_view text;
    const char* record;  // in the file
  };
  struct Allocating {
    std::string_view record;
    EventId event;
  };

  const SourceFile* file = nullptr;
  int64_t epoch_us = 0;
  std::vector<Device> devices = {};
  // Rows of events, memory and outputs count from 0.
  Events events = {};
  Column<ExecMemory> memory = {};
  Column<OutputMemory> outputs = {};
  Column<Allocating> allocations = {};
  std::vector<NewLabel> new_labels = {};
  std::vector<LabelId> new_on_lane = {};  // their nodes may not know the lane
  std::vector<NodeId> covered = {};       // not known before to be so: see StoreBuilder::Cover
  std::vector<OddTime> odd_times = {};
  Tally no_time = {}, malformed = {}, foreign = {}, several_gpu_allocators = {};

  // Records are read a few at a time: while one is written down, the table entries that the next
  // ones need are on their way to the cache.
  static constexpr size_t kBatch = 16;
  struct Read {
    RunRecord record;
    std::string_view message;
    uint64_t name_hash = 0;
    NameId name;
    LabelId label;
  };
  std::vector<Read> batch = std::vector<Read>(kBatch);
  size_t batched = 0;
};

void Clear(RunPart* part);

// A NodeExecStats of the device that was added last. A malformed one is counted and skipped.
void AddRecord(std::string_view message, const KnownRuns& known, RunPart* part);
// No more records of that device, or of that part.
void EndRecords(const KnownRuns& known, RunPart* part);

}  // namespace tfprof
