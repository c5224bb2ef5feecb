// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "analysis/steps/event_groups.h"

namespace tfprof {

class Indexes;

// Puts the events of these processes into groups by their roots; see GroupEvents.
// `groups->of_event` must have a row per event, kNone for these.
Result<void> GroupByRoots(const Store& store, const Indexes& indexes,
                          std::span<const ProcessId> processes, EventGroups* groups,
                          Context& context);

}  // namespace tfprof
