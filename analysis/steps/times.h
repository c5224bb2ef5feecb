// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "analysis/steps/classes.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/store/store.h"

// How long the steps of a trace took, and what for. The definitions are those of xprof
// (xprof/convert/xplane_to_step_events.cc, step_events_to_steps_db.cc); docs/views/input.md tells
// them and where they are not followed.

namespace tfprof {

class Indexes;

struct StepTime {
  int64_t group_id = 0;  // EventGroup::id
  std::string name;      // "train 3", or only its number
  int64_t number = 0;    // what -step asks for
  int64_t start_ps = 0;
  int64_t duration_ps = 0;     // > 0
  ClassTimes class_ps{};       // within it, of all devices or threads of the host together
  int64_t collectives_ps = 0;  // within it, when at least one runs, also while something computes

  int64_t SpanPs() const { return duration_ps; }
  int64_t EndPs() const { return start_ps + duration_ps; }
  int64_t OtherPs() const;  // of no class
};

struct HostSteps {
  HostId host;
  DeviceKind device = DeviceKind::other;  // other: it has none, the classes are those of the host
  std::vector<StepTime> steps;            // by group
  ClassTimes all_ps{};                    // of all of them, also outside of their markers

  bool has_device() const { return device != DeviceKind::other; }
};

// "step 3", where the trace is of several hosts "step 3 of worker-1".
std::string StepName(const Store& trace, HostId host, int64_t number);

// Of every host that -host lets through; of the devices that -device lets through, where anything
// ran on one, else of the host's threads. -step is not looked at.
// - A step is as long as the longest of its markers. On a GPU that is the hull of its kernels and
//   copies, those without a group counting to the last group seen; on a TPU its step line has
//   them; on a host they are what begins with train, test or TraceContext, or begins the group.
// - A step without compute is none.
// Error: cancelled.
Result<std::vector<HostSteps>> MeasureSteps(const Store& store, const Indexes& indexes,
                                            const PlaceFilter& place, Context& context);

// An index: the same of all hosts and devices.
struct AllSteps {
  using Value = std::vector<HostSteps>;
  static Result<Value> Build(const Indexes& indexes, Context& context);
};

// Whether devices tell the steps of all hosts: then nobody asks the events of hosts for groups.
bool DevicesTellSteps(const Store& store, const PlaceFilter& place);

}  // namespace tfprof
