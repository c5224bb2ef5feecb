// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>
#include <unordered_map>

#include "core/base/context.h"
#include "core/store/rounded_time.h"
#include "views/classic/graph_memory.h"

namespace tfprof {
namespace {

// Maps lanes to their devices.
struct Collecting {
  const ExportedGraph& exported;
  std::vector<MemoryDevice>& devices;
  std::vector<uint32_t> device_of_lane = {};

  // Returns the device of a lane if the event belongs to an exported node on it; else null.
  MemoryDevice* DeviceOf(LaneId lane, NodeId node) const {
    const uint32_t device = device_of_lane[lane.value];
    if (device == Table::kNoRow || !node.some() || !exported.IsShown(node)) return nullptr;
    const bool tracked = exported.ran[node.value] != 0 && exported.CountingLane(node) == lane;
    return tracked ? &devices[device] : nullptr;
  }
};

NodeId NodeOf(const Store& store, EventId event) {
  return store.labels[store.events.label[event.value].value].node;
}

// Finds devices, ordered by name. CPU devices are not tracked.
void FindDevices(Collecting* collecting) {
  const ExportedGraph& exported = collecting->exported;
  const Store& store = exported.store();
  collecting->device_of_lane.assign(store.lanes.size(), Table::kNoRow);
  std::vector<std::vector<NodeId>> nodes(store.lanes.size());
  for (uint32_t i = 0; i < store.nodes.size(); ++i) {
    if (!exported.IsShown(NodeId(i)) || exported.ran[i] == 0) continue;
    nodes[exported.CountingLane(NodeId(i)).value].push_back(NodeId(i));
  }
  for (uint32_t i = 0; i < store.lanes.size(); ++i) {
    const bool on_cpu = store.Text(store.lanes[i].name).find("cpu") != std::string_view::npos;
    if (!nodes[i].empty() && !on_cpu) {
      collecting->devices.push_back({LaneId(i), 0, std::move(nodes[i]), {}, {}});
    }
  }
  std::ranges::sort(collecting->devices, [&](const MemoryDevice& a, const MemoryDevice& b) {
    return exported.by_name[a.lane.value] < exported.by_name[b.lane.value];
  });
  for (uint32_t i = 0; i < collecting->devices.size(); ++i) {
    collecting->device_of_lane[collecting->devices[i].lane.value] = i;
  }
}

// Persistent bytes are held all the time: the max over all steps.
void AddPersistent(const Collecting& collecting) {
  const std::unordered_map<uint64_t, int64_t>& max = collecting.exported.what->memory->persistent;
  for (MemoryDevice& device : collecting.devices) {
    for (const NodeId node : device.nodes) {
      const auto at = max.find(uint64_t{node.value} << 32 | device.lane.value);
      if (at != max.end()) device.changes.push_back({kNoTime, node, at->second});
    }
  }
}

// Returns the events of the step that have a memory row, in ascending order.
std::vector<uint32_t> AddMemoryRows(const Collecting& collecting) {
  const ExportedGraph& exported = collecting.exported;
  const Store& store = exported.store();
  std::vector<uint32_t> with_memory;
  for (const uint32_t i : exported.what->memory->steps[exported.step.value].executions) {
    const ExecMemory& memory = store.exec_memory[i];
    const NodeId node = NodeOf(store, memory.event);
    MemoryDevice* device = collecting.DeviceOf(RunOf(exported.runs, memory.event).lane, node);
    if (device == nullptr) continue;
    with_memory.push_back(memory.event.value);
    const int64_t bytes = memory.in_use == kNoInt ? 0 : memory.in_use;
    if (memory.time_ps != kNoTime) {
      device->in_use.push_back({memory.time_ps, exported.row_of_node[node.value], bytes});
    }
  }
  AddPersistent(collecting);
  std::sort(with_memory.begin(), with_memory.end());
  return with_memory;
}

// After an execution without memory data, nothing is in use.
Result<void> AddOthers(const Collecting& collecting, const std::vector<uint32_t>& with_memory,
                       Context& context) {
  const ExportedGraph& exported = collecting.exported;
  const Store& store = exported.store();
  size_t until_poll = 0;
  for (const EventRun& run : exported.runs) {
    if (run.step != exported.step || collecting.device_of_lane[run.lane.value] == Table::kNoRow) {
      continue;
    }
    for (uint32_t row = run.first; row < run.end; ++row) {
      if (until_poll++ % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
      const NodeId node = NodeOf(store, EventId(row));
      MemoryDevice* device = collecting.DeviceOf(run.lane, node);
      if (device == nullptr || store.events.start_ps[row] == kNoTime) continue;
      if (std::binary_search(with_memory.begin(), with_memory.end(), row)) continue;
      const int64_t end_ps = WrapAdd(RoundedStart(store, row), RoundedLength(store, row));
      device->in_use.push_back({end_ps, exported.row_of_node[node.value], 0});
    }
  }
  return {};
}

// Reads the allocations of the step.
Result<std::vector<Allocation>> AllocationsOf(const ExportedGraph& exported, Context& context) {
  const Store& store = exported.store();
  std::vector<Allocation> allocations;
  for (const Source& source : store.sources) {
    std::vector<AllocationPlace> places;
    for (const uint32_t i : exported.what->memory->steps[exported.step.value].allocations) {
      if (i - source.allocations.first < source.allocations.count) {
        places.push_back(store.allocation_places[i]);
      }
    }
    TFPROF_TRY(Poll(context));
    if (!places.empty()) TFPROF_TRY(source.details.allocations(store, places, &allocations));
  }
  return allocations;
}

Result<void> AddAllocations(const Collecting& collecting, Context& context) {
  const ExportedGraph& exported = collecting.exported;
  const Store& store = exported.store();
  TFPROF_ASSIGN(const std::vector<Allocation> allocations, AllocationsOf(exported, context));
  for (const Allocation& allocation : allocations) {
    const bool on_gpu = allocation.allocator.data() == nullptr ||
                        allocation.allocator.find("GPU") != std::string_view::npos;
    const EventRun& run = RunOf(exported.runs, allocation.event);
    const NodeId node = NodeOf(store, allocation.event);
    MemoryDevice* device = collecting.DeviceOf(run.lane, node);
    if (!on_gpu || device == nullptr || run.step != exported.step) continue;
    device->changes.push_back({allocation.time_ps, node, allocation.bytes});
  }
  return {};
}

// Orders by time; at equal times, the last row counts.
void Order(MemoryDevice* device) {
  std::ranges::stable_sort(device->in_use, [](const InUse& a, const InUse& b) {
    return std::tie(a.time_ps, a.row) < std::tie(b.time_ps, b.row);
  });
  size_t kept = 0;
  for (const InUse& row : device->in_use) {
    if (kept > 0 && device->in_use[kept - 1].time_ps == row.time_ps) --kept;
    device->in_use[kept++] = row;
  }
  device->in_use.resize(kept);
  std::ranges::stable_sort(device->changes, {}, &Change::time_ps);
}

}  // namespace

Result<std::vector<MemoryDevice>> CollectMemory(const ExportedGraph& exported, Context& context) {
  std::vector<MemoryDevice> devices;
  Collecting collecting{exported, devices};
  FindDevices(&collecting);
  if (devices.empty()) return devices;
  const std::vector<uint32_t> with_memory = AddMemoryRows(collecting);
  TFPROF_TRY(AddOthers(collecting, with_memory, context));
  TFPROF_TRY(AddAllocations(collecting, context));
  for (MemoryDevice& device : devices) Order(&device);
  return devices;
}

}  // namespace tfprof
