// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "analysis/links/event_links.h"
#include "analysis/steps/grouping/event_groups.h"
#include "analysis/steps/spans.h"
#include "core/base/narrow.h"

namespace tfprof {

// Groups events by the time at which they start: an event belongs to the step in which it starts,
// the work of a device to the step of the call that launched it, if that is recorded. What was
// launched before the recording began belongs to none.
class TimeGroups {
 public:
  TimeGroups(const Store& store, const EventLinks& links, EventGroups* groups)
      : store_(store), links_(links), writer_(&groups->of_event) {}

  // Adds the events of a lane. `windows`: steps by start, whose groups are `first` and so on.
  void AddLane(const Lane& lane, std::span<const StepWindow> windows, uint32_t first,
               bool by_launch);
  void Finish() { writer_.Finish(); }

 private:
  int64_t StartOf(uint32_t row, bool by_launch) const;
  void Fill(uint32_t begin, uint32_t end, uint32_t group);

  const Store& store_;
  const EventLinks& links_;
  NarrowWriter writer_;
};

// Returns true if a recorder with categories marked steps on a thread of these processes.
bool HasStepMarkers(const Store& store, std::span<const ProcessId> processes);

// Adds one group per marker, and what starts in it. A marker within another one is none. REQUIRES:
// HasStepMarkers; the processes are those of one host. Error: cancelled.
Result<void> GroupByMarkers(const Store& store, const Indexes& indexes,
                            std::span<const ProcessId> processes, EventGroups* groups,
                            Context& context);

}  // namespace tfprof
