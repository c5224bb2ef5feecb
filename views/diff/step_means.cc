// SPDX-License-Identifier: Apache-2.0
#include "views/diff/step_means.h"

#include <vector>

#include "analysis/intervals/span_statistics.h"
#include "analysis/wall/times.h"
#include "views/causes/wall_cause.h"
#include "views/diff/mann_whitney.h"
#include "views/diff/samples.h"

namespace tfprof {
namespace {

struct StepsOfOne {
  int64_t mean_ps = kNoInt;
  std::vector<double> each;  // ps
};

// By wall time, as `summary`.
Result<StepsOfOne> OfWholeTrace(const Side& side, Context& context) {
  StepsOfOne found;
  int64_t sum_ps = 0;
  TFPROF_ASSIGN(const auto times, side.indexes.Get<WallTimes>(context));
  for (const HostWall* wall : WallsOf(*side.store, side.query.place, *times)) {
    const std::vector<Interval>& steps = wall->steps.steps;
    if (steps.empty()) continue;
    for (size_t i = 0; i < steps.size(); ++i) {
      const bool is_last = i + 1 == steps.size();
      const int64_t end_ps = is_last ? wall->steps.window.end_ps : steps[i + 1].start_ps;
      found.each.push_back(static_cast<double>(SpanOf(steps[i].start_ps, end_ps)));
    }
    sum_ps = SaturatingAdd(sum_ps, wall->steps.WindowPs());
  }
  if (!found.each.empty()) found.mean_ps = sum_ps / static_cast<int64_t>(found.each.size());
  return found;
}

Result<StepsOfOne> SelectedSteps(const Side& side, Context& context) {
  StepsOfOne found;
  TFPROF_ASSIGN(const std::vector<StepRow> steps, StepsOfSide(side, context));
  found.mean_ps = StatisticsOf(steps).mean_ps;
  for (const auto& [step, ps] : DurationsOf(steps)) found.each.push_back(ps);
  return found;
}

bool IsWholeTrace(const Side& side) {
  const PlaceFilter& place = side.query.place;
  return side.store->IsTrace() && place.exact && place.device.empty() && !place.SelectsSteps();
}

StepMeans Compared(const StepsOfOne& base, const StepsOfOne& now) {
  return {base.mean_ps, now.mean_ps, MannWhitney(base.each, now.each)};
}

}  // namespace

Result<StepMeans> MeansOfSteps(const Side& before, const Side& after, Context& context) {
  if (IsWholeTrace(before) && IsWholeTrace(after)) {
    TFPROF_ASSIGN(const StepsOfOne base, OfWholeTrace(before, context));
    TFPROF_ASSIGN(const StepsOfOne now, OfWholeTrace(after, context));
    if (base.mean_ps != kNoInt && now.mean_ps != kNoInt) return Compared(base, now);
  }
  TFPROF_ASSIGN(const StepsOfOne base, SelectedSteps(before, context));
  TFPROF_ASSIGN(const StepsOfOne now, SelectedSteps(after, context));
  return Compared(base, now);
}

}  // namespace tfprof
