// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/base/context.h"
#include "core/base/narrow.h"
#include "core/query/query.h"
#include "core/store/store.h"

// Groups of events: steps if the program marks them, else runs of functions. The rules are those of
// the recorder's own grouping (tsl/profiler/utils/group_events.cc of openxla/xla);
// docs/views/steps.md describes them.

namespace tfprof {

class Indexes;

struct EventGroup {
  HostId host;
  int64_t id = 0;  // as numbered in the file, else from 0 in the order of `root`
  // the number that -step selects: on a host without devices, the program's own number
  int64_t number = 0;
  EventId root;  // the event that the group starts from; none: the file records the groups
  bool is_marked = false;  // the program created `root` to mark a step
};

struct EventGroups {
  static constexpr uint32_t kNone = NarrowColumn::kNone;
  NarrowColumn of_event;           // by EventId: index into `groups` or kNone; empty: no processes
  std::vector<EventGroup> groups;  // by source, then id

  static Result<EventGroups> Build(const Indexes& indexes, Context& context);
};

// Builds EventGroups from the file if every plane with events records its groups. Otherwise an
// event belongs to the group of the events that enclose it on its lane
// (analysis/intervals/nesting.h) and that link to it (analysis/links/event_links.h). Groups start
// at roots: events with `root_level`, higher levels first, then by start; events that no such root
// reaches start at executors of functions. Events of a TPU belong to its step, or to its program if
// it has no steps. Cost: one pass over the events, and one over the links. Error: cancelled.
//
// GroupsOfDevices is enough for the events of devices: if every plane records its groups, it skips
// those of hosts. Their events have no group then, and groups that only hosts have are missing.
Result<std::shared_ptr<const EventGroups>> GroupsOfDevices(const Indexes& indexes,
                                                           Context& context);

// Returns true if anything ran on a GPU or TPU of that host.
bool HasDeviceWork(const Store& store, HostId host);

// Returns "train 3": the text of the root, and the number unless the text ends with it: "Step#3".
// REQUIRES: the group is marked.
std::string GroupName(const Store& store, const EventGroup& group);

// Returns the groups that -step selects, by index into EventGroups::groups; empty: -step is not
// given, and all events count. Marked groups precede others with the same number. Error: usage, no
// such step.
Result<std::vector<bool>> GroupsOfStep(const EventGroups& groups, const PlaceFilter& place);

}  // namespace tfprof
