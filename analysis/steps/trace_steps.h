// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <utility>
#include <vector>

#include "analysis/steps/grouping/event_groups.h"
#include "analysis/steps/step_table.h"
#include "analysis/steps/times.h"

namespace tfprof {

class Indexes;

// Returns the activity by step, then process, for the planes selected by -host and -device; omits
// planes without events in a step. Cost: one pass over the events of the host by start, and another
// one over those of devices whose steps overlap, or which have events outside of steps. Error:
// cancelled.
Result<std::vector<DeviceStep>> PlaneStepsOf(const Store& store, const Indexes& indexes,
                                             const EventGroups& groups, const HostSteps& host,
                                             const PlaceFilter& place, StepPlanes planes,
                                             Context& context);

// An index: the result for each host of AllSteps.
struct AllPlaneSteps {
  using Value = std::vector<std::vector<DeviceStep>>;
  using Key = std::pair<StepBasis, StepPlanes>;
  static constexpr size_t kKept = 2;
  static Result<Value> Build(const Indexes& indexes, Key key, Context& context);
};

}  // namespace tfprof
