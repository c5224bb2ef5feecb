// SPDX-License-Identifier: Apache-2.0
// The steps of a process, found by following the ranges of its threads.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "capture/model/definitions.h"
#include "capture/model/resumption.h"

namespace tfprof::capture {

class StepFinder {
 public:
  explicit StepFinder(const Definitions* definitions) : definitions_(definitions) {}

  void Push(uint32_t thread, const PushRecord& push);
  void Pop(uint32_t thread, const PopRecord& pop);
  void Resume(uint32_t thread, const ResumeRecord& resume);
  void Reopen(uint32_t thread, const PushRecord& push);

  // The steps until now, and whether there ever were some. Ends are 0 where a step was open when
  // its window, or the process, ended, or still is.
  std::vector<StepSpan> Steps() const;
  bool has_steps() const { return has_steps_; }
  // Forgets the steps that began before.
  void DropBefore(uint64_t time);

 private:
  struct Thread {
    std::map<uint32_t, std::vector<bool>> is_step;  // of the open ranges, by domain
    bool is_in_step = false;
    StepSpan step;  // the one that is open
    Resumption resumption;
  };

  int64_t NumberOf(const NameFacts& name, uint64_t start);

  const Definitions* definitions_;
  std::map<uint32_t, Thread> threads_;
  std::vector<StepSpan> ended_;
  bool has_steps_ = false;
  // Of steps whose names have no number
  uint64_t counted_from_ = 0;  // start of the window
  int64_t next_number_ = 0;
};

}  // namespace tfprof::capture
