// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/linked_events.h"

#include <algorithm>

#include "analysis/indexes.h"
#include "analysis/intervals/nesting.h"
#include "analysis/links/event_links.h"
#include "analysis/ops/thread_regions.h"
#include "analysis/place.h"
#include "analysis/steps/event_groups.h"
#include "core/base/parallel.h"

namespace tfprof {
namespace {

constexpr uint32_t kMarked = EventGroups::kNone - 1;  // in knot_of: will be a knot

// ---- links -------------------------------------------------------------------------------------

// None: not of a TPU, or one without steps and programs.
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

// The event of `lane` that runs at that time, the last that began; kNoRow: none.
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

// What stands for an event when groups are handed on: of a TPU its step.
uint32_t Delegate(const Store& store, std::span<const GroupedDevice> devices, uint32_t row) {
  for (const GroupedDevice& device : devices) {
    if (!Contains(device.rows, row)) continue;
    const Lane& by = store.lanes[device.by.value];
    return Contains(by.rows, row) ? row : RowAround(store, by, store.events.start_ps[row]);
  }
  return row;
}

std::vector<KnotLink> LinksWithin(const Store& store, const EventLinks& all, Range rows,
                                  std::span<const GroupedDevice> devices) {
  std::vector<KnotLink> links;
  for (size_t i = all.FirstTo(rows.first); i < all.size(); ++i) {
    if (!Contains(rows, all.to[i].value)) break;
    if (!Contains(rows, all.from[i].value)) continue;
    const uint32_t from = Delegate(store, devices, all.from[i].value);
    const uint32_t to = Delegate(store, devices, all.to[i].value);
    if (from != kNoRow && to != kNoRow && from != to) links.push_back({from, to});
  }
  return links;
}

// ---- knots -------------------------------------------------------------------------------------

// knot_of of a knot becomes its number.
Knots NumberKnots(const Store& store, const std::vector<EventRoot>& roots,
                  const std::vector<KnotLink>& links, std::span<const GroupedDevice> devices,
                  Range rows, Column<uint32_t>* knot_of) {
  for (const EventRoot& root : roots) (*knot_of)[root.row] = kMarked;
  for (const KnotLink& link : links) (*knot_of)[link.from] = (*knot_of)[link.to] = kMarked;
  for (const GroupedDevice& device : devices) {
    const Range by = store.lanes[device.by.value].rows;
    std::fill_n(knot_of->data() + by.first, by.count, kMarked);
  }
  Knots knots;
  for (uint32_t row = rows.first; row < rows.first + rows.count; ++row) {
    if ((*knot_of)[row] != kMarked) continue;
    (*knot_of)[row] = static_cast<uint32_t>(knots.row.size());
    knots.row.push_back(row);
  }
  knots.around.assign(knots.row.size(), EventGroups::kNone);
  return knots;
}

// The knot of every event of a lane. What runs asynchronously encloses nothing and lies in nothing.
void FollowNesting(const Store& store, const Lane& lane, const DetailColumn& is_async,
                   const RegionLabels& regions, Knots* knots, Column<uint32_t>* knot_of) {
  LaneNesting nesting;
  NestEvents(store, lane, &nesting);
  std::vector<uint32_t> inside(nesting.parent.size(),
                               EventGroups::kNone);  // the knot of what lies in the event
  uint32_t region = kNoRow;
  for (const uint32_t row : nesting.order) {
    const LabelId label = store.events.label[row];
    const uint32_t parent = InnerOf(store, nesting.ParentOf(row), region);
    if (label == regions.stop) region = kNoRow;
    const uint32_t around = parent == kNoRow ? EventGroups::kNone : inside[parent - nesting.first];
    uint32_t& knot = (*knot_of)[row];
    if (is_async.rows.count > 0 && is_async.Has(row) && is_async.Integer(row) > 0) {
      inside[row - nesting.first] = around;
      continue;
    }
    if (knot == EventGroups::kNone) {
      knot = around;
    } else {
      knots->around[knot] = around;
    }
    inside[row - nesting.first] = knot;
    if (label == regions.start) region = row;
  }
}

// An event of a TPU has the knot of the step in which it begins.
void FollowLane(const Store& store, const Lane& lane, const Lane& by, Column<uint32_t>* knot_of) {
  for (uint32_t row = lane.rows.first + lane.unplaced; row < lane.rows.first + lane.rows.count;
       ++row) {
    const uint32_t around = RowAround(store, by, store.events.start_ps[row]);
    if (around != kNoRow) (*knot_of)[row] = (*knot_of)[around];
  }
}

struct LaneTask {
  LaneId lane;
  LaneId by;  // none: nesting tells
  IndexPtr<DetailColumn> is_async;
  RegionLabels regions;
};

Result<std::vector<LaneTask>> LaneTasks(const Store& store, const Indexes& indexes,
                                        std::span<const ProcessId> processes, Context& context) {
  std::vector<LaneTask> tasks;
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

Result<void> FollowLanes(const Store& store, const std::vector<LaneTask>& tasks, Knots* knots,
                         Column<uint32_t>* knot_of, Context& context) {
  const size_t threads = ThreadsFor(store.events.start_ps.bytes());
  return ForEachTask(tasks.size(), threads, context, [&](size_t i) {
    const Lane& lane = store.lanes[tasks[i].lane.value];
    if (tasks[i].by.some()) {
      FollowLane(store, lane, store.lanes[tasks[i].by.value], knot_of);
    } else {
      FollowNesting(store, lane, *tasks[i].is_async, tasks[i].regions, knots, knot_of);
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

Result<Knots> TieKnots(const Store& store, const Indexes& indexes,
                       std::span<const ProcessId> processes, const std::vector<EventRoot>& roots,
                       std::span<const GroupedDevice> devices, Range rows,
                       Column<uint32_t>* knot_of, Context& context) {
  TFPROF_ASSIGN(const auto all_links, indexes.Get<EventLinks>(context));
  std::vector<KnotLink> links = LinksWithin(store, *all_links, rows, devices);
  Knots knots = NumberKnots(store, roots, links, devices, rows, knot_of);
  TFPROF_ASSIGN(const auto tasks, LaneTasks(store, indexes, processes, context));
  TFPROF_TRY(FollowLanes(store, tasks, &knots, knot_of, context));
  for (KnotLink& link : links) link = {(*knot_of)[link.from], (*knot_of)[link.to]};
  knots.links = std::move(links);
  return knots;
}

}  // namespace tfprof
