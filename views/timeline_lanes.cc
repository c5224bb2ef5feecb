// SPDX-License-Identifier: Apache-2.0
#include "views/timeline_lanes.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <unordered_map>

#include "core/any_case.h"

namespace tfprof {
namespace {

constexpr size_t kLabelsPerPoll = 1 << 14;

// ---- groups and tracks -------------------------------------------------------------------------

bool IsPartOfDevice(const Lane& lane) {
  return lane.role == LaneRole::stream || lane.role == LaneRole::sum_of_streams ||
         lane.role == LaneRole::copies;
}

// /device:gpu:0/stream:all is `stream:all` of /device:gpu:0.
std::string_view DevicePart(const Lane& lane, std::string_view name) {
  const size_t slash = name.rfind('/');
  return IsPartOfDevice(lane) && slash != name.npos ? name.substr(0, slash) : name;
}

std::string TrackName(const Lane& lane, std::string_view name) {
  if (lane.role == LaneRole::executor) return "executor";
  const size_t slash = name.rfind('/');
  return std::string(IsPartOfDevice(lane) && slash != name.npos ? name.substr(slash + 1) : name);
}

std::string_view LastPart(std::string_view device) {
  const size_t slash = device.rfind('/');
  return slash == device.npos ? device : device.substr(slash + 1);
}

// By lane: the lane that stands for its device. Streams name their device without the job that the
// executor's lane has before it: where only one executor's lane ends in the same words it is that.
std::vector<uint32_t> DeviceLanes(const Store& store) {
  std::unordered_map<std::string_view, uint32_t> of_name;
  std::unordered_map<std::string_view, std::vector<uint32_t>> executors;
  for (uint32_t i = 0; i < store.lanes.size(); ++i) {
    const Lane& lane = store.lanes[i];
    if (lane.role != LaneRole::executor) continue;
    of_name.emplace(store.Text(lane.name), i);
    executors[LastPart(store.Text(lane.name))].push_back(i);
  }
  std::vector<uint32_t> device(store.lanes.size());
  for (uint32_t i = 0; i < store.lanes.size(); ++i) {
    const Lane& lane = store.lanes[i];
    const std::string_view part = DevicePart(lane, store.Text(lane.name));
    const auto [at, is_new] = of_name.try_emplace(part, i);
    const auto same = executors.find(LastPart(part));
    const bool one = same != executors.end() && same->second.size() == 1;
    if (is_new && IsPartOfDevice(lane) && one) at->second = same->second[0];
    device[i] = at->second;
  }
  return device;
}

int RoleRank(LaneRole role) {
  switch (role) {
    case LaneRole::executor:
      return 0;
    case LaneRole::sum_of_streams:
      return 2;
    case LaneRole::stream:
      return 3;
    case LaneRole::copies:
      return 4;
    default:
      return 1;
  }
}

// A group per asked device, by name: 2 before 10. Returns the group of each, by lane of the device.
std::unordered_map<uint32_t, uint32_t> AddGroups(const std::vector<uint32_t>& devices,
                                                 const Query& query, const Store& store,
                                                 Trace* trace) {
  std::map<uint32_t, std::string> names;
  for (const uint32_t device : devices) {
    const Lane& lane = store.lanes[device];
    if (lane.process.some()) continue;
    const std::string_view name = store.Text(lane.name);
    if (!ContainsAnyCase(name, query.device) || !ContainsAnyCase(name, query.host)) continue;
    names.emplace(device, DevicePart(lane, store.Text(lane.display)));
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

// Lanes of a group by role, then as the file has them.
void AddTracks(const Query& query, DrawnLanes* drawn, Trace* trace) {
  const Store& store = *drawn->store;
  const std::vector<uint32_t> devices = DeviceLanes(store);
  auto group_of_device = AddGroups(devices, query, store, trace);
  std::vector<uint32_t> lanes;
  for (uint32_t i = 0; i < store.lanes.size(); ++i) {
    if (group_of_device.count(devices[i]) > 0) lanes.push_back(i);
  }
  const auto key = [&](uint32_t lane) {
    return std::pair(group_of_device[devices[lane]], RoleRank(store.lanes[lane].role));
  };
  std::stable_sort(lanes.begin(), lanes.end(),
                   [&](uint32_t a, uint32_t b) { return key(a) < key(b); });
  for (const uint32_t i : lanes) {
    drawn->lanes.push_back({LaneId(i), static_cast<uint32_t>(trace->tracks.size()), {}});
    const std::string_view display = store.Text(store.lanes[i].display);
    trace->tracks.push_back({group_of_device[devices[i]], TrackName(store.lanes[i], display)});
  }
}

void AddRuns(StepId step, DrawnLanes* drawn) {
  std::vector<DrawnLane*> of_lane(drawn->store->lanes.size());
  for (DrawnLane& lane : drawn->lanes) of_lane[lane.lane.value] = &lane;
  for (const EventRun& run : EventRuns(*drawn->store)) {
    DrawnLane* lane = of_lane[run.lane.value];
    if (lane != nullptr && (!step.some() || run.step == step)) lane->runs.push_back(run);
  }
}

Result<void> ChooseLabels(const Indexes& indexes, const Query& query, DrawnLanes* drawn,
                          Context& context) {
  const Store& store = *drawn->store;
  TFPROF_ASSIGN(const IndexPtr<NodeAccounts> accounts, indexes.Accounts(context));
  const PatternList& types = query.account_type_regexes;
  Column<uint8_t> counts;
  if (!types.MatchesAll()) {
    TFPROF_ASSIGN(counts, CountAny(store, *accounts, {&types, {}, {}}, context));
  }
  const bool all = query.show_name_regexes.MatchesAll() && query.hide_name_regexes.empty();
  drawn->label_is_drawn.Reserve(store.labels.size());
  for (size_t i = 0; i < store.labels.size(); ++i) {
    if (i % kLabelsPerPoll == 0) TFPROF_TRY(Poll(context));
    const Label& label = store.labels[i];
    const std::string_view name = store.Text(label.name);
    const bool counted = types.MatchesAll() || (label.node.some() && counts[label.node.value] != 0);
    drawn->label_is_drawn.Push(counted && (all || (query.show_name_regexes.Matches(name) &&
                                                   !query.hide_name_regexes.Matches(name))));
  }
  return {};
}

}  // namespace

Result<DrawnLanesPtr> ChooseLanes(const StorePtr& store, const Indexes& indexes, const Query& query,
                                  Trace* trace, Context& context) {
  auto drawn = std::make_shared<DrawnLanes>(
      DrawnLanes{store, RowsByEvent<ExecMemory>(store->exec_memory), {}, {}});
  const StepId step = query.step < 0 ? StepId() : StepOfNumber(*store, query.step);
  if (query.step >= 0 && !step.some()) {
    return Fail(ErrorKind::usage, "-step: there is no step " + std::to_string(query.step), {},
                "info lists the steps");
  }
  bool clamped = false;
  drawn->least_ps = SaturatingMul(query.min_micros, kPsPerUs, &clamped);
  AddTracks(query, drawn.get(), trace);
  AddProcessTracks(query, drawn.get(), trace);
  AddRuns(step, drawn.get());
  TFPROF_TRY(ChooseLabels(indexes, query, drawn.get(), context));
  return DrawnLanesPtr(std::move(drawn));
}

// ---- reading -----------------------------------------------------------------------------------

bool Packs(const Lane& lane) { return lane.nesting == Nesting::parallel && !lane.process.some(); }

LaneReader::LaneReader(const DrawnLanes& drawn, const DrawnLane& lane)
    : drawn_(&drawn), lane_(&lane), packs_(Packs(drawn.store->lanes[lane.lane.value])) {
  if (!lane.runs.empty()) next_row_ = lane.runs[0].first;
  has_ahead_ = Advance();
}

bool LaneReader::Advance() {
  const Events& events = drawn_->store->events;
  while (run_ < lane_->runs.size()) {
    const EventRun& run = lane_->runs[run_];
    if (next_row_ == run.end) {
      if (++run_ < lane_->runs.size()) next_row_ = lane_->runs[run_].first;
      continue;
    }
    const uint32_t row = next_row_++;
    if (!drawn_->Draws(row)) continue;
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
  std::stable_sort(ties_.begin(), ties_.end(),
                   [](const LaneRow& a, const LaneRow& b) { return a.end_ps > b.end_ps; });
}

bool LaneReader::Next(LaneRow* row) {
  if (next_tie_ == ties_.size()) TakeTies();
  if (ties_.empty()) return false;
  *row = ties_[next_tie_++];
  if (packs_) row->level = free_.Place(row->start_ps, row->end_ps);
  return true;
}

}  // namespace tfprof
