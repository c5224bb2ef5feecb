// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "analysis/steps/spans.h"

namespace tfprof {

// Idle time within a window.
struct IdleTime {
  int64_t idle_ps = 0;
  int64_t gaps = 0;  // gaps, cut at the ends of the window
  int64_t longest_gap_ps = 0;
  LabelId after_longest_gap;  // the event that ended it; none: the end of the window
};

// Idle time of a plane within windows, which may overlap, as steps that share time do. One pass
// handles all windows, however many overlap.
class IdleInWindows {
 public:
  explicit IdleInWindows(std::vector<StepWindow> windows);
  // Adds an event. REQUIRES: calls in order of start.
  void Add(LabelId label, int64_t start_ps, int64_t end_ps);
  // Returns the result by window. REQUIRES: called once, after all calls of Add.
  std::vector<IdleTime> Finish();

 private:
  struct Gap {
    int64_t start_ps;
    int64_t end_ps;
    LabelId ended_by;
    int64_t Length() const;
  };
  void AddGap(const Gap& gap);
  void AdvanceTo(int64_t time_ps, const Gap& now);
  void Close(uint32_t window, const IdleTime& until, const Gap& last);
  Gap LongestSince(int64_t start_ps) const;

  std::vector<StepWindow> windows_;
  std::vector<uint32_t> by_start_, by_end_;  // indexes of windows
  size_t opened_ = 0, closed_ = 0;           // positions in these
  int64_t until_ps_ = kMinPs;                // end of the time that is known
  IdleTime sum_;                             // over all gaps since the start of the first window
  std::vector<IdleTime> of_windows_;  // sum_ at the start of the window; after its end, the result
  std::vector<Gap> longest_;  // in order of time; each is at least as long as those that follow
};

}  // namespace tfprof
