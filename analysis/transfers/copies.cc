// SPDX-License-Identifier: Apache-2.0
#include "analysis/transfers/copies.h"

#include <algorithm>

#include "analysis/indexes.h"
#include "analysis/links/launch_ops.h"
#include "analysis/transfers/overlapped_time.h"

namespace tfprof {
namespace {

// By label of the process.
std::vector<Direction> DirectionsOf(const Store& store, const Process& process) {
  std::vector<Direction> directions;
  for (const Label& label : store.LabelsOf(process)) directions.push_back(DirectionOf(label.role));
  return directions;
}

bool IsCopy(const DetailColumn& work, Direction direction, uint32_t row) {
  if (work.rows.count == 0 || !work.Has(row)) return direction != Direction::other;
  return work.Integer(row) == static_cast<int64_t>(WorkKind::copy);
}

Result<void> FindIn(const Store& store, LaneId id, const std::vector<Direction>& directions,
                    const DetailColumn& work, DeviceCopies* found, Context& context) {
  const Lane& lane = store.lanes[id.value];
  const uint32_t first_label = store.processes[found->device.value].labels.first;
  for (const uint32_t row : lane.PlacedRows()) {
    if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const Direction direction = directions[store.events.label[row].value - first_label];
    if (!IsCopy(work, direction, row)) continue;
    Copy& copy = found->copies.emplace_back();
    copy.event = EventId(row);
    copy.lane = id;
    copy.direction = direction;
    copy.start_ps = store.events.start_ps[row];
    copy.duration_ps = store.events.duration_ps[row];
  }
  return {};
}

void TakeTexts(const DetailColumn& column, NameId Copy::*member, DeviceCopies* found) {
  std::vector<NameId> ids(column.texts.size());
  for (uint32_t i = 0; i < column.rows.count; ++i) {
    const NameId own = column.TextId(i);
    if (!own.some()) continue;
    NameId& id = ids[own.value];
    if (!id.some()) id = found->texts.Intern(column.texts[own]);
    found->copies[i].*member = id;
  }
}

Result<void> ReadDetails(const Store& store, DeviceCopies* found, Context& context) {
  std::vector<EventId> events;
  events.reserve(found->copies.size());
  for (const Copy& copy : found->copies) events.push_back(copy.event);
  constexpr DetailKey kKeys[] = {AttributeKey::copy_bytes, AttributeKey::copy_from,
                                 AttributeKey::copy_to, AttributeKey::op};
  TFPROF_ASSIGN(const std::vector<DetailColumn> columns,
                ReadColumns(store, found->device, events, kKeys, context));
  const DetailColumn& bytes = columns[0];
  for (uint32_t i = 0; i < bytes.rows.count; ++i) found->copies[i].bytes = bytes.Integer(i);
  TakeTexts(columns[1], &Copy::from, found);
  TakeTexts(columns[2], &Copy::to, found);
  TakeTexts(columns[3], &Copy::op, found);
  return {};
}

// A copy that records no operation has the one around the call that launched it.
Result<void> NameByLaunch(const Indexes& indexes, DeviceCopies* found, Context& context) {
  const Store& store = *indexes.store();
  if (std::ranges::all_of(found->copies, [](const Copy& copy) { return copy.op.some(); })) {
    return {};
  }
  TFPROF_ASSIGN(const auto launches, indexes.Get<LaunchOps>(context));
  for (Copy& copy : found->copies) {
    const uint32_t op = copy.op.some() ? kNoRow : launches->Around(copy.event.value);
    if (op == kNoRow) continue;
    copy.op = found->texts.Intern(store.Text(store.labels[store.events.label[op].value].name));
  }
  return {};
}

}  // namespace

std::string_view DisplayName(Direction direction) {
  constexpr std::string_view kWaitedObjects[] = {"host to device",   "device to host",
                                                 "device to device", "peer to peer",
                                                 "host to host",     "other"};
  return kWaitedObjects[static_cast<size_t>(direction)];
}

Direction DirectionOf(EventRole role) {
  switch (role) {
    case EventRole::copy_to_device: return Direction::host_to_device;
    case EventRole::copy_to_host: return Direction::device_to_host;
    case EventRole::copy_on_device: return Direction::device_to_device;
    case EventRole::copy_to_peer: return Direction::peer;
    case EventRole::copy_on_host: return Direction::host_to_host;
    default: return Direction::other;
  }
}

Result<DeviceCopies> DeviceCopies::Build(const Indexes& indexes, ProcessId device,
                                         Context& context) {
  const Store& store = *indexes.store();
  DeviceCopies found;
  found.device = device;
  const Process& process = store.processes[device.value];
  if (process.device.some() && store.devices[process.device.value].kind == DeviceKind::tpu) {
    TFPROF_TRY(FindTpuCopies(store, &found, context));
    return found;
  }
  TFPROF_ASSIGN(const auto work, indexes.Details(device, AttributeKey::work, context));
  const std::vector<Direction> directions = DirectionsOf(store, process);
  std::vector<LaneId> lanes;
  for (const uint32_t i : process.lanes) {
    const LaneId lane(i);
    if (store.lanes[lane.value].measures != Measures::accelerator_time) continue;
    lanes.push_back(lane);
    TFPROF_TRY(FindIn(store, lane, directions, *work, &found, context));
  }
  if (found.copies.empty()) return found;
  TFPROF_TRY(ReadDetails(store, &found, context));
  TFPROF_TRY(NameByLaunch(indexes, &found, context));
  if (work->rows.count == 0) return found;
  constexpr auto kKernel = static_cast<int64_t>(WorkKind::kernel);
  const IsKernel is_kernel = [&](uint32_t row) { return work->Integer(row) == kKernel; };
  TFPROF_TRY(MeasureOverlapped(store, lanes, is_kernel, &found.copies, context));
  return found;
}

}  // namespace tfprof
