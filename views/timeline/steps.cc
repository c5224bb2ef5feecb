// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "analysis/place.h"
#include "analysis/steps/times.h"
#include "core/base/context.h"
#include "views/timeline/lanes.h"

namespace tfprof {
namespace {

struct StepHull {
  int64_t first_ps = kNoTime;
  int64_t last_ps = kNoTime;
};

void Widen(const Events& events, uint32_t row, StepHull* hull) {
  const int64_t start_ps = events.start_ps[row];
  if (start_ps == kNoTime) return;
  const int64_t end_ps = WrapAdd(start_ps, events.duration_ps[row]);
  const bool first = hull->first_ps == kNoTime;
  hull->first_ps = first ? start_ps : std::min(hull->first_ps, start_ps);
  hull->last_ps = first ? end_ps : std::max(hull->last_ps, end_ps);
}

// Returns, by step, the interval from its first start to its last end on the exported lanes.
Result<std::vector<StepHull>> StepHulls(const DrawnLanes& drawn, Context& context) {
  std::vector<StepHull> hulls(drawn.store->steps.size());
  for (const DrawnLane& lane : drawn.lanes) {
    for (const EventRun& run : lane.runs) {
      if (!run.step.some()) continue;
      for (uint32_t row = run.first; row < run.end; ++row) {
        if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
        Widen(drawn.store->events, row, &hulls[run.step.value]);
      }
    }
  }
  return hulls;
}

void AddStep(int64_t number, int64_t start_ps, int64_t duration_ps, uint32_t track,
             DrawnSteps* steps) {
  steps->names.push_back("step " + std::to_string(number));
  steps->spans.push_back({start_ps, duration_ps, steps->names.back(), track});
}

// Orders the spans of one track, from `first` on: by start, then by duration, descending.
// Overlapping spans get different levels.
void PlaceSteps(size_t first, DrawnSteps* steps) {
  const auto begin = steps->spans.begin() + static_cast<ptrdiff_t>(first);
  std::stable_sort(begin, steps->spans.end(), [](const TraceSpan& a, const TraceSpan& b) {
    return a.start_ps != b.start_ps ? a.start_ps < b.start_ps : a.duration_ps > b.duration_ps;
  });
  FirstFree free;
  for (auto span = begin; span != steps->spans.end(); ++span) {
    span->level = free.Place(span->start_ps, WrapAdd(span->start_ps, span->duration_ps));
  }
}

bool Asks(const HostSteps& host, const PlaceFilter& place) {
  return std::any_of(host.steps.begin(), host.steps.end(),
                     [&](const StepTime& step) { return place.TakesStep(step.number); });
}

}  // namespace

Result<DrawnSteps> DrawSteps(const DrawnLanes& drawn, Context& context) {
  TFPROF_ASSIGN(const std::vector<StepHull> hulls, StepHulls(drawn, context));
  DrawnSteps steps;
  for (size_t i = 0; i < hulls.size(); ++i) {
    const StepHull& hull = hulls[i];
    if (hull.first_ps == kNoTime) continue;
    AddStep(drawn.store->steps[i].number, hull.first_ps, WrapAdd(hull.last_ps, -hull.first_ps), 0,
            &steps);
    steps.spans.back().step = StepId(i);
  }
  PlaceSteps(0, &steps);
  return steps;
}

Result<DrawnSteps> DrawStepsOfHosts(const Store& store, const Indexes& indexes,
                                    const PlaceFilter& place, Trace* trace, Context& context) {
  DrawnSteps steps;
  TFPROF_ASSIGN(const std::vector<HostSteps> hosts, MeasureSteps(store, indexes, place, context));
  for (const HostSteps& host : hosts) {
    if (!Asks(host, place)) continue;
    if (trace->groups.empty()) trace->groups.push_back({"steps"});
    const auto track = static_cast<uint32_t>(trace->tracks.size());
    const bool several = store.hosts.size() > 1;
    trace->tracks.push_back({0, std::string(several ? HostName(store, host.host) : "steps")});
    const size_t first = steps.spans.size();
    for (const StepTime& step : host.steps) {
      if (!place.TakesStep(step.number)) continue;
      AddStep(step.number, step.start_ps, step.duration_ps, track, &steps);
    }
    PlaceSteps(first, &steps);
  }
  return steps;
}

}  // namespace tfprof
