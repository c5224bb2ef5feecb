// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/indexes.h"
#include "analysis/steps/event_groups.h"
#include "core/query/query.h"

namespace tfprof {

// The events that -step asks for; without it, all.
struct ChosenEvents {
  IndexPtr<EventGroups> groups;  // null: all events
  std::vector<bool> chosen;      // by group
  bool marked_only = false;      // groups that nothing marks are no steps

  bool All() const { return groups == nullptr; }
  bool Takes(uint32_t row) const {
    if (groups == nullptr) return true;
    const uint32_t group = groups->of_event[row];
    return group != EventGroups::kNone && chosen[group];
  }
  // Whatever -step asks for, it is left out.
  bool IsOfNoStep(uint32_t row) const {
    if (groups == nullptr) return false;
    const uint32_t group = groups->of_event[row];
    return group == EventGroups::kNone || (marked_only && !groups->groups[group].is_marked);
  }
};

// What -step can ask for, ascending: the steps of a profile; of a trace its steps, those of the
// asked places, where a host may tell others than its devices, and groups with a marker. Error:
// cancelled.
Result<std::vector<int64_t>> StepNumbers(const Store& store, const Indexes& indexes,
                                         const PlaceFilter& place, Context& context);

// Where the trace has steps only those can be asked for; else any group: the runs of functions. A
// store without processes has no groups: all events.
// Errors: usage, there is no such step; cancelled.
Result<ChosenEvents> ChooseEvents(const Store& store, const Indexes& indexes,
                                  const PlaceFilter& place, Context& context);

}  // namespace tfprof
