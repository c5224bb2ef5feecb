// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/place.h"
#include "views/timeline/lanes.h"

namespace tfprof {
namespace {

// Returns devices before threads, each in file order.
std::vector<uint32_t> ProcessesInOrder(const Store& store, const PlaceFilter& place) {
  std::vector<uint32_t> order;
  for (uint32_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    if (HasEvents(store, process) && InPlace(store, process, place)) order.push_back(i);
  }
  std::stable_partition(order.begin(), order.end(),
                        [&](uint32_t i) { return store.processes[i].kind == ProcessKind::device; });
  return order;
}

// Returns the host if there are several; with one host, names are unambiguous.
std::string LabelOf(const Store& store, const Process& process) {
  return std::string(store.hosts.size() > 1 ? HostName(store, process.host) : "");
}

}  // namespace

uint32_t AddGroup(const Store& store, const Process& process, Trace* trace) {
  trace->groups.push_back({std::string(store.Text(process.name)), LabelOf(store, process)});
  return static_cast<uint32_t>(trace->groups.size() - 1);
}

void AddProcessTracks(const PlaceFilter& place, DrawnLanes* drawn, Trace* trace) {
  const Store& store = *drawn->store;
  drawn->group_of_process.assign(store.processes.size(), DrawnLanes::kNoGroup);
  for (const uint32_t index : ProcessesInOrder(store, place)) {
    const Process& process = store.processes[index];
    const uint32_t group = AddGroup(store, process, trace);
    drawn->group_of_process[index] = group;
    for (uint32_t i = 0; i < process.lanes.count; ++i) {
      const LaneId lane(process.lanes.first + i);
      drawn->lanes.push_back({lane, static_cast<uint32_t>(trace->tracks.size()), {}});
      trace->tracks.push_back({group, std::string(store.Text(store.lanes[lane.value].display))});
    }
  }
}

}  // namespace tfprof
