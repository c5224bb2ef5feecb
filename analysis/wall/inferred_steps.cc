// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/inferred_steps.h"

#include <algorithm>

#include "analysis/links/launch_ops.h"
#include "analysis/steps/times.h"
#include "analysis/wall/times.h"

namespace tfprof {
namespace {

class Grouping {
 public:
  Grouping(const Store& store, const EventLinks& links, InferredSteps* steps)
      : store_(store), links_(links), steps_(*steps), writer_(&steps->groups.of_event) {}

  // Adds the steps of a host and the events that belong to them.
  Result<void> AddHost(const HostWall& wall, Context& context) {
    first_ = static_cast<uint32_t>(steps_.windows.size());
    for (size_t i = 0; i < wall.steps.steps.size(); ++i) {
      const Interval& step = wall.steps.steps[i];
      steps_.windows.push_back({step.start_ps, step.end_ps});
      steps_.groups.groups.push_back(
          {wall.host, static_cast<int64_t>(i), wall.steps.numbers[i], EventId(), false});
    }
    for (const Process& process : store_.processes) {
      if (process.host != wall.host) continue;
      for (const Lane& lane : store_.LanesOf(process)) {
        TFPROF_TRY(Poll(context));
        AddLane(lane, process.device.some() && !wall.steps.on_device);
      }
    }
    return {};
  }
  void Finish() { writer_.Finish(); }

 private:
  void AddLane(const Lane& lane, bool by_launch) {
    const Range rows = lane.PlacedRows();
    uint32_t begin = rows.first, last = EventGroups::kNone;
    for (const uint32_t row : rows) {
      const uint32_t group = StepAt(StartOf(row, by_launch));
      if (group == last) continue;
      Fill(begin, row, last);
      begin = row;
      last = group;
    }
    Fill(begin, rows.After(), last);
  }
  void Fill(uint32_t begin, uint32_t end, uint32_t group) {
    if (group != EventGroups::kNone) writer_.Fill({begin, end - begin}, group);
  }
  int64_t StartOf(uint32_t row, bool by_launch) const {
    const EventId launch = by_launch ? LaunchOf(links_, row) : EventId();
    return store_.events.start_ps[launch.some() ? launch.value : row];
  }
  // Returns the step at that time, kNone: none.
  uint32_t StepAt(int64_t time_ps) const {
    const auto begin = steps_.windows.begin() + first_;
    const auto after =
        std::ranges::upper_bound(begin, steps_.windows.end(), time_ps, {}, &StepWindow::start_ps);
    const bool within = after != begin && time_ps < (after - 1)->end_ps;
    return within ? static_cast<uint32_t>(after - 1 - steps_.windows.begin()) : EventGroups::kNone;
  }

  const Store& store_;
  const EventLinks& links_;
  InferredSteps& steps_;
  NarrowWriter writer_;
  uint32_t first_ = 0;  // the first step of the host
};

}  // namespace

Result<InferredSteps> InferredSteps::Build(const Indexes& indexes, Context& context) {
  const Store& store = *indexes.store();
  InferredSteps steps;
  TFPROF_ASSIGN(const auto recorded, indexes.Get<AllSteps>(StepBasis::recorded, context));
  if (!store.IsTrace() || AnySteps(*recorded)) return steps;
  TFPROF_ASSIGN(const auto times, indexes.Get<WallTimes>(context));
  TFPROF_ASSIGN(const auto links, indexes.Get<LaunchLinks>(context));
  steps.groups.of_event = NarrowColumn(store.EventCount());
  Grouping grouping(store, *links, &steps);
  for (const HostWall& wall : times->hosts) TFPROF_TRY(grouping.AddHost(wall, context));
  grouping.Finish();
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
