// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/indexes.h"
#include "analysis/steps/grouping/event_groups.h"
#include "core/query/query.h"

namespace tfprof {

// The events that -step selects; without -step, all events.
struct ChosenEvents {
  IndexPtr<EventGroups> groups;  // null: all events
  std::vector<bool> chosen;      // by group
  bool marked_only = false;      // groups without a marker are not steps

  bool All() const { return groups == nullptr; }
  bool Takes(uint32_t row) const {
    if (groups == nullptr) return true;
    const uint32_t group = groups->of_event[row];
    return group != EventGroups::kNone && chosen[group];
  }
  // Returns true if the event is excluded whatever -step selects.
  bool IsOutsideSteps(uint32_t row) const {
    if (groups == nullptr) return false;
    const uint32_t group = groups->of_event[row];
    return group == EventGroups::kNone || (marked_only && !groups->groups[group].is_marked);
  }
};

// Returns the valid numbers for -step, ascending. In a profile: its steps. In a trace: the steps of
// the selected places (a host may record others than its devices) and groups with a marker. Error:
// cancelled.
Result<std::vector<int64_t>> StepNumbers(const Store& store, const Indexes& indexes,
                                         const PlaceFilter& place, Context& context);

// If the trace has steps, only those can be selected; else any group, that is, any run of a
// function. A store without processes has no groups: all events are selected. Errors: usage, no
// such step; cancelled.
Result<ChosenEvents> ChooseEvents(const Store& store, const Indexes& indexes,
                                  const PlaceFilter& place, Context& context);

}  // namespace tfprof
