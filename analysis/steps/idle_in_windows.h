// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "analysis/steps/spans.h"

namespace tfprof {

// When nothing runs within a window.
struct IdleTime {
  int64_t idle_ps = 0;
  int64_t gaps = 0;  // pieces of it, cut off at the ends of the window
  int64_t longest_gap_ps = 0;
  LabelId after_longest_gap;  // what ended it; none: the end of the window
};

// When nothing at all runs on a plane, within windows of it that may overlap: steps that do share
// the time. All windows are looked at in one pass, however many lie over each other.
class IdleInWindows {
 public:
  explicit IdleInWindows(std::vector<StepWindow> windows);
  // What runs. REQUIRES: calls in order of start.
  void Add(LabelId label, int64_t start_ps, int64_t end_ps);
  // By window. REQUIRES: once, after all calls of Add.
  std::vector<IdleTime> Finish();

 private:
  struct Gap {
    int64_t start_ps;
    int64_t end_ps;
    LabelId ended_by;
    int64_t Length() const;
  };
  void AddGap(const Gap& gap);
  void MeetUntil(int64_t time_ps, const Gap& now);
  void Close(uint32_t window, const IdleTime& until, const Gap& last);
  Gap LongestSince(int64_t start_ps) const;

  std::vector<StepWindow> windows_;
  std::vector<uint32_t> by_start_, by_end_;  // windows
  size_t opened_ = 0, closed_ = 0;           // of those
  int64_t until_ps_ = kMinPs;                // up to which what runs is known
  IdleTime sum_;                             // since the first window began: of all gaps so far
  std::vector<IdleTime> of_windows_;         // sum_ at their start; once closed, the answer
  std::vector<Gap> longest_;  // by time; none is shorter than what follows, shorter ones are gone
};

}  // namespace tfprof
