// SPDX-License-Identifier: Apache-2.0
// Reads the definitions of a spool, record by record, also while it grows.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <unordered_map>

#include "capture/model/definitions.h"
#include "capture/model/step_finder.h"
#include "capture/spool/step_names.h"

namespace tfprof::capture {

class DefinitionReader {
 public:
  explicit DefinitionReader(Definitions* to) : to_(to), steps_(to) {}

  void Take(uint32_t thread, const RecordHead& head);
  // Adds up what was taken until now. With `from`, what was recorded before is left out, and
  // forgotten. More may be taken afterwards.
  void Finish(uint64_t from = 0);

  // The last time, of those, at which a step or, where no range is a step, a window began; 0: none.
  uint64_t LastStart(uint64_t from, uint64_t to) const;

 private:
  void TakePush(uint32_t thread, const PushRecord& push);
  void TakeName(const RecordHead& head);
  void TakeRare(const RecordHead& head);
  void TakeMemory(const MemoryRecord& memory);
  void TakeStack(const StackRecord& stack);
  void TakeSample(const SampleRecord& sample);
  void TakeFrame(FrameRecord frame);
  void TakeClock(const ClockRecord& clock);
  void TakeSegment(const SegmentRecord& segment);
  void TakeFact(std::string_view text);
  void Time(uint64_t time);

  void DropBefore(uint64_t time);
  void AddUpMemory();
  void MergeWindows();
  void AddSteps();
  void MakeStepsOfWindows();

  Definitions* to_;
  StepFinder steps_;
  StepPattern pattern_;
  std::map<std::array<uint32_t, 4>, uint32_t> lines_;  // frames by what they say
  std::unordered_map<uint32_t, uint32_t> line_of_frame_;
  std::map<uint32_t, MemoryLevel> memory_before_;  // by device: the last level that was dropped
  uint32_t last_pusher_ = 0;
  int64_t dropped_windows_ = 0;
  bool is_left_out_ = false;  // what was recorded before kept_from
};

// Reads a whole spool, from its start.
Definitions ReadDefinitions(SpoolReader* reader);

}  // namespace tfprof::capture
