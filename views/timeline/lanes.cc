// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/lanes.h"

#include <map>
#include <unordered_map>

#include "analysis/nodes/accounting.h"
#include "analysis/place.h"
#include "analysis/steps/step_selection.h"
#include "core/base/context.h"

namespace tfprof {
namespace {

// ---- groups and tracks -------------------------------------------------------------------------

std::string TrackName(const Lane& lane, std::string_view name) {
  if (lane.role == LaneRole::executor) return "executor";
  const std::string_view device = DevicePart(lane, name);
  return std::string(device.size() < name.size() ? name.substr(device.size() + 1) : name);
}

int RoleRank(LaneRole role) {
  switch (role) {
    case LaneRole::executor: return 0;
    case LaneRole::sum_of_streams: return 2;
    case LaneRole::stream: return 3;
    case LaneRole::copies: return 4;
    default: return 1;
  }
}

// Adds a group per device of the lanes, in natural order of names: 2 before 10. Returns each lane's
// group, by lane of the device.
std::unordered_map<uint32_t, uint32_t> AddGroups(const std::vector<uint32_t>& lanes,
                                                 const std::vector<uint32_t>& devices,
                                                 const Store& store, Trace* trace) {
  std::map<uint32_t, std::string> names;
  for (const uint32_t i : lanes) {
    const Lane& lane = store.lanes[devices[i]];
    names.emplace(devices[i], DevicePart(lane, store.Text(lane.display)));
  }
  std::vector<uint32_t> order;
  for (const auto& [device, name] : names) order.push_back(device);
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    return strverscmp(names[a].c_str(), names[b].c_str()) < 0;
  });
  std::unordered_map<uint32_t, uint32_t> group_of_device;
  for (const uint32_t device : order) {
    group_of_device.emplace(device, static_cast<uint32_t>(trace->groups.size()));
    trace->groups.push_back({names[device]});
  }
  return group_of_device;
}

// Orders the lanes of a group by role, then as in the file.
void AddTracks(const PlaceFilter& place, ExportedLanes* exported, Trace* trace) {
  const Store& store = *exported->store;
  const std::vector<uint32_t> devices = DeviceLanes(store);
  const std::vector<bool> selected = LanesMatchingPlace(store, place);
  std::vector<uint32_t> lanes;
  for (uint32_t i = 0; i < store.lanes.size(); ++i) {
    if (selected[i] && !store.lanes[i].process.some()) lanes.push_back(i);
  }
  auto group_of_device = AddGroups(lanes, devices, store, trace);
  const auto key = [&](uint32_t lane) {
    return std::pair(group_of_device[devices[lane]], RoleRank(store.lanes[lane].role));
  };
  std::ranges::stable_sort(lanes, [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
  for (const uint32_t i : lanes) {
    exported->lanes.push_back({LaneId(i), static_cast<uint32_t>(trace->tracks.size()), {}});
    const std::string_view display = store.Text(store.lanes[i].display);
    trace->tracks.push_back({group_of_device[devices[i]], TrackName(store.lanes[i], display)});
  }
}

// Returns devices before threads, each in file order.
std::vector<uint32_t> ProcessesInOrder(const Store& store, const PlaceFilter& place) {
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    if (HasEvents(store, process) && MatchesPlace(store, process, place)) order.push_back(i);
  }
  std::stable_partition(order.begin(), order.end(),
                        [&](uint32_t i) { return store.processes[i].kind == ProcessKind::device; });
  return order;
}

// Returns the host if there are several; with one host, names are unambiguous.
std::string LabelOf(const Store& store, const Process& process) {
  return std::string(store.hosts.size() > 1 ? HostName(store, process.host) : "");
}

// Adds a group of the derived tracks of a process, if there are any: its own group has the lanes of
// the file, and nothing else.
Result<void> AddDerivedTracks(const Indexes& indexes, uint32_t process, ExportedLanes* exported,
                              Trace* trace, std::vector<ExportedDerived>* derived,
                              Context& context) {
  TFPROF_ASSIGN(DerivedTracks tracks, DeriveTracks(*exported, indexes, ProcessId(process),
                                                   &exported->derived_names, context));
  if (tracks.names.empty()) return {};
  const Store& store = *exported->store;
  const uint32_t group = AddGroup(store, store.processes[process], trace);
  trace->groups[group].name += ": steps and operations";
  const auto first = static_cast<uint32_t>(trace->tracks.size());
  for (const std::string& name : tracks.names) trace->tracks.push_back({group, name});
  derived->push_back({first, std::move(tracks)});
  return {};
}

// Adds a group for each process that passes -host and -device and has events, devices first: a
// track per lane.
Result<void> AddProcessTracks(const Indexes& indexes, const PlaceFilter& place,
                              ExportedLanes* exported, Trace* trace,
                              std::vector<ExportedDerived>* derived, Context& context) {
  const Store& store = *exported->store;
  exported->group_of_process.assign(store.processes.size(), ExportedLanes::kNoGroup);
  for (const uint32_t index : ProcessesInOrder(store, place)) {
    const Process& process = store.processes[index];
    TFPROF_TRY(AddDerivedTracks(indexes, index, exported, trace, derived, context));
    const uint32_t group = AddGroup(store, process, trace);
    exported->group_of_process[index] = group;
    for (const uint32_t lane : process.lanes) {
      exported->lanes.push_back({LaneId(lane), static_cast<uint32_t>(trace->tracks.size()), {}});
      trace->tracks.push_back({group, std::string(store.Text(store.lanes[lane].display))});
    }
  }
  return {};
}

void AddRuns(const PlaceFilter& place, ExportedLanes* exported) {
  const Store& store = *exported->store;
  const auto selected = [&](StepId step) {
    if (!exported->chosen.All()) return true;  // single events were selected
    return !place.SelectsSteps() ||
           (step.some() && place.TakesStep(store.steps[step.value].number));
  };
  std::vector<ExportedLane*> of_lane(exported->store->lanes.size());
  for (ExportedLane& lane : exported->lanes) of_lane[lane.lane.value] = &lane;
  for (const EventRun& run : EventRuns(*exported->store)) {
    ExportedLane* lane = of_lane[run.lane.value];
    if (lane != nullptr && selected(run.step)) lane->runs.push_back(run);
  }
}

Result<void> ChooseLabels(const Indexes& indexes, const Query& query, ExportedLanes* exported,
                          Context& context) {
  const Store& store = *exported->store;
  TFPROF_ASSIGN(const IndexPtr<NodeAccounts> accounts, indexes.Get<NodeAccounts>(context));
  // A lane that -device selects is exported whole, whatever device counts for its nodes.
  const bool all_nodes = CountsAll(query.nodes, {});
  Column<uint8_t> counts;
  if (!all_nodes) {
    TFPROF_ASSIGN(counts, CountAny(store, *accounts, query.nodes, context));
  }
  const bool all =
      query.tree.show_name_regexes.MatchesAll() && query.tree.hide_name_regexes.empty();
  exported->label_is_exported.Reserve(store.labels.size());
  for (size_t i = 0; i < store.labels.size(); ++i) {
    if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const Label& label = store.labels[i];
    const std::string_view name = store.Text(label.name);
    const bool counted = all_nodes || (label.node.some() && counts[label.node.value] != 0);
    exported->label_is_exported.Push(counted &&
                                     (all || (query.tree.show_name_regexes.Matches(name) &&
                                              !query.tree.hide_name_regexes.Matches(name))));
  }
  return {};
}

}  // namespace

uint32_t AddGroup(const Store& store, const Process& process, Trace* trace) {
  trace->groups.push_back({std::string(store.Text(process.name)), LabelOf(store, process)});
  return static_cast<uint32_t>(trace->groups.size() - 1);
}

Result<ExportedLanesPtr> ChooseLanes(const StorePtr& store, const Indexes& indexes,
                                     const Query& query, Trace* trace,
                                     std::vector<ExportedDerived>* derived, Context& context) {
  auto exported = std::make_shared<ExportedLanes>(
      ExportedLanes{store, RowsByEvent<ExecMemory>(store->exec_memory), {}, {}, 0, {}, {}, {}});
  if (store->IsTrace()) {
    TFPROF_ASSIGN(exported->chosen, ChooseEvents(*exported->store, indexes, query.place, context));
  } else {
    TFPROF_TRY(CheckStepOfProfile(*store, query.place));
  }
  bool clamped = false;
  exported->min_ps = SaturatingMul(query.tree.min_micros, kPsPerUs, &clamped);
  TFPROF_TRY(ChooseLabels(indexes, query, exported.get(), context));
  AddTracks(query.place, exported.get(), trace);
  TFPROF_TRY(AddProcessTracks(indexes, query.place, exported.get(), trace, derived, context));
  AddRuns(query.place, exported.get());
  return ExportedLanesPtr(std::move(exported));
}

// ---- reading -----------------------------------------------------------------------------------

LaneReader::LaneReader(const ExportedLanes& exported, const ExportedLane& lane)
    : exported_(&exported), lane_(&lane) {
  const Lane& of = exported.store->lanes[lane.lane.value];
  levels_ = of.process.some()                 ? Levels::nesting
            : of.nesting == Nesting::parallel ? Levels::apart
                                              : Levels::one;
  if (!lane.runs.empty()) next_row_ = lane.runs[0].first;
  has_ahead_ = Advance();
}

bool LaneReader::Advance() {
  const Events& events = exported_->store->events;
  while (run_ < lane_->runs.size()) {
    const EventRun& run = lane_->runs[run_];
    if (next_row_ == run.end) {
      if (++run_ < lane_->runs.size()) next_row_ = lane_->runs[run_].first;
      continue;
    }
    const uint32_t row = next_row_++;
    if (!exported_->Exports(row)) continue;
    const int64_t start_ps = events.start_ps[row];
    ahead_ = {start_ps, WrapAdd(start_ps, events.duration_ps[row]), row, run.step, 0};
    return true;
  }
  return false;
}

void LaneReader::TakeTies() {
  ties_.clear();
  next_tie_ = 0;
  while (has_ahead_ && (ties_.empty() || ahead_.start_ps == ties_[0].start_ps)) {
    ties_.push_back(ahead_);
    has_ahead_ = Advance();
  }
  if (ties_.size() < 2) return;
  std::ranges::stable_sort(ties_, std::greater(), &LaneRow::end_ps);
}

bool LaneReader::Next(LaneRow* row) {
  if (next_tie_ == ties_.size()) TakeTies();
  if (ties_.empty()) return false;
  *row = ties_[next_tie_++];
  if (levels_ == Levels::nesting) row->level = nesting_.Place(row->start_ps, row->end_ps);
  if (levels_ == Levels::apart) row->level = free_.Place(row->start_ps, row->end_ps);
  return true;
}

}  // namespace tfprof
