// SPDX-License-Identifier: Apache-2.0
#include "views/chosen_events.h"

#include <algorithm>

#include "views/steps/times.h"

namespace tfprof {
namespace {

// Of the asked places, where the host may tell others than its devices, and of all.
Result<void> CheckStep(const Store& store, const Indexes& indexes, const EventGroups& groups,
                       const Query& query, Context& context) {
  bool any = false;
  for (const EventGroup& group : groups.groups) {
    if (group.is_marked && query.TakesStep(group.number)) return {};
    any = any || group.is_marked;
  }
  Query places;
  places.host = query.host;
  places.device = query.device;
  for (const Query& of : {Query(), places}) {
    TFPROF_ASSIGN(const auto hosts, MeasureSteps(store, indexes, of, context));
    for (const HostSteps& host : hosts) {
      for (const StepTime& step : host.steps) {
        if (query.TakesStep(step.number)) return {};
        any = true;
      }
    }
  }
  if (!any) return {};
  return Fail(ErrorKind::usage, "no step " + query.StepText(), "", "steps lists them");
}

}  // namespace

Result<ChosenEvents> ChooseEvents(const Store& store, const Indexes& indexes, const Query& query,
                                  Context& context) {
  ChosenEvents events;
  if (query.step < 0 || store.processes.empty()) return events;
  TFPROF_ASSIGN(const auto groups, indexes.Groups(context));
  TFPROF_TRY(CheckStep(store, indexes, *groups, query, context));
  TFPROF_ASSIGN(events.chosen, GroupsOfStep(*groups, query));
  events.groups = groups;
  return events;
}

}  // namespace tfprof
