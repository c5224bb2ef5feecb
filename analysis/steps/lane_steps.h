// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <vector>

#include "core/base/arith.h"
#include "core/base/context.h"
#include "core/store/store.h"

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
  LabelId first;               // what began first
  int64_t step_ps = 0;         // how long the step lasts, whatever lane it is on
  int64_t gaps = 0;            // times of the step when nothing ran, those at its ends too
  int64_t longest_gap_ps = 0;
  LabelId after_longest_gap;  // what ended it; none: the end of the step

  // step_ps - busy_ps: the gaps together; kNoInt when nothing is placed.
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

// Adds what of a span lies behind those before it, up to whose end all is counted: the time of
// spans that overlap, once. REQUIRES: calls in order of start.
inline void AddBehind(int64_t start_ps, int64_t end_ps, int64_t* until_ps, int64_t* sum_ps) {
  start_ps = std::max(start_ps, *until_ps);
  if (end_ps <= start_ps) return;
  *sum_ps = SaturatingAdd(*sum_ps, SpanOf(start_ps, end_ps));
  *until_ps = end_ps;
}

// Counts the time between an end and a start, if there is any, among the gaps of a lane or plane.
// `ended_by`: what starts then; none: the end of the step.
template <class InStep>
void AddGap(int64_t end_ps, int64_t start_ps, LabelId ended_by, InStep* sum) {
  if (start_ps <= end_ps) return;
  const int64_t gap_ps = SpanOf(end_ps, start_ps);
  ++sum->gaps;
  if (gap_ps <= sum->longest_gap_ps) return;
  sum->longest_gap_ps = gap_ps;
  sum->after_longest_gap = ended_by;
}

// What ended the longest gap, for people and programs; null: there is no gap.
template <class InStep>
std::string_view GapBefore(const Store& store, const InStep& sum) {
  if (sum.gaps == 0) return {};
  const LabelId label = sum.after_longest_gap;
  return label.some() ? store.Text(store.labels[label.value].name) : "the end of the step";
}

}  // namespace tfprof
