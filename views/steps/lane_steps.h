// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/context.h"
#include "core/store.h"

namespace tfprof {

// What one lane did in one step. Times of placed events; those of a lane that overlap count once
// in `busy_ps` and each in `time_ps`.
struct LaneStep {
  LaneId lane;
  StepId step;
  int64_t records = 0;   // placed or not
  int64_t unplaced = 0;  // ran, when is unknown
  int64_t time_ps = 0;
  int64_t busy_ps = 0;
  int64_t start_ps = kNoTime;  // of the first one
  int64_t end_ps = kNoTime;    // of the last one
  int64_t gaps = 0;            // times between when nothing ran
  int64_t longest_gap_ps = 0;
  LabelId after_longest_gap;  // what ended it

  // First start to last end; kNoInt when nothing is placed.
  int64_t SpanPs() const;
  // SpanPs() - busy_ps: the gaps together.
  int64_t IdlePs() const;
};

// From the first start to the last end of all lanes in one step; kNoTime when nothing is placed.
struct StepSpan {
  int64_t start_ps = kNoTime;
  int64_t end_ps = kNoTime;
  int64_t SpanPs() const;
};

struct LaneSteps {
  std::vector<LaneStep> rows;   // by step, then lane; pairs without records are left out
  std::vector<StepSpan> steps;  // by StepId
};

// Events of no step are left out.
Result<LaneSteps> LaneStepsOf(const Store& store, Context& context);

// end - start, saturated.
int64_t SpanOf(int64_t start_ps, int64_t end_ps);

}  // namespace tfprof
