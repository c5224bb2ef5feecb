// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/lane_steps.h"

#include <algorithm>

#include "core/base/context.h"
#include "core/store/event_runs.h"

namespace tfprof {
namespace {

// REQUIRES: rows come by start.
void AddRow(const Store& store, uint32_t row, LaneStep* sum) {
  ++sum->records;
  const int64_t start_ps = store.events.start_ps[row];
  if (start_ps == kNoTime) {
    ++sum->unplaced;
    return;
  }
  const int64_t duration_ps = store.events.duration_ps[row];
  const int64_t end_ps = SaturatingAdd(start_ps, duration_ps);
  sum->time_ps = SaturatingAdd(sum->time_ps, duration_ps);
  if (sum->start_ps == kNoTime) {
    sum->start_ps = start_ps;
    sum->first = store.events.label[row];
    sum->busy_ps = duration_ps;
    sum->end_ps = end_ps;
    return;
  }
  AddGap(sum->end_ps, start_ps, store.events.label[row], sum);
  if (end_ps <= sum->end_ps) return;
  const int64_t from_ps = std::max(start_ps, sum->end_ps);
  sum->busy_ps = SaturatingAdd(sum->busy_ps, SpanOf(from_ps, end_ps));
  sum->end_ps = end_ps;
}

void Include(const LaneStep& row, StepSpan* step) {
  if (row.start_ps == kNoTime) return;
  const bool first = step->start_ps == kNoTime;
  step->start_ps = first ? row.start_ps : std::min(step->start_ps, row.start_ps);
  step->end_ps = first ? row.end_ps : std::max(step->end_ps, row.end_ps);
}

// What a lane did not do before its first record of the step and after its last one.
void AddEnds(const StepSpan& step, LaneStep* row) {
  if (row->start_ps == kNoTime) return;
  row->step_ps = step.SpanPs();
  AddGap(step.start_ps, row->start_ps, row->first, row);
  AddGap(row->end_ps, step.end_ps, LabelId(), row);
}

}  // namespace

int64_t SpanOf(int64_t start_ps, int64_t end_ps) {
  int64_t span = 0;
  return __builtin_sub_overflow(end_ps, start_ps, &span) ? kMaxPs : span;
}

int64_t LaneStep::IdlePs() const {
  return start_ps == kNoTime ? kNoInt : std::max(step_ps - busy_ps, int64_t{0});
}

int64_t StepSpan::SpanPs() const { return start_ps == kNoTime ? kNoInt : SpanOf(start_ps, end_ps); }

Result<LaneSteps> LaneStepsOf(const Store& store, Context& context) {
  std::vector<EventRun> runs = EventRuns(store);
  std::erase_if(runs, [](const EventRun& run) { return !run.step.some(); });
  // Runs of one lane and one step come one after the other, by row and so by start.
  std::stable_sort(runs.begin(), runs.end(), [](const EventRun& a, const EventRun& b) {
    return a.step != b.step ? a.step < b.step : a.lane < b.lane;
  });
  LaneSteps found;
  found.steps.resize(store.steps.size());
  for (const EventRun& run : runs) {
    const bool is_new = found.rows.empty() || found.rows.back().lane != run.lane ||
                        found.rows.back().step != run.step;
    if (is_new) found.rows.push_back({.lane = run.lane, .step = run.step});
    for (uint32_t row = run.first; row < run.end; ++row) {
      if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
      AddRow(store, row, &found.rows.back());
    }
  }
  for (const LaneStep& row : found.rows) Include(row, &found.steps[row.step.value]);
  for (LaneStep& row : found.rows) AddEnds(found.steps[row.step.value], &row);
  return found;
}

}  // namespace tfprof
