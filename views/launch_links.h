// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "views/event_links.h"
#include "views/indexes.h"

// Links between launches and what they launched, which are the most. A piece of LinkEvents.

namespace tfprof {

// An event and what links it.
struct LinkEnd {
  int64_t number = 0;
  uint32_t type = 0;  // of numbers; those of different types have nothing in common
  EventId event;

  bool SameAs(const LinkEnd& other) const { return type == other.type && number == other.number; }
};

struct FoundLink {
  EventId from;
  EventId to;
  LinkKind kind;
};

struct FoundLinks {
  std::vector<FoundLink> found;
  int64_t crowded = 0;  // numbers that too many events share

  void Add(EventId from, EventId to, LinkKind kind) {
    if (from != to) found.push_back({from, to, kind});
  }
};

constexpr uint32_t kLinksPerPoll = 1 << 16;

// Calls take(row) for the rows of a process's lanes that were recorded.
template <class Take>
Result<void> EachRecorded(const Store& store, const Process& process, Context& context, Take take) {
  for (uint32_t i = process.lanes.first; i < process.lanes.first + process.lanes.count; ++i) {
    const Lane& lane = store.lanes[i];
    if (lane.derived) continue;
    for (uint32_t row = lane.rows.first; row < lane.rows.first + lane.rows.count; ++row) {
      if (row % kLinksPerPoll == 0) TFPROF_TRY(Poll(context));
      take(row);
    }
  }
  return {};
}

// Every `to` from the last of `from` that began before it, else from the first. Sorts `from`.
void LinkToLatest(std::span<LinkEnd> from, std::span<const LinkEnd> to, LinkKind kind,
                  const Store& store, FoundLinks* links);

struct LaunchSources {
  const Store& store;
  const Indexes& indexes;
  Context& context;
};
// False, and nothing is done: the numbers lie more than 2^32 apart. Error: cancelled.
Result<bool> LinkLaunches(const LaunchSources& of, std::span<const ProcessId> host,
                          std::span<const ProcessId> device, FoundLinks* links);

}  // namespace tfprof
