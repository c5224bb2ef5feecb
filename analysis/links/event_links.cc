// SPDX-License-Identifier: Apache-2.0
#include "analysis/links/event_links.h"

#include <map>
#include <optional>
#include <span>
#include <tuple>

#include "analysis/indexes.h"
#include "analysis/intervals/start_order.h"
#include "analysis/links/launch_links.h"
#include "analysis/read_ahead.h"
#include "core/base/sorting.h"
#include "core/store/note_catalogue.h"

namespace tfprof {
namespace {

// An event and the number that links it.
struct LinkEnd {
  int64_t number = 0;
  uint32_t type = 0;  // type of the number; numbers of different types are unrelated
  EventId event;

  bool SameAs(const LinkEnd& other) const { return type == other.type && number == other.number; }
};
using LinkEnds = std::vector<LinkEnd>;

// By type and number; equal ones stay by row. Numbers of one type mostly count something.
void SortEnds(LinkEnds* ends) {
  const auto is_of_first = [&](const LinkEnd& end) { return end.type == ends->front().type; };
  if (std::all_of(ends->begin(), ends->end(), is_of_first)) {
    return StartOrder().SortBy(std::span(*ends), [](const LinkEnd& end) { return end.number; });
  }
  std::sort(ends->begin(), ends->end(), [](const LinkEnd& a, const LinkEnd& b) {
    return std::tie(a.type, a.number, a.event) < std::tie(b.type, b.number, b.event);
  });
}

// Calls match(froms, tos) for each number that both sides have.
template <class Match>
Result<void> EachPair(LinkEnds* from, LinkEnds* to, Context& context, Match match) {
  SortEnds(from);
  SortEnds(to);
  const auto is_before = [](const LinkEnd& a, const LinkEnd& b) {
    return std::tie(a.type, a.number) < std::tie(b.type, b.number);
  };
  size_t polls = 0;
  for (size_t f = 0, t = 0; f < from->size() && t < to->size();) {
    if (++polls % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    if (is_before((*from)[f], (*to)[t])) {
      ++f;
    } else if (is_before((*to)[t], (*from)[f])) {
      ++t;
    } else {
      size_t f_end = f, t_end = t;
      while (f_end < from->size() && (*from)[f_end].SameAs((*from)[f])) ++f_end;
      while (t_end < to->size() && (*to)[t_end].SameAs((*to)[t])) ++t_end;
      match(std::span(*from).subspan(f, f_end - f), std::span(*to).subspan(t, t_end - t));
      f = f_end;
      t = t_end;
    }
  }
  return {};
}

// Calls take(row) for the recorded rows of a process's lanes.
template <class Take>
Result<void> EachRecorded(const Store& store, const Process& process, Context& context, Take take) {
  for (const Lane& lane : store.LanesOf(process)) {
    if (lane.derived) continue;
    for (const uint32_t row : lane.rows) {
      if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
      take(row);
    }
  }
  return {};
}

// By label of the process: it has that role. Empty: none has.
std::vector<bool> LabelsOf(const Store& store, const Process& process, EventRole role) {
  std::vector<bool> named;
  bool any = false;
  for (const Label& label : store.LabelsOf(process)) {
    named.push_back(label.role == role);
    any |= named.back();
  }
  return any ? named : std::vector<bool>();
}

struct Linking {
  const Store& store;
  const Indexes& indexes;
  Context& context;
  EventLinks links = {};
  int64_t crowded = 0;                     // numbers that too many events share
  std::map<int64_t, uint32_t> types = {};  // numbered from 1, in order of appearance

  const Process& Of(ProcessId id) const { return store.processes[id.value]; }

  // Adds the events of these processes that have both numbers, only those of a role if there is
  // one. Without `type_key`, all have the same type.
  Result<void> AddEnds(std::span<const ProcessId> of, std::optional<AttributeKey> type_key,
                       AttributeKey number_key, LinkEnds* ends,
                       std::optional<EventRole> role = {}) {
    for (const ProcessId id : of) {
      const std::vector<bool> takes = role ? LabelsOf(store, Of(id), *role) : std::vector<bool>();
      if (role && takes.empty()) continue;
      TFPROF_ASSIGN(const auto numbers, indexes.Details(id, number_key, context));
      if (numbers->rows.count == 0) continue;
      IndexPtr<DetailColumn> of_type;
      if (type_key) {
        TFPROF_ASSIGN(of_type, indexes.Details(id, *type_key, context));
        if (of_type->rows.count == 0) continue;
      }
      const uint32_t first_label = Of(id).labels.first;
      TFPROF_TRY(EachRecorded(store, Of(id), context, [&](uint32_t row) {
        if (!numbers->Has(row) || (of_type != nullptr && !of_type->Has(row))) return;
        if (role && !takes[store.events.label[row].value - first_label]) return;
        const uint32_t type = of_type == nullptr ? 0 : TypeNumber(of_type->Integer(row));
        ends->push_back({numbers->Integer(row), type, EventId(row)});
      }));
    }
    return {};
  }

  uint32_t TypeNumber(int64_t type) {
    return types.try_emplace(type, static_cast<uint32_t>(types.size() + 1)).first->second;
  }
};

// ---- links -------------------------------------------------------------------------------------

// Links each event with each, unless so many events share a number that it identifies nothing. The
// result grows with the number of events, not with the product.
void LinkAll(std::span<const LinkEnd> from, std::span<const LinkEnd> to, Linking* linking) {
  constexpr size_t kFew = 64;
  const bool crowded = from.size() >= kFew && to.size() >= kFew;
  if (crowded || from.size() * to.size() > 8 * (from.size() + to.size()) + kFew * kFew) {
    ++linking->crowded;
    return;
  }
  for (const LinkEnd& end : to) {
    for (const LinkEnd& begin : from) {
      if (begin.event == end.event) continue;
      linking->links.Add(begin.event, end.event, LinkKind::hand_over);
    }
  }
}

// Links every `to` from the last of `from` that started before it, else from the first. Sorts
// `from`.
void LinkToLatest(std::span<LinkEnd> from, std::span<const LinkEnd> to, LinkKind kind,
                  const Store& store, EventLinks* links) {
  const auto start_of = [&](EventId event) { return store.events.start_ps[event.value]; };
  std::stable_sort(from.begin(), from.end(), [&](const LinkEnd& a, const LinkEnd& b) {
    return start_of(a.event) < start_of(b.event);
  });
  for (const LinkEnd& end : to) {
    const auto after = std::upper_bound(
        from.begin(), from.end(), start_of(end.event),
        [&](int64_t start_ps, const LinkEnd& other) { return start_ps < start_of(other.event); });
    const EventId begin = after == from.begin() ? from.front().event : (after - 1)->event;
    if (begin != end.event) links->Add(begin, end.event, kind);
  }
}

// ---- the links of one host ---------------------------------------------------------------------

// Links launches like LinkLaunches, for any range of numbers.
Result<void> LinkFarLaunches(Linking& linking, std::span<const ProcessId> host,
                             std::span<const ProcessId> device) {
  LinkEnds from, to;
  TFPROF_TRY(linking.AddEnds(host, {}, AttributeKey::correlation, &from));
  TFPROF_TRY(linking.AddEnds(device, {}, AttributeKey::correlation, &to));
  return EachPair(&from, &to, linking.context, [&](std::span<LinkEnd> f, std::span<LinkEnd> t) {
    LinkToLatest(f, t, LinkKind::launch, linking.store, &linking.links);
  });
}

Result<void> LinkHandOvers(Linking& linking, std::span<const ProcessId> all) {
  LinkEnds from, to;
  TFPROF_TRY(linking.AddEnds(all, AttributeKey::producer_type, AttributeKey::producer, &from));
  TFPROF_TRY(linking.AddEnds(all, AttributeKey::consumer_type, AttributeKey::consumer, &to));
  return EachPair(&from, &to, linking.context,
                  [&](std::span<LinkEnd> f, std::span<LinkEnd> t) { LinkAll(f, t, &linking); });
}

Result<void> LinkIterations(Linking& linking, std::span<const ProcessId> host) {
  LinkEnds from, to;
  TFPROF_TRY(linking.AddEnds(host, AttributeKey::executor, AttributeKey::iteration, &from,
                             EventRole::graph_executor));
  TFPROF_TRY(linking.AddEnds(host, AttributeKey::executor, AttributeKey::iteration, &to,
                             EventRole::input_fetch));
  return EachPair(&from, &to, linking.context, [&](std::span<LinkEnd> f, std::span<LinkEnd> t) {
    LinkToLatest(f, t, LinkKind::iteration, linking.store, &linking.links);
  });
}

struct ProcessesOfHost {
  std::vector<ProcessId> host, device;
};

ProcessesOfHost ProcessesOf(const Store& store, HostId of) {
  ProcessesOfHost found;
  for (size_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    if (process.host != of) continue;
    if (process.kind == ProcessKind::host) found.host.emplace_back(i);
    if (process.kind == ProcessKind::device) found.device.emplace_back(i);
  }
  return found;
}

Result<void> LinkLaunchesOf(Linking& linking, HostId of) {
  const auto [host, device] = ProcessesOf(linking.store, of);
  if (device.empty()) return {};
  TFPROF_ASSIGN(const bool near, LinkLaunches(linking.store, linking.indexes, host, device,
                                              &linking.links, linking.context));
  return near ? Result<void>() : LinkFarLaunches(linking, host, device);
}

Result<void> LinkOthersOf(Linking& linking, HostId of) {
  const auto [host, device] = ProcessesOf(linking.store, of);
  std::vector<ProcessId> all = host;
  all.insert(all.end(), device.begin(), device.end());
  TFPROF_TRY(LinkHandOvers(linking, all));
  return LinkIterations(linking, host);
}

// Sorts by `to`; links to one event keep their order.
EventLinks InOrder(EventLinks links) {
  if (std::is_sorted(links.to.begin(), links.to.end())) return links;
  std::vector<uint64_t> keys, scratch;
  keys.reserve(links.size());
  for (size_t i = 0; i < links.size(); ++i) keys.push_back(uint64_t{links.to[i].value} << 32 | i);
  SortKeys(&keys, 32, &scratch);
  EventLinks sorted;
  for (const uint64_t key : keys) {
    const size_t i = key & 0xFFFFFFFFu;
    sorted.Add(links.from[i], links.to[i], links.kind[i]);
  }
  return sorted;
}

// Merges; of links to one event, those of `a` come first.
EventLinks Merged(const EventLinks& a, const EventLinks& b) {
  EventLinks merged;
  for (size_t i = 0, k = 0; i < a.size() || k < b.size();) {
    const bool first = k == b.size() || (i < a.size() && !(b.to[k] < a.to[i]));
    const EventLinks& of = first ? a : b;
    size_t& at = first ? i : k;
    merged.Add(of.from[at], of.to[at], of.kind[at]);
    ++at;
  }
  return merged;
}

}  // namespace

Result<EventLinks> LaunchLinks::Build(const Indexes& indexes, Context& context) {
  const Store& store = *indexes.store();
  constexpr DetailKey kKeys[] = {AttributeKey::correlation};
  TFPROF_TRY(ReadAhead(store, indexes, {}, {kKeys, kKeys}, context));
  Linking linking{store, indexes, context};
  for (size_t i = 0; i < store.hosts.size(); ++i) {
    TFPROF_TRY(Poll(context));
    TFPROF_TRY(LinkLaunchesOf(linking, HostId(i)));
  }
  return InOrder(std::move(linking.links));
}

Result<EventLinks> EventLinks::Build(const Indexes& indexes, Context& context) {
  const Store& store = *indexes.store();
  constexpr DetailKey kKeys[] = {AttributeKey::correlation, AttributeKey::producer,
                                 AttributeKey::producer_type, AttributeKey::consumer,
                                 AttributeKey::consumer_type};
  TFPROF_TRY(ReadAhead(store, indexes, {}, {kKeys, kKeys}, context));
  TFPROF_ASSIGN(const auto launches, indexes.Get<LaunchLinks>(context));
  Linking linking{store, indexes, context};
  for (size_t i = 0; i < store.hosts.size(); ++i) {
    TFPROF_TRY(Poll(context));
    TFPROF_TRY(LinkOthersOf(linking, HostId(i)));
  }
  if (launches->size() + linking.links.size() > 0xFFFFFFFEu) {
    return Fail(ErrorKind::corrupt, "more than 4 billion links between events");
  }
  EventLinks sorted = Merged(*launches, InOrder(std::move(linking.links)));
  if (linking.crowded > 0) {
    sorted.notes.push_back({note::crowded_links, linking.crowded, "", kNoInt});
  }
  return sorted;
}

}  // namespace tfprof
