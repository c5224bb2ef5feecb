// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "analysis/steps/event_roots.h"
#include "core/base/column.h"
#include "core/base/context.h"
#include "core/base/result.h"
#include "core/store/store.h"

// Most events only follow what lies around them. The others are the knots: events that are linked,
// or roots, and the steps of TPUs. Groups are handed on among the knots; every other event takes
// that of its knot.

namespace tfprof {

class Indexes;

// A device whose events belong with those of one of its lanes: a TPU with steps or programs.
struct GroupedDevice {
  Range rows;  // of all of its lanes
  LaneId by;
};
std::vector<GroupedDevice> GroupedDevices(const Store& store, std::span<const ProcessId> processes);

struct KnotLink {
  uint32_t from = 0;  // knots
  uint32_t to = 0;
};

struct Knots {
  std::vector<uint32_t> row;
  std::vector<uint32_t> around;  // the knot that the event lies in, or EventGroups::kNone
  std::vector<KnotLink> links;
};

// Of the processes of a host, whose rows are `rows`. knot_of of every row, kNone before, becomes
// the number of its knot. Errors: cancelled, a damaged file.
Result<Knots> TieKnots(const Store& store, const Indexes& indexes,
                       std::span<const ProcessId> processes, const std::vector<EventRoot>& roots,
                       std::span<const GroupedDevice> devices, Range rows,
                       Column<uint32_t>* knot_of, Context& context);

}  // namespace tfprof
