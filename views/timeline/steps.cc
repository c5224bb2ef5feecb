// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include "analysis/place.h"
#include "analysis/steps/times.h"
#include "core/base/context.h"
#include "views/timeline/lanes.h"

namespace tfprof {
namespace {

struct StepExtent {
  int64_t first_ps = kNoTime;
  int64_t last_ps = kNoTime;
};

void Widen(const Events& events, uint32_t row, StepExtent* extent) {
  const int64_t start_ps = events.start_ps[row];
  if (start_ps == kNoTime) return;
  const int64_t end_ps = WrapAdd(start_ps, events.duration_ps[row]);
  const bool first = extent->first_ps == kNoTime;
  extent->first_ps = first ? start_ps : std::min(extent->first_ps, start_ps);
  extent->last_ps = first ? end_ps : std::max(extent->last_ps, end_ps);
}

// Returns, by step, the interval from its first start to its last end on the exported lanes.
Result<std::vector<StepExtent>> StepExtents(const ExportedLanes& exported, Context& context) {
  std::vector<StepExtent> extents(exported.store->steps.size());
  for (const ExportedLane& lane : exported.lanes) {
    for (const EventRun& run : lane.runs) {
      if (!run.step.some()) continue;
      for (uint32_t row = run.first; row < run.end; ++row) {
        if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
        Widen(exported.store->events, row, &extents[run.step.value]);
      }
    }
  }
  return extents;
}

void AddStep(int64_t number, int64_t start_ps, int64_t duration_ps, uint32_t track,
             ExportedSteps* steps) {
  steps->names.push_back("step " + std::to_string(number));
  steps->spans.push_back({start_ps, duration_ps, steps->names.back(), track});
}

// Orders the spans of one track, from `first` on: by start, then by duration, descending.
// Overlapping spans get different levels.
void PlaceSteps(size_t first, ExportedSteps* steps) {
  const auto begin = steps->spans.begin() + static_cast<ptrdiff_t>(first);
  std::stable_sort(begin, steps->spans.end(), [](const TraceSpan& a, const TraceSpan& b) {
    return a.start_ps != b.start_ps ? a.start_ps < b.start_ps : a.duration_ps > b.duration_ps;
  });
  FirstFree free;
  for (auto span = begin; span != steps->spans.end(); ++span) {
    span->level = free.Place(span->start_ps, WrapAdd(span->start_ps, span->duration_ps));
  }
}

bool SelectsHost(const HostSteps& host, const PlaceFilter& place) {
  return std::any_of(host.steps.begin(), host.steps.end(),
                     [&](const StepTime& step) { return place.TakesStep(step.number); });
}

}  // namespace

Result<ExportedSteps> ExportSteps(const ExportedLanes& exported, Context& context) {
  TFPROF_ASSIGN(const std::vector<StepExtent> extents, StepExtents(exported, context));
  ExportedSteps steps;
  for (size_t i = 0; i < extents.size(); ++i) {
    const StepExtent& extent = extents[i];
    if (extent.first_ps == kNoTime) continue;
    AddStep(exported.store->steps[i].number, extent.first_ps,
            WrapAdd(extent.last_ps, -extent.first_ps), 0, &steps);
    steps.spans.back().step = StepId(i);
  }
  PlaceSteps(0, &steps);
  return steps;
}

Result<ExportedSteps> ExportHostSteps(const Store& store, const Indexes& indexes,
                                      const PlaceFilter& place, Trace* trace, Context& context) {
  ExportedSteps steps;
  TFPROF_ASSIGN(const std::vector<HostSteps> hosts, MeasureSteps(store, indexes, place, context));
  for (const HostSteps& host : hosts) {
    if (!SelectsHost(host, place)) continue;
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
