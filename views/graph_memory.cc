// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>

#include "views/graph_drawing.h"

namespace tfprof {
namespace {

constexpr size_t kRowsPerPoll = 1 << 14;
constexpr size_t kMostHolders = 10;
constexpr int64_t kLeastGapUs = 100;

// The allocator's bytes in use when an execution of a row's node ended.
struct InUse {
  int64_t time_ps = 0;
  uint32_t row = 0;
  int64_t bytes = 0;
};

// A node holds that much more from a time on.
struct Change {
  int64_t time_ps = 0;
  NodeId node;
  int64_t bytes = 0;
};

struct Device {
  LaneId lane;
  uint32_t counter = 0;
  std::vector<NodeId> nodes;    // shown and run on it
  std::vector<InUse> in_use;    // by time, at most one at a time
  std::vector<Change> changes;  // by time
};

// What the nodes of a device hold at one time, largest first, then by name.
class Holders {
 public:
  Holders(const Store& store, const std::vector<NodeId>& nodes) : store_(store) {
    for (const NodeId node : nodes) bytes_.emplace(node.value, 0);
  }
  void Add(const Change& change) {
    int64_t& bytes = bytes_[change.node.value];
    const std::string_view name = store_.Text(store_.nodes[change.node.value].name);
    if (bytes > 0) holding_.erase({-bytes, name});
    bytes = WrapAdd(bytes, change.bytes);
    if (bytes > 0) holding_.insert({-bytes, name});
  }
  // Those that fit into `total` together, taken greedily.
  void Take(int64_t total, std::vector<TraceHolder>* taken) const {
    taken->clear();
    auto at = holding_.begin();
    while (at != holding_.end() && total > 0 && taken->size() < kMostHolders) {
      const int64_t bytes = -at->first;
      if (bytes > total) {
        at = holding_.lower_bound({-total, std::string_view()});
        continue;
      }
      taken->push_back({at->second, bytes});
      total -= bytes;
      ++at;
    }
  }

 private:
  const Store& store_;
  std::unordered_map<uint32_t, int64_t> bytes_;  // by node
  std::set<std::pair<int64_t, std::string_view>> holding_;
};

struct Position {
  DrawnPtr drawn;
  std::vector<Device> devices;
  size_t device = 0;
  size_t next_sample = 0;
  size_t next_change = 0;
  int64_t last_us = 0;                          // wall time of the last sample
  std::unique_ptr<Holders> holders;             // of the device
  std::vector<std::vector<TraceHolder>> taken;  // of the samples of a block
};

// ---- collecting --------------------------------------------------------------------------------

// By lane: its device, or null.
struct Collecting {
  const DrawnGraph& drawn;
  std::vector<Device>& devices;
  std::vector<uint32_t> device_of_lane = {};

  // The device of an event that belongs to a drawn node on it; null otherwise.
  Device* DeviceOf(LaneId lane, NodeId node) const {
    const uint32_t device = device_of_lane[lane.value];
    if (device == Table::kNoRow || !node.some() || !drawn.IsShown(node)) return nullptr;
    const bool tracked = drawn.ran[node.value] != 0 && drawn.CountingLane(node) == lane;
    return tracked ? &devices[device] : nullptr;
  }
};

NodeId NodeOf(const Store& store, EventId event) {
  return store.labels[store.events.label[event.value].value].node;
}

// Devices by name; what is placed on a cpu is not tracked.
void FindDevices(Collecting* collecting) {
  const DrawnGraph& drawn = collecting->drawn;
  const Store& store = drawn.store();
  collecting->device_of_lane.assign(store.lanes.size(), Table::kNoRow);
  std::vector<std::vector<NodeId>> nodes(store.lanes.size());
  for (uint32_t i = 0; i < store.nodes.size(); ++i) {
    if (!drawn.IsShown(NodeId(i)) || drawn.ran[i] == 0) continue;
    nodes[drawn.CountingLane(NodeId(i)).value].push_back(NodeId(i));
  }
  for (uint32_t i = 0; i < store.lanes.size(); ++i) {
    const bool on_cpu = store.Text(store.lanes[i].name).find("cpu") != std::string_view::npos;
    if (!nodes[i].empty() && !on_cpu) {
      collecting->devices.push_back({LaneId(i), 0, std::move(nodes[i]), {}, {}});
    }
  }
  std::sort(collecting->devices.begin(), collecting->devices.end(),
            [&](const Device& a, const Device& b) {
              return drawn.by_name[a.lane.value] < drawn.by_name[b.lane.value];
            });
  for (uint32_t i = 0; i < collecting->devices.size(); ++i) {
    collecting->device_of_lane[collecting->devices[i].lane.value] = i;
  }
}

// Persistent bytes are held all the time: the most of any step.
void AddPersistent(const Collecting& collecting,
                   const std::unordered_map<uint64_t, int64_t>& of_node_and_step) {
  std::unordered_map<uint32_t, int64_t> most;
  for (const auto& [key, bytes] : of_node_and_step) {
    int64_t& kept = most[static_cast<uint32_t>(key >> 32)];
    kept = std::max(kept, bytes);
  }
  for (const auto& [node, bytes] : most) {
    const LaneId lane = collecting.drawn.CountingLane(NodeId(node));
    if (Device* device = collecting.DeviceOf(lane, NodeId(node))) {
      device->changes.push_back({kNoTime, NodeId(node), bytes});
    }
  }
}

// Returns the events of the step that have a memory row, ascending.
Result<std::vector<uint32_t>> AddMemoryRows(const Collecting& collecting, Context& context) {
  const DrawnGraph& drawn = collecting.drawn;
  const Store& store = drawn.store();
  std::vector<uint32_t> with_memory;
  std::unordered_map<uint64_t, int64_t> persistent;
  for (size_t i = 0; i < store.exec_memory.size(); ++i) {
    if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const ExecMemory& memory = store.exec_memory[i];
    const EventRun& run = RunOf(drawn.runs, memory.event);
    const NodeId node = NodeOf(store, memory.event);
    Device* device = collecting.DeviceOf(run.lane, node);
    if (device == nullptr) continue;
    int64_t& held = persistent[uint64_t{node.value} << 32 | run.step.value];
    held = WrapAdd(held, memory.persistent);
    if (run.step != drawn.step) continue;
    with_memory.push_back(memory.event.value);
    const int64_t bytes = memory.in_use == kNoInt ? 0 : memory.in_use;
    if (memory.time_ps != kNoTime) {
      device->in_use.push_back({memory.time_ps, drawn.row_of_node[node.value], bytes});
    }
  }
  AddPersistent(collecting, persistent);
  std::sort(with_memory.begin(), with_memory.end());
  return with_memory;
}

// An execution without memory counts as one after which nothing is in use.
Result<void> AddOthers(const Collecting& collecting, const std::vector<uint32_t>& with_memory,
                       Context& context) {
  const DrawnGraph& drawn = collecting.drawn;
  const Store& store = drawn.store();
  size_t until_poll = 0;
  for (const EventRun& run : drawn.runs) {
    if (run.step != drawn.step || collecting.device_of_lane[run.lane.value] == Table::kNoRow) {
      continue;
    }
    for (uint32_t row = run.first; row < run.end; ++row) {
      if (until_poll++ % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
      const NodeId node = NodeOf(store, EventId(row));
      Device* device = collecting.DeviceOf(run.lane, node);
      if (device == nullptr || store.events.start_ps[row] == kNoTime) continue;
      if (std::binary_search(with_memory.begin(), with_memory.end(), row)) continue;
      const int64_t end_ps = WrapAdd(store.events.start_ps[row], store.events.duration_ps[row]);
      device->in_use.push_back({end_ps, drawn.row_of_node[node.value], 0});
    }
  }
  return {};
}

void AddAllocations(const Collecting& collecting) {
  const DrawnGraph& drawn = collecting.drawn;
  const Store& store = drawn.store();
  for (const Allocation& allocation : store.allocations) {
    const bool on_gpu = !allocation.allocator.some() ||
                        store.Text(allocation.allocator).find("GPU") != std::string_view::npos;
    const EventRun& run = RunOf(drawn.runs, allocation.event);
    const NodeId node = NodeOf(store, allocation.event);
    Device* device = collecting.DeviceOf(run.lane, node);
    if (!on_gpu || device == nullptr || run.step != drawn.step) continue;
    device->changes.push_back({allocation.time_ps, node, allocation.bytes});
  }
}

// By time; of several at one time that of the last row counts.
void Order(Device* device) {
  std::stable_sort(device->in_use.begin(), device->in_use.end(),
                   [](const InUse& a, const InUse& b) {
                     return std::tie(a.time_ps, a.row) < std::tie(b.time_ps, b.row);
                   });
  size_t kept = 0;
  for (const InUse& row : device->in_use) {
    if (kept > 0 && device->in_use[kept - 1].time_ps == row.time_ps) --kept;
    device->in_use[kept++] = row;
  }
  device->in_use.resize(kept);
  std::stable_sort(device->changes.begin(), device->changes.end(),
                   [](const Change& a, const Change& b) { return a.time_ps < b.time_ps; });
}

// ---- samples -----------------------------------------------------------------------------------

int64_t WallMicros(const Store& store, int64_t time_ps) {
  return store.epoch_ns / kNsPerUs + time_ps / kPsPerUs;
}

// Moves on to the next sample that is far enough from the last one; false: the device has none.
bool FindSample(const Device& device, Position* at) {
  for (; at->next_sample < device.in_use.size(); ++at->next_sample) {
    const int64_t time_us = WallMicros(at->drawn->store(), device.in_use[at->next_sample].time_ps);
    if (time_us - at->last_us >= kLeastGapUs) return true;
  }
  return false;
}

TraceSample MakeSample(const Device& device, std::vector<TraceHolder>* taken, Position* at) {
  const InUse& in_use = device.in_use[at->next_sample++];
  at->last_us = WallMicros(at->drawn->store(), in_use.time_ps);
  while (at->next_change < device.changes.size() &&
         device.changes[at->next_change].time_ps < in_use.time_ps) {
    at->holders->Add(device.changes[at->next_change++]);
  }
  at->holders->Take(in_use.bytes, taken);
  return {in_use.time_ps, in_use.bytes, device.counter, *taken};
}

void StartDevice(Position* at) {
  at->next_sample = at->next_change = 0;
  at->last_us = 0;
  if (at->device == at->devices.size()) return;
  at->holders = std::make_unique<Holders>(at->drawn->store(), at->devices[at->device].nodes);
}

size_t Next(void* state, std::span<TraceSample> out) {
  Position& at = *static_cast<Position*>(state);
  if (at.taken.size() < out.size()) at.taken.resize(out.size());
  size_t filled = 0;
  while (filled < out.size() && at.device < at.devices.size()) {
    const Device& device = at.devices[at.device];
    if (!FindSample(device, &at)) {
      ++at.device;
      StartDevice(&at);
      continue;
    }
    out[filled] = MakeSample(device, &at.taken[filled], &at);
    ++filled;
  }
  return filled;
}

}  // namespace

Result<Cursor<TraceSample>> AddMemory(const DrawnPtr& drawn, Trace* trace, Context& context) {
  auto position = std::make_shared<Position>();
  position->drawn = drawn;
  Collecting collecting{*drawn, position->devices};
  FindDevices(&collecting);
  if (position->devices.empty()) return Cursor<TraceSample>();
  TFPROF_ASSIGN(const std::vector<uint32_t> with_memory, AddMemoryRows(collecting, context));
  TFPROF_TRY(AddOthers(collecting, with_memory, context));
  AddAllocations(collecting);
  const Store& store = drawn->store();
  for (Device& device : position->devices) {
    Order(&device);
    device.counter = static_cast<uint32_t>(trace->counters.size());
    const std::string name(store.Text(store.lanes[device.lane.value].name));
    trace->counters.push_back({static_cast<uint32_t>(trace->groups.size()), name});
    trace->groups.push_back({"mem usage on:" + name});
    trace->groups.push_back({"mem usage on:" + name + " allocations"});
  }
  StartDevice(position.get());
  return Cursor<TraceSample>{std::move(position), Next};
}

}  // namespace tfprof
