// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "analysis/steps/grouping/event_roots.h"
#include "core/base/column.h"
#include "core/base/context.h"
#include "core/base/result.h"
#include "core/store/store.h"

// Most events just belong to the group of the events that enclose them. The others are linked
// events: events with links, roots, and steps of TPUs. Groups are passed on among linked events;
// every other event takes the group of the linked event that encloses it.

namespace tfprof {

class Indexes;

// A device whose events are grouped by those of one of its lanes: a TPU with steps or programs.
struct GroupedDevice {
  Range rows;  // of all its lanes
  LaneId by;
};
std::vector<GroupedDevice> GroupedDevices(const Store& store, std::span<const ProcessId> processes);

struct LinkedPair {
  uint32_t from = 0;  // indexes of linked events
  uint32_t to = 0;
};

struct LinkedEvents {
  std::vector<uint32_t> row;
  std::vector<uint32_t> around;  // the linked event that encloses it, or EventGroups::kNone
  std::vector<LinkedPair> links;
};

// Finds the linked events of a host's processes, whose rows are `rows`. Sets linked_id_of, kNone
// before, to the index of the linked event of every row. Errors: cancelled, a damaged file.
Result<LinkedEvents> FindLinkedEvents(const Store& store, const Indexes& indexes,
                                      std::span<const ProcessId> processes,
                                      const std::vector<EventRoot>& roots,
                                      std::span<const GroupedDevice> devices, Range rows,
                                      Column<uint32_t>* linked_id_of, Context& context);

}  // namespace tfprof
