// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "analysis/steps/grouping/event_groups.h"

namespace tfprof {

class Indexes;

// Groups the events of these processes by their roots; see GroupEvents. `groups->of_event` must
// have a row per event, kNone for these processes.
Result<void> GroupByRoots(const Store& store, const Indexes& indexes,
                          std::span<const ProcessId> processes, EventGroups* groups,
                          Context& context);

}  // namespace tfprof
