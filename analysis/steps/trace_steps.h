// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "analysis/steps/event_groups.h"
#include "analysis/steps/times.h"

namespace tfprof {

// What one plane of a trace did in one step: the events of the step's group, wherever they lie, but
// for markers and other events of a host that only enclose what has the time (HostText::wrapper).
struct PlaneStep {
  ProcessId process;
  uint32_t step = 0;  // of HostSteps::steps
  int64_t records = 0;
  int64_t time_ps = 0;  // of all threads or streams added up; what lies within another not again

  // How long the step lasts here. Of a device: its event of the line Steps, where the recorder
  // wrote one. Else, since devices may do a step at different moments, from its first to its last
  // event; as long as the step of the host where the greater part of that lies in it. Of a host's
  // threads the step that they tell; kNoInt: devices tell it, and threads work for it before and
  // after.
  int64_t step_ps = kNoInt;
  // Of a device: of that, when it runs only what is of other steps or of none: steps overlap, and
  // what they have in common is idle in none of them. Of hosts 0.
  int64_t others_ps = 0;

  // The rest is, of threads that tell the step, of what lies in it.
  int64_t busy_ps = 0;  // in which at least one thread or stream runs
  // Of it, in which a TPU only awaits what runs beside its operations (analysis/ops/async_done.h);
  // kNoInt: other devices and hosts do not tell.
  int64_t waiting_ps = kNoInt;
  // Of it, in which nothing runs but collectives, that is while it exchanges data with other
  // devices or waits until they are there. kNoInt: the plane has none, as those of hosts.
  int64_t exchange_ps = kNoInt;
  int64_t start_ps = kNoTime;
  int64_t end_ps = kNoTime;
  LabelId first;     // what began first
  int64_t gaps = 0;  // times of the step when none runs, of others neither; those at its ends too
  int64_t longest_gap_ps = 0;
  LabelId after_longest_gap;  // what ended it; none: the end of the step

  bool HasIdle() const { return step_ps != kNoInt; }
  // step_ps - busy_ps - others_ps: the gaps together; kNoInt: !HasIdle()
  int64_t IdlePs() const;
};

// By step, then process; planes without events in a step are left out. Of the planes that -host and
// -device let through. Cost: one pass over the events of the host by start, and another over those
// of devices whose steps overlap, or which also do what is of no step. Error: cancelled.
Result<std::vector<PlaneStep>> PlaneStepsOf(const Store& store, const Indexes& indexes,
                                            const EventGroups& groups, const HostSteps& host,
                                            const PlaceFilter& place, Context& context);

}  // namespace tfprof
