// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/grouping/linked_events.h"

#include <algorithm>

#include "analysis/indexes.h"
#include "analysis/intervals/nesting.h"
#include "analysis/links/event_links.h"
#include "analysis/ops/thread_regions.h"
#include "analysis/place.h"
#include "analysis/steps/grouping/event_groups.h"
#include "core/base/parallel.h"

namespace tfprof {
namespace {

constexpr uint32_t kMarked = EventGroups::kNone - 1;  // in linked_id_of: will get an index

// ---- links -------------------------------------------------------------------------------------

// none: not a TPU, or a TPU without steps and programs
LaneId GroupingLane(const Store& store, const Process& process) {
  if (DeviceKindOf(store, process) != DeviceKind::tpu) return {};
  LaneId found;
  for (uint32_t i = 0; i < process.lanes.count; ++i) {
    const LaneId id(process.lanes.first + i);
    const Lane& lane = store.lanes[id.value];
    if (lane.rows.count == lane.unplaced) continue;
    if (lane.role == LaneRole::steps) return id;
    if (lane.role == LaneRole::modules && !found.some()) found = id;
  }
  return found;
}

// Returns the event of `lane` that runs at that time, the last one to start; kNoRow: none.
uint32_t RowAround(const Store& store, const Lane& lane, int64_t time_ps) {
  const int64_t* starts = store.events.start_ps.data();
  const int64_t* first = starts + lane.rows.first + lane.unplaced;
  const int64_t* after =
      std::upper_bound(first, starts + lane.rows.first + lane.rows.count, time_ps);
  if (after == first) return kNoRow;
  const auto row = static_cast<uint32_t>(after - starts - 1);
  const int64_t end_ps = SaturatingAdd(starts[row], store.events.duration_ps[row]);
  return time_ps < end_ps || time_ps == starts[row] ? row : kNoRow;
}

// Returns the event that represents a row when groups are passed on: for a TPU, its step.
uint32_t ContractedRow(const Store& store, std::span<const GroupedDevice> devices, uint32_t row) {
  for (const GroupedDevice& device : devices) {
    if (!Contains(device.rows, row)) continue;
    const Lane& by = store.lanes[device.by.value];
    return Contains(by.rows, row) ? row : RowAround(store, by, store.events.start_ps[row]);
  }
  return row;
}

std::vector<LinkedPair> LinksWithin(const Store& store, const EventLinks& all, Range rows,
                                    std::span<const GroupedDevice> devices) {
  std::vector<LinkedPair> links;
  for (size_t i = all.FirstTo(rows.first); i < all.size(); ++i) {
    if (!Contains(rows, all.to[i].value)) break;
    if (!Contains(rows, all.from[i].value)) continue;
    const uint32_t from = ContractedRow(store, devices, all.from[i].value);
    const uint32_t to = ContractedRow(store, devices, all.to[i].value);
    if (from != kNoRow && to != kNoRow && from != to) links.push_back({from, to});
  }
  return links;
}

// ---- linked events ------------------------------------------------------------------------------

// Sets linked_id_of to the index of each linked event.
LinkedEvents NumberLinkedEvents(const Store& store, const std::vector<EventRoot>& roots,
                                const std::vector<LinkedPair>& links,
                                std::span<const GroupedDevice> devices, Range rows,
                                Column<uint32_t>* linked_id_of) {
  for (const EventRoot& root : roots) (*linked_id_of)[root.row] = kMarked;
  for (const LinkedPair& link : links)
    (*linked_id_of)[link.from] = (*linked_id_of)[link.to] = kMarked;
  for (const GroupedDevice& device : devices) {
    const Range by = store.lanes[device.by.value].rows;
    std::fill_n(linked_id_of->data() + by.first, by.count, kMarked);
  }
  LinkedEvents linked_events;
  for (uint32_t row = rows.first; row < rows.first + rows.count; ++row) {
    if ((*linked_id_of)[row] != kMarked) continue;
    (*linked_id_of)[row] = static_cast<uint32_t>(linked_events.row.size());
    linked_events.row.push_back(row);
  }
  linked_events.around.assign(linked_events.row.size(), EventGroups::kNone);
  return linked_events;
}

// Sets the linked event of every event of a lane. Asynchronous events neither enclose others nor
// are enclosed.
void FollowNesting(const Store& store, const Lane& lane, const DetailColumn& is_async,
                   const RegionLabels& regions, LinkedEvents* linked_events,
                   Column<uint32_t>* linked_id_of) {
  LaneNesting nesting;
  NestEvents(store, lane, &nesting);
  std::vector<uint32_t> inside(nesting.parent.size(),
                               EventGroups::kNone);  // the linked event for events within this one
  uint32_t region = kNoRow;
  for (const uint32_t row : nesting.order) {
    const LabelId label = store.events.label[row];
    const uint32_t parent = InnerOf(store, nesting.ParentOf(row), region);
    if (label == regions.stop) region = kNoRow;
    const uint32_t around = parent == kNoRow ? EventGroups::kNone : inside[parent - nesting.first];
    uint32_t& linked_id = (*linked_id_of)[row];
    if (is_async.rows.count > 0 && is_async.Has(row) && is_async.Integer(row) > 0) {
      inside[row - nesting.first] = around;
      continue;
    }
    if (linked_id == EventGroups::kNone) {
      linked_id = around;
    } else {
      linked_events->around[linked_id] = around;
    }
    inside[row - nesting.first] = linked_id;
    if (label == regions.start) region = row;
  }
}

// An event of a TPU belongs to the step in which it starts.
void FollowLane(const Store& store, const Lane& lane, const Lane& by,
                Column<uint32_t>* linked_id_of) {
  for (uint32_t row = lane.rows.first + lane.unplaced; row < lane.rows.first + lane.rows.count;
       ++row) {
    const uint32_t around = RowAround(store, by, store.events.start_ps[row]);
    if (around != kNoRow) (*linked_id_of)[row] = (*linked_id_of)[around];
  }
}

struct LinkTask {
  LaneId lane;
  LaneId by;  // none: by nesting
  IndexPtr<DetailColumn> is_async;
  RegionLabels regions;
};

Result<std::vector<LinkTask>> LaneTasks(const Store& store, const Indexes& indexes,
                                        std::span<const ProcessId> processes, Context& context) {
  std::vector<LinkTask> tasks;
  for (const ProcessId id : processes) {
    const Process& process = store.processes[id.value];
    const LaneId by = GroupingLane(store, process);
    TFPROF_ASSIGN(const auto is_async, indexes.Details(id, AttributeKey::is_async, context));
    const RegionLabels regions = RegionLabelsOf(store, process);
    for (uint32_t i = 0; i < process.lanes.count; ++i) {
      const LaneId lane(process.lanes.first + i);
      if (lane != by) tasks.push_back({lane, by, is_async, regions});
    }
  }
  return tasks;
}

Result<void> FollowLanes(const Store& store, const std::vector<LinkTask>& tasks,
                         LinkedEvents* linked_events, Column<uint32_t>* linked_id_of,
                         Context& context) {
  const size_t threads = ThreadsFor(store.events.start_ps.bytes());
  return ForEachTask(tasks.size(), threads, context, [&](size_t i) {
    const Lane& lane = store.lanes[tasks[i].lane.value];
    if (tasks[i].by.some()) {
      FollowLane(store, lane, store.lanes[tasks[i].by.value], linked_id_of);
    } else {
      FollowNesting(store, lane, *tasks[i].is_async, tasks[i].regions, linked_events, linked_id_of);
    }
  });
}

}  // namespace

std::vector<GroupedDevice> GroupedDevices(const Store& store,
                                          std::span<const ProcessId> processes) {
  std::vector<GroupedDevice> grouped;
  for (const ProcessId id : processes) {
    const Process& process = store.processes[id.value];
    const LaneId by = GroupingLane(store, process);
    if (by.some()) grouped.push_back({RowsOf(store, process), by});
  }
  return grouped;
}

Result<LinkedEvents> FindLinkedEvents(const Store& store, const Indexes& indexes,
                                      std::span<const ProcessId> processes,
                                      const std::vector<EventRoot>& roots,
                                      std::span<const GroupedDevice> devices, Range rows,
                                      Column<uint32_t>* linked_id_of, Context& context) {
  TFPROF_ASSIGN(const auto all_links, indexes.Get<EventLinks>(context));
  std::vector<LinkedPair> links = LinksWithin(store, *all_links, rows, devices);
  LinkedEvents linked_events = NumberLinkedEvents(store, roots, links, devices, rows, linked_id_of);
  TFPROF_ASSIGN(const auto tasks, LaneTasks(store, indexes, processes, context));
  TFPROF_TRY(FollowLanes(store, tasks, &linked_events, linked_id_of, context));
  for (LinkedPair& link : links) link = {(*linked_id_of)[link.from], (*linked_id_of)[link.to]};
  linked_events.links = std::move(links);
  return linked_events;
}

}  // namespace tfprof
