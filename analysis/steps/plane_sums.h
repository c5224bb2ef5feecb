// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/intervals/lanes_by_start.h"
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

// Returns true if an event is work of the plane: neither a marker nor an event that only encloses
// others.
bool IsWork(const HostPlanes& of, PlaneText text, uint32_t row);

LanesByStart<> WorkByStart(const Store& store, const Process& process);

// Returns sums by step of the host. Sets `others` if some events belong to no step. Error:
// cancelled.
Result<std::vector<DeviceStep>> SumsOfPlane(const HostPlanes& of, ProcessId id,
                                            const std::vector<PlaneText>& texts, bool* others,
                                            Context& context);

}  // namespace tfprof
