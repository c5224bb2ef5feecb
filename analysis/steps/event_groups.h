// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/base/context.h"
#include "core/base/narrow.h"
#include "core/query/query.h"
#include "core/store/store.h"

// Which events of a trace belong together: those of a step, where the program marks its steps, else
// those of one run of a function. The rules are those of the recorder's own grouping
// (tsl/profiler/utils/group_events.cc of openxla/xla); docs/views/steps.md tells them.

namespace tfprof {

class Indexes;

struct EventGroup {
  HostId host;
  int64_t id = 0;      // as the file numbers it, else 0.. in the order of `root`
  int64_t number = 0;  // what -step asks for: of a host without devices, the program's own number
  EventId root;        // the event that the others come from; none: the file tells the groups
  bool is_marked = false;  // `root` was made by the program, to mark a step
};

struct EventGroups {
  static constexpr uint32_t kNone = NarrowColumn::kNone;
  NarrowColumn of_event;           // by EventId, of `groups` or kNone; empty: no processes
  std::vector<EventGroup> groups;  // by source, then id

  static Result<EventGroups> Build(const Indexes& indexes, Context& context);
};

// Of EventGroups: where every plane that has events tells their groups, those. Else an event
// belongs with what lies around it on its lane (analysis/intervals/nesting.h) and what it is linked
// from (analysis/links/event_links.h): roots are what says so (`root_level`), the higher levels
// first, then by start; what no such root reaches begins at executors of functions. Events of a TPU
// belong with its step, or its program where it has no steps. Cost: one pass over the events, and
// over the links. Error: cancelled.
//
// The same, enough for events of devices: where every plane tells its groups, those of hosts are
// left alone. Their events have none then, and groups that they alone have are missing.
Result<std::shared_ptr<const EventGroups>> GroupsOfDevices(const Indexes& indexes,
                                                           Context& context);

// Whether anything ran on a GPU or TPU of that host.
bool HasDeviceWork(const Store& store, HostId host);

// "train 3": the text of the root and the number. Only of marked groups.
std::string GroupName(const Store& store, const EventGroup& group);

// The groups that -step asks for, by index of EventGroups::groups; empty: -step was not given, and
// all events count. Marked groups go before others of the same number.
// Error: usage, there is no such step.
Result<std::vector<bool>> GroupsOfStep(const EventGroups& groups, const PlaceFilter& place);

}  // namespace tfprof
