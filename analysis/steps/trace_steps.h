// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/steps/event_groups.h"
#include "analysis/steps/step_table.h"
#include "analysis/steps/times.h"

namespace tfprof {

class Indexes;

// By step, then process; planes without events in a step are left out. Of the planes that -host and
// -device let through. Cost: one pass over the events of the host by start, and another over those
// of devices whose steps overlap, or which also do what is of no step. Error: cancelled.
Result<std::vector<DeviceStep>> PlaneStepsOf(const Store& store, const Indexes& indexes,
                                             const EventGroups& groups, const HostSteps& host,
                                             const PlaceFilter& place, Context& context);

// An index: those of each host of AllSteps.
struct AllPlaneSteps {
  using Value = std::vector<std::vector<DeviceStep>>;
  static Result<Value> Build(const Indexes& indexes, Context& context);
};

}  // namespace tfprof
