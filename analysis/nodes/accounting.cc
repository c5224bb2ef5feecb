// SPDX-License-Identifier: Apache-2.0
#include "analysis/nodes/accounting.h"

#include <algorithm>
#include <optional>

#include "analysis/indexes.h"
#include "analysis/place.h"
#include "core/base/ascii.h"
#include "core/store/event_runs.h"
#include "core/store/note_catalogue.h"
#include "core/store/op_name.h"

namespace tfprof {
namespace {

std::vector<bool> LanesThatCount(const Store& store, const std::vector<bool>& selected) {
  std::vector<bool> counts;
  counts.reserve(store.lanes.size());
  for (size_t i = 0; i < store.lanes.size(); ++i) {
    const Lane& lane = store.lanes[i];
    counts.push_back(selected[i] && (lane.process.some() || HasDeviceForm(store.Text(lane.name))));
  }
  return counts;
}

std::span<const LaneId> LanesOf(const Store& store, const Node& node) {
  return store.node_lanes.Rows(node.lanes.first, node.lanes.count);
}

// Adds the lanes of the next node. Returns true if it has records on a lane that could count and
// does not.
bool AddCountingLanes(const Store& store, NodeId id, NodeAccounts* accounts) {
  LaneId first;
  bool has_second = false;
  for (const LaneId lane : LanesOf(store, store.nodes[id.value])) {
    if (!accounts->lane_counts[lane.value]) continue;
    if (!first.some()) {
      first = lane;
    } else if (store.lanes[lane.value].process.some()) {
      accounts->counting_lane.extra.Push({id, lane});
    } else {
      has_second = true;
    }
  }
  accounts->counting_lane.first.Push(first);
  return has_second;
}

// Adds the types of a node, ascending, each once. They are few: insertion keeps them sorted.
void ListTypes(const Store& store, const CountingLanes& lanes, NodeId id,
               std::vector<NameId>* types) {
  const Node& node = store.nodes[id.value];
  types->clear();
  const auto insert = [&](NameId type) {
    if (!type.some()) return;
    const auto at = std::ranges::lower_bound(
        *types, type, [&](NameId a, NameId b) { return store.Text(a) < store.Text(b); });
    if (at == types->end() || *at != type) types->insert(at, type);
  };
  insert(node.type);
  for (const NameId type : store.node_types.Rows(node.types.first, node.types.count)) insert(type);
  lanes.Each(id, [&](LaneId lane) { insert(store.lanes[lane.value].name); });
}

struct OmittedWork {
  int64_t count = 0;
  int64_t cost_ps = 0;
};

// Counts the placed events of a lane whose node satisfies `is_omitted`.
template <class Predicate>
Result<OmittedWork> CountOmitted(const Store& store, const Lane& lane, Predicate is_omitted,
                                 Context& context) {
  OmittedWork out;
  const uint32_t end = lane.rows.first + lane.rows.count;
  for (uint32_t row = lane.rows.first + lane.unplaced; row < end; ++row) {
    if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const NodeId node = store.labels[store.events.label[row].value].node;
    if (!node.some() || !is_omitted(node)) continue;
    ++out.count;
    out.cost_ps = SaturatingAdd(out.cost_ps, store.events.duration_ps[row]);
  }
  return out;
}

void AddNote(const NoteRow& what, const OmittedWork& out, const Store& store, const Lane& lane,
             std::vector<Note>* notes) {
  if (out.count == 0) return;
  for (Note& note : *notes) {
    if (note.what != what) continue;
    note.count += out.count;
    note.cost_ps = SaturatingAdd(note.cost_ps, out.cost_ps);
    return;
  }
  notes->push_back({what, out.count, std::string(store.Text(lane.display)), out.cost_ps});
}

// `has_second`: some node has records on two lanes that could count.
Result<void> NoteOmitted(const Store& store, bool has_second, NodeAccounts* accounts,
                         Context& context) {
  for (size_t i = 0; i < store.lanes.size(); ++i) {
    const Lane& lane = store.lanes[i];
    const LaneId id(i);
    if (lane.process.some() || !accounts->lane_selected[i]) continue;
    if (accounts->lane_counts[i]) {
      if (!has_second) continue;
      const auto is_second = [&](NodeId n) { return accounts->counting_lane[n.value] != id; };
      TFPROF_ASSIGN(const OmittedWork out, CountOmitted(store, lane, is_second, context));
      AddNote(note::second_devices_not_counted, out, store, lane, &accounts->notes);
      continue;
    }
    if (lane.measures == Measures::accelerator_time) continue;
    const bool repeats = lane.role == LaneRole::stream || lane.role == LaneRole::copies;
    TFPROF_ASSIGN(const OmittedWork out, CountOmitted(
                                             store, lane, [](NodeId) { return true; }, context));
    AddNote(repeats ? note::single_streams_not_counted : note::other_devices_not_counted, out,
            store, lane, &accounts->notes);
  }
  return {};
}

// Caches whether one expression matches a type: one lookup per distinct type.
class TypeMatches {
 public:
  TypeMatches(const Store& store, const PatternList& list) : store_(store), list_(list) {}
  void Start(std::optional<size_t> expression) {  // none: any expression of the list
    expression_ = expression;
    known_.Clear();
    known_.Resize(store_.names.size());
  }
  bool operator()(NameId type) {
    uint8_t& known = known_[type.value];
    if (known == 0) {
      const std::string_view text = store_.Text(type);
      const bool matches = expression_ ? list_.MatchesAt(*expression_, text) : list_.Matches(text);
      known = matches ? 2 : 1;
    }
    return known == 2;
  }

 private:
  const Store& store_;
  const PatternList& list_;
  std::optional<size_t> expression_;
  Column<uint8_t> known_;
};

// Adds 1 to every node with a type that `matches`.
template <class T>
Result<void> AddMatches(const NodeAccounts& accounts, TypeMatches& matches, std::span<T> counts,
                        Context& context) {
  for (size_t node = 0; node < counts.size(); ++node) {
    if (node % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const uint32_t end = accounts.first_type[node + 1];
    uint32_t at = accounts.first_type[node];
    while (at < end && !matches(accounts.types[at])) ++at;
    if (at < end) ++counts[node];
  }
  return {};
}

bool HasOneOf(std::string_view name, std::string_view type, const std::vector<std::string>& parts) {
  return std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
    if (part.starts_with('=')) {
      const std::string_view whole = std::string_view(part).substr(1);
      return IsUnder(name, whole) || type == whole;
    }
    return ContainsAnyCase(name, part) || ContainsAnyCase(type, part);
  });
}

template <class T>
Result<void> KeepSelectedNames(const Store& store, const NodeFilter& nodes, std::span<T> counts,
                               Context& context) {
  if (!nodes.FiltersNames()) return {};
  for (size_t i = 0; i < counts.size(); ++i) {
    if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    if (counts[i] == 0) continue;
    const std::string_view name = store.Text(store.nodes[i].name);
    const std::string_view type = store.Text(store.nodes[i].type);
    const bool selected = (nodes.under.empty() || IsUnder(name, nodes.under)) &&
                          (nodes.focus.empty() || HasOneOf(name, type, nodes.focus)) &&
                          !HasOneOf(name, type, nodes.ignore);
    if (!selected) counts[i] = 0;
  }
  return {};
}

template <class T>
void KeepSelectedPlaces(const NodeAccounts& accounts, std::span<T> counts) {
  if (accounts.all_places) return;
  for (size_t node = 0; node < counts.size(); ++node) {
    if (!accounts.counting_lane[node].some()) counts[node] = 0;
  }
}

}  // namespace

Result<NodeAccounts> MakeAccounts(const Store& store, const PlaceFilter& place, Context& context) {
  NodeAccounts accounts;
  accounts.all_places = !place.FiltersPlaces();
  accounts.lane_selected = LanesMatchingPlace(store, place);
  accounts.lane_counts = LanesThatCount(store, accounts.lane_selected);
  accounts.counting_lane.first.Reserve(store.nodes.size());
  accounts.first_type.Reserve(store.nodes.size() + 1);
  bool has_second = false;
  std::vector<NameId> types;
  for (size_t i = 0; i < store.nodes.size(); ++i) {
    if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    has_second |= AddCountingLanes(store, NodeId(i), &accounts);
    accounts.first_type.Push(static_cast<uint32_t>(accounts.types.size()));
    ListTypes(store, accounts.counting_lane, NodeId(i), &types);
    for (const NameId type : types) accounts.types.Push(type);
  }
  accounts.first_type.Push(static_cast<uint32_t>(accounts.types.size()));
  TFPROF_TRY(NoteOmitted(store, has_second, &accounts, context));
  return accounts;
}

Result<NodeAccounts> NodeAccounts::Build(const Indexes& indexes, const Key& places,
                                         Context& context) {
  return MakeAccounts(*indexes.store(), {.host = places.host, .device = places.device}, context);
}

bool HasSelectedStep(const Store& store, const PlaceFilter& place) {
  if (!place.SelectsSteps()) return true;
  return std::any_of(store.steps.begin(), store.steps.end(),
                     [&](const Step& step) { return place.TakesStep(step.number); });
}

StepId StepOfNumber(const Store& store, int64_t number) {
  const auto at = std::ranges::lower_bound(store.steps, number, {}, &Step::number);
  if (at == store.steps.end() || at->number != number) return {};
  return StepId(static_cast<uint64_t>(at - store.steps.begin()));
}

Result<Column<uint8_t>> CountAny(const Store& store, const NodeAccounts& accounts,
                                 const NodeFilter& nodes, Context& context) {
  const PatternList& types = nodes.account_type_regexes;
  Column<uint8_t> counts;
  counts.Resize(store.nodes.size(), types.MatchesAll() ? 1 : 0);
  const std::span<uint8_t> all(counts.data(), counts.size());
  if (!types.MatchesAll()) {
    TypeMatches matches(store, types);
    matches.Start({});
    TFPROF_TRY(AddMatches(accounts, matches, all, context));
  }
  KeepSelectedPlaces(accounts, all);
  TFPROF_TRY(KeepSelectedNames(store, nodes, all, context));
  return counts;
}

Result<Column<uint32_t>> CountTimes(const Store& store, const NodeAccounts& accounts,
                                    const NodeFilter& nodes, Context& context) {
  const PatternList& types = nodes.account_type_regexes;
  Column<uint32_t> counts;
  counts.Resize(store.nodes.size(), types.MatchesAll() ? 1 : 0);
  const std::span<uint32_t> all(counts.data(), counts.size());
  if (!types.MatchesAll()) {
    TypeMatches matches(store, types);
    for (size_t i = 0; i < types.size(); ++i) {
      matches.Start(i);
      TFPROF_TRY(AddMatches(accounts, matches, all, context));
    }
  }
  KeepSelectedPlaces(accounts, all);
  TFPROF_TRY(KeepSelectedNames(store, nodes, all, context));
  return counts;
}

bool CountsAll(const NodeFilter& nodes, const PlaceFilter& place) {
  return nodes.account_type_regexes.MatchesAll() && !place.FiltersPlaces() && !nodes.FiltersNames();
}

MeasureValues MarkAbsent(const MeasureValues& values, uint8_t present) {
  static constexpr uint8_t kNeeds[kMeasures] = {
      kHasMemory, kHasMemory, kHasMemory, kHasOutputs, kHasTime, kHasAccelerator,
      kHasCpu,    kHasParams, kHasFlops,  kHasRuns,    0,        kHasRuns};
  MeasureValues marked;
  for (size_t i = 0; i < kMeasures; ++i) {
    marked[i] = (present & kNeeds[i]) == kNeeds[i] ? values[i] : kNoInt;
  }
  return marked;
}

}  // namespace tfprof
