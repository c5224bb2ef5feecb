// SPDX-License-Identifier: Apache-2.0
#include "analysis/chosen_events.h"

#include <set>

#include "analysis/steps/step_selection.h"
#include "analysis/steps/times.h"
#include "analysis/wall/inferred_steps.h"

namespace tfprof {

Result<std::vector<int64_t>> StepNumbers(const Store& store, const Indexes& indexes,
                                         const PlaceFilter& place, Context& context) {
  std::set<int64_t> numbers;
  for (const Step& step : store.steps) numbers.insert(step.number);
  if (store.IsTrace()) {
    TFPROF_ASSIGN(const auto groups, indexes.Get<EventGroups>(context));
    for (const EventGroup& group : groups->groups) {
      if (group.is_marked) numbers.insert(group.number);
    }
    for (const PlaceFilter& of :
         {PlaceFilter{.exact = place.exact},
          PlaceFilter{.host = place.host, .device = place.device, .exact = place.exact}}) {
      TFPROF_ASSIGN(const auto hosts, MeasureSteps(store, indexes, of, context));
      for (const HostSteps& host : hosts) {
        for (const StepTime& step : host.steps) numbers.insert(step.number);
      }
    }
  }
  return std::vector<int64_t>(numbers.begin(), numbers.end());
}

Result<ChosenEvents> ChooseEvents(const Store& store, const Indexes& indexes,
                                  const PlaceFilter& place, Context& context) {
  ChosenEvents events;
  if (place.step < 0 || !store.IsTrace()) return events;
  TFPROF_ASSIGN(const auto groups, GroupsOfSteps(indexes, place, context));
  TFPROF_TRY(CheckStep(store, indexes, place, {}, context));
  TFPROF_ASSIGN(events.chosen, GroupsOfStep(*groups, place));
  events.groups = groups;
  for (size_t i = 0; i < events.chosen.size(); ++i) {
    events.marked_only |= events.chosen[i] && groups->groups[i].is_marked;
  }
  return events;
}

}  // namespace tfprof
