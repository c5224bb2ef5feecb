// SPDX-License-Identifier: Apache-2.0
#include "views/launch_links.h"

#include <algorithm>
#include <limits>

#include "core/sort_keys.h"

namespace tfprof {
namespace {

using Ends = std::vector<LinkEnd>;
using Processes = std::span<const ProcessId>;

// The events of a host that have a correlation number: nearly all. Keys of 8 bytes, the number
// from `least` on and then the row, are half of what a LinkEnd takes.
struct OfProcess {
  ProcessId id;
  IndexPtr<DetailColumn> numbers;
};
struct Correlated {
  std::vector<OfProcess> columns = {};
  size_t events = 0;
  int64_t least = std::numeric_limits<int64_t>::max();
  int64_t most = std::numeric_limits<int64_t>::min();
};

Result<Correlated> FindCorrelated(const LaunchSources& of, Processes processes) {
  Correlated found;
  for (const ProcessId id : processes) {
    TFPROF_ASSIGN(auto column, of.indexes.Details(id, "correlation", of.context));
    if (column->rows.count == 0) continue;
    TFPROF_TRY(EachRecorded(of.store, of.store.processes[id.value], of.context, [&](uint32_t row) {
      if (!column->Has(row)) return;
      const int64_t number = column->Integer(row);
      found.least = std::min(found.least, number);
      found.most = std::max(found.most, number);
      ++found.events;
    }));
    found.columns.push_back({id, std::move(column)});
  }
  return found;
}

// REQUIRES: no number is more than 2^32 from `least`.
Result<std::vector<uint64_t>> SortedKeys(const LaunchSources& of, const Correlated& events,
                                         int64_t least, std::vector<uint64_t>* scratch) {
  std::vector<uint64_t> keys;
  keys.reserve(events.events);
  for (const OfProcess& process : events.columns) {
    const DetailColumn& numbers = *process.numbers;
    const Process& recorded = of.store.processes[process.id.value];
    TFPROF_TRY(EachRecorded(of.store, recorded, of.context, [&](uint32_t row) {
      if (!numbers.Has(row)) return;
      keys.push_back(static_cast<uint64_t>(numbers.Integer(row) - least) << 32 | row);
    }));
  }
  SortKeys(&keys, 32, scratch);
  return keys;
}

void LinkLaunch(std::span<const uint64_t> from, std::span<const uint64_t> to, const Store& store,
                FoundLinks* links) {
  const auto event_of = [](uint64_t key) { return EventId(static_cast<uint32_t>(key)); };
  if (from.size() == 1) {
    for (const uint64_t key : to) {
      links->Add(event_of(from.front()), event_of(key), LinkKind::launch);
    }
    return;
  }
  Ends f, t;
  for (const uint64_t key : from) f.push_back({0, 0, event_of(key)});
  for (const uint64_t key : to) t.push_back({0, 0, event_of(key)});
  LinkToLatest(f, t, LinkKind::launch, store, links);
}

Result<void> LinkSorted(std::span<const uint64_t> from, std::span<const uint64_t> to,
                        const LaunchSources& of, FoundLinks* links) {
  const auto end_of = [](std::span<const uint64_t> keys) {
    size_t end = 1;
    while (end < keys.size() && keys[end] >> 32 == keys[0] >> 32) ++end;
    return end;
  };
  size_t polls = 0;
  while (!from.empty() && !to.empty()) {
    if (++polls % kLinksPerPoll == 0) TFPROF_TRY(Poll(of.context));
    const uint64_t f = from[0] >> 32, t = to[0] >> 32;
    const size_t of_from = f <= t ? end_of(from) : 0, of_to = t <= f ? end_of(to) : 0;
    if (f == t) LinkLaunch(from.first(of_from), to.first(of_to), of.store, links);
    from = from.subspan(of_from);
    to = to.subspan(of_to);
  }
  return {};
}

}  // namespace

Result<bool> LinkLaunches(const LaunchSources& of, Processes host, Processes device,
                          FoundLinks* links) {
  TFPROF_ASSIGN(const Correlated from, FindCorrelated(of, host));
  if (from.events == 0) return true;
  TFPROF_ASSIGN(const Correlated to, FindCorrelated(of, device));
  const int64_t least = std::min(from.least, to.least);
  const uint64_t span =
      static_cast<uint64_t>(std::max(from.most, to.most)) - static_cast<uint64_t>(least);
  if (span > 0xFFFFFFFFu) return false;
  std::vector<uint64_t> scratch;
  TFPROF_ASSIGN(const auto from_keys, SortedKeys(of, from, least, &scratch));
  TFPROF_ASSIGN(const auto to_keys, SortedKeys(of, to, least, &scratch));
  TFPROF_TRY(LinkSorted(from_keys, to_keys, of, links));
  return true;
}

}  // namespace tfprof
