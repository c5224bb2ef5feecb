// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/steps/trace_steps.h"

// Sums over the events of one plane within the steps of its host. Part of PlaneStepsOf.

namespace tfprof {

class Indexes;

struct HostPlanes {
  const Store& store;
  const Indexes& indexes;
  const EventGroups& groups;
  const HostSteps& host;
  // by group: index into host.steps; kNone: not a step of that host
  std::vector<uint32_t> step_of = {};
};

// Facts about the events of a plane that depend on their label.
struct PlaneText {
  bool encloses = false;       // only encloses other events
  bool is_async_done = false;  // an async-done instruction
  bool exchanges = false;      // a collective
};

// By label of the plane. Error: cancelled.
Result<std::vector<PlaneText>> TextsOfPlane(const HostPlanes& of, ProcessId id, Context& context);

// A time in which a plane runs events without a gap.
struct BusyTime {
  int64_t start_ps;
  int64_t end_ps;
  LabelId first;  // the event that started it
};

struct PlaneSums {
  std::vector<DeviceStep> steps;  // by step of the host
  bool any_outside = false;       // some work belongs to no step
  std::vector<BusyTime> busy;     // of a device: all its work, by start
};

// Counts work: neither markers nor events that only enclose others. Error: cancelled.
Result<PlaneSums> SumsOfPlane(const HostPlanes& of, ProcessId id,
                              const std::vector<PlaneText>& texts, Context& context);

}  // namespace tfprof
