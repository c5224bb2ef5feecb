// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <unordered_map>

#include "analysis/wall_time.h"
#include "views/classic/graph_memory.h"

namespace tfprof {
namespace {

constexpr size_t kMaxHolders = 10;
constexpr int64_t kMinGapUs = 100;

// Bytes held by the nodes of a device at one time, largest first, then by name.
class LiveNodes {
 public:
  LiveNodes(const Store& store, const std::vector<NodeId>& nodes) : store_(store) {
    for (const NodeId node : nodes) bytes_.emplace(node.value, 0);
  }
  void Add(const Change& change) {
    int64_t& bytes = bytes_[change.node.value];
    const std::string_view name = store_.Text(store_.nodes[change.node.value].name);
    if (bytes > 0) holding_.erase({-bytes, name});
    bytes = WrapAdd(bytes, change.bytes);
    if (bytes > 0) holding_.insert({-bytes, name});
  }
  // Takes, greedily, holders that fit into `total` together.
  void Take(int64_t total, std::vector<TraceHolder>* taken) const {
    taken->clear();
    auto at = holding_.begin();
    while (at != holding_.end() && total > 0 && taken->size() < kMaxHolders) {
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

struct SamplePosition {
  ExportedGraphPtr exported;
  std::vector<MemoryDevice> devices;
  size_t device = 0;
  size_t next_sample = 0;
  size_t next_change = 0;
  int64_t last_us = 0;                          // wall time of the previous sample
  std::unique_ptr<LiveNodes> holders;           // of the device
  std::vector<std::vector<TraceHolder>> taken;  // holders of a block's samples
};

// ---- samples -----------------------------------------------------------------------------------

// Advances to the next sample that is far enough from the previous one; false: the device has no
// more.
bool FindSample(const MemoryDevice& device, SamplePosition* at) {
  for (; at->next_sample < device.in_use.size(); ++at->next_sample) {
    const int64_t time_us =
        IntegerWallMicros(at->exported->store(), device.in_use[at->next_sample].time_ps);
    if (time_us - at->last_us >= kMinGapUs) return true;
  }
  return false;
}

TraceSample MakeSample(const MemoryDevice& device, std::vector<TraceHolder>* taken,
                       SamplePosition* at) {
  const InUse& in_use = device.in_use[at->next_sample++];
  at->last_us = IntegerWallMicros(at->exported->store(), in_use.time_ps);
  while (at->next_change < device.changes.size() &&
         device.changes[at->next_change].time_ps < in_use.time_ps) {
    at->holders->Add(device.changes[at->next_change++]);
  }
  at->holders->Take(in_use.bytes, taken);
  return {in_use.time_ps, in_use.bytes, device.counter, *taken};
}

void StartDevice(SamplePosition* at) {
  at->next_sample = at->next_change = 0;
  at->last_us = 0;
  if (at->device == at->devices.size()) return;
  at->holders = std::make_unique<LiveNodes>(at->exported->store(), at->devices[at->device].nodes);
}

size_t Next(SamplePosition& at, std::span<TraceSample> out) {
  if (at.taken.size() < out.size()) at.taken.resize(out.size());
  size_t filled = 0;
  while (filled < out.size() && at.device < at.devices.size()) {
    const MemoryDevice& device = at.devices[at.device];
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

Result<Cursor<TraceSample>> AddMemory(const ExportedGraphPtr& exported, Trace* trace,
                                      Context& context) {
  auto position = std::make_shared<SamplePosition>();
  position->exported = exported;
  TFPROF_ASSIGN(position->devices, CollectMemory(*exported, context));
  if (position->devices.empty()) return Cursor<TraceSample>();
  const Store& store = exported->store();
  for (MemoryDevice& device : position->devices) {
    device.counter = static_cast<uint32_t>(trace->counters.size());
    const std::string name(store.Text(store.lanes[device.lane.value].name));
    int64_t peak = 0;
    for (const InUse& in_use : device.in_use) peak = std::max(peak, in_use.bytes);
    trace->counters.push_back({static_cast<uint32_t>(trace->groups.size()), name, peak});
    trace->groups.push_back({"mem usage on:" + name});
    trace->groups.push_back({"mem usage on:" + name + " allocations"});
  }
  StartDevice(position.get());
  return CursorFrom<TraceSample>(std::move(position), Next);
}

}  // namespace tfprof
