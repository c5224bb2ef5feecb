// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/intervals/lanes_by_start.h"
#include "analysis/steps/trace_steps.h"

// What the events of one plane add up to in the steps of its host. A piece of PlaneStepsOf.

namespace tfprof {

class Indexes;

struct HostPlanes {
  const Store& store;
  const Indexes& indexes;
  const EventGroups& groups;
  const HostSteps& host;
  std::vector<uint32_t> step_of = {};  // by group, of host.steps; kNone: it is no step of that host
};

// What is known of the events of a plane by their label.
struct PlaneText {
  bool encloses = false;   // only other events
  bool awaits = false;     // only what runs beside it
  bool exchanges = false;  // a collective
};

// By label of the plane. Error: cancelled.
Result<std::vector<PlaneText>> TextsOfPlane(const HostPlanes& of, ProcessId id, Context& context);

// An event that is work of the plane: no marker, and nothing that only encloses others.
bool IsWork(const HostPlanes& of, PlaneText text, uint32_t row);

LanesByStart<> WorkByStart(const Store& store, const Process& process);

// By step of the host. `others`: set where some events are of no step. Error: cancelled.
Result<std::vector<DeviceStep>> SumsOfPlane(const HostPlanes& of, ProcessId id,
                                            const std::vector<PlaneText>& texts, bool* others,
                                            Context& context);

}  // namespace tfprof
