// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/indexes.h"
#include "analysis/steps/grouping/event_groups.h"
#include "analysis/steps/spans.h"
#include "core/base/context.h"
#include "core/query/query.h"

namespace tfprof {

// The steps of a trace that records no step with compute. They are groups of events, so that the
// analyses of recorded steps measure them too. WallSteps describes what they are inferred from.
struct InferredSteps {
  // One group per step. An event belongs to the step in which it starts; the work of a device to
  // the step of the call that launched it, if that is recorded.
  EventGroups groups;
  std::vector<StepWindow> windows;  // by group

  // An index. No groups: steps are recorded, or nothing repeats. Error: cancelled.
  static Result<InferredSteps> Build(const Indexes& indexes, Context& context);
};

// Returns the groups that the steps of MeasureSteps(place) consist of.
Result<IndexPtr<EventGroups>> GroupsOfSteps(const Indexes& indexes, const PlaceFilter& place,
                                            Context& context);

}  // namespace tfprof
