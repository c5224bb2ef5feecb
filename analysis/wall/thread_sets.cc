// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/thread_sets.h"

#include <vector>

namespace tfprof {

IntervalSet OtherThreads(const Store& store, const Process& host, LaneId but) {
  IntervalSet set;
  for (uint32_t i = host.lanes.first; i < host.lanes.first + host.lanes.count; ++i) {
    const Lane& lane = store.lanes[i];
    if (LaneId(i) == but || lane.derived || lane.role == LaneRole::input_thread) continue;
    for (uint32_t row = lane.rows.first + lane.unplaced; row < lane.rows.first + lane.rows.count;
         ++row) {
      const int64_t start_ps = store.events.start_ps[row], ps = store.events.duration_ps[row];
      if (ps > 0) set.Add(start_ps, SaturatingAdd(start_ps, ps));
    }
  }
  return set;
}

IntervalSet FetchingOn(const Store& store, const Process& host) {
  IntervalSet set;
  std::vector<bool> fetches(host.labels.count);
  bool any = false;
  for (uint32_t i = 0; i < host.labels.count; ++i) {
    const EventRole role = store.labels[host.labels.first + i].role;
    fetches[i] = role == EventRole::root_iterator || role == EventRole::input_fetch;
    any |= fetches[i];
  }
  for (uint32_t i = host.lanes.first; any && i < host.lanes.first + host.lanes.count; ++i) {
    const Lane& lane = store.lanes[i];
    for (uint32_t row = lane.rows.first + lane.unplaced; row < lane.rows.first + lane.rows.count;
         ++row) {
      if (!fetches[store.events.label[row].value - host.labels.first]) continue;
      const int64_t start_ps = store.events.start_ps[row];
      set.Add(start_ps, SaturatingAdd(start_ps, store.events.duration_ps[row]));
    }
  }
  return set;
}

}  // namespace tfprof
