// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/inferred_steps.h"

#include "analysis/steps/grouping/group_by_times.h"
#include "analysis/steps/times.h"
#include "analysis/wall/times.h"

namespace tfprof {
namespace {

// Adds the steps of a host and the events that belong to them.
Result<void> AddStepsOfHost(const Store& store, const HostWall& wall, TimeGroups* by_time,
                            InferredSteps* steps, Context& context) {
  const auto first = static_cast<uint32_t>(steps->windows.size());
  const bool apart = !wall.steps.on_thread.empty();
  std::vector<StepWindow> windows;  // in which events of the step start
  for (size_t i = 0; i < wall.steps.steps.size(); ++i) {
    const Interval& step = wall.steps.steps[i];
    const Interval& begins = apart ? wall.steps.on_thread[i] : step;
    windows.push_back({begins.start_ps, begins.end_ps});
    steps->windows.push_back({step.start_ps, step.end_ps});
    steps->groups.groups.push_back(
        {wall.host, static_cast<int64_t>(i), wall.steps.numbers[i], EventId(), false});
  }
  for (const Process& process : store.processes) {
    if (process.host != wall.host) continue;
    for (const Lane& lane : store.LanesOf(process)) {
      TFPROF_TRY(Poll(context));
      by_time->AddLane(lane, windows, first, process.device.some() && !wall.steps.on_device);
    }
  }
  return {};
}

}  // namespace

Result<InferredSteps> InferredSteps::Build(const Indexes& indexes, Context& context) {
  const Store& store = *indexes.store();
  InferredSteps steps;
  TFPROF_ASSIGN(const auto recorded, indexes.Get<AllSteps>(StepBasis::recorded, context));
  if (!store.IsTrace() || AnySteps(*recorded)) return steps;
  TFPROF_ASSIGN(const auto times, indexes.Get<WallTimes>(context));
  TFPROF_ASSIGN(const auto links, indexes.Get<LaunchLinks>(context));
  steps.groups.of_event = NarrowColumn(store.EventCount());
  TimeGroups by_time(store, *links, &steps.groups);
  for (const HostWall& wall : times->hosts) {
    TFPROF_TRY(AddStepsOfHost(store, wall, &by_time, &steps, context));
  }
  by_time.Finish();
  return steps;
}

Result<IndexPtr<EventGroups>> GroupsOfSteps(const Indexes& indexes, const PlaceFilter& place,
                                            Context& context) {
  if (StepBasisOf(place) == StepBasis::recorded) return indexes.Get<EventGroups>(context);
  TFPROF_ASSIGN(const auto inferred, indexes.Get<InferredSteps>(context));
  if (inferred->windows.empty()) return indexes.Get<EventGroups>(context);
  return IndexPtr<EventGroups>(inferred, &inferred->groups);
}

}  // namespace tfprof
