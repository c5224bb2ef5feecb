// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <vector>

#include "analysis/place.h"
#include "analysis/transfers/copies.h"
#include "analysis/transfers/overlapped_time.h"
#include "core/base/context.h"

namespace tfprof {
namespace {

// The copies of one device, apart by the role of the lane with their record.
struct RecordedOf {
  std::vector<uint32_t> of_streams;  // of Store::copies
  std::vector<uint32_t> of_copies;
};

bool IsRecordedCopy(const Store& store, uint32_t row) {
  const auto by_event = [](const RecordedCopy& copy, uint32_t of) { return copy.event.value < of; };
  const auto* at = std::lower_bound(store.copies.begin(), store.copies.end(), row, by_event);
  return at != store.copies.end() && at->event.value == row;
}

NameId KeptName(const Store& store, NameId name, DeviceCopies* found) {
  return name.some() ? found->texts.Intern(store.Text(name)) : NameId();
}

void AddCopy(const Store& store, const RecordedCopy& recorded, DeviceCopies* found) {
  const uint32_t row = recorded.event.value;
  Copy& copy = found->copies.emplace_back();
  copy.event = recorded.event;
  copy.lane = LaneOf(store, recorded.event);
  copy.start_ps = store.events.start_ps[row];
  copy.duration_ps = store.events.duration_ps[row];
  copy.bytes = recorded.bytes;
  copy.from = KeptName(store, recorded.from, found);
  copy.to = KeptName(store, recorded.to, found);
  copy.op = KeptName(store, recorded.op, found);
  copy.direction = DirectionOf(recorded.direction);
}

// The lanes with the kernels of a device.
std::vector<LaneId> KernelLanes(const Store& store, const std::vector<uint32_t>& device_of_lane,
                                uint32_t device) {
  std::vector<LaneId> sums, streams;
  for (uint32_t i = 0; i < store.lanes.size(); ++i) {
    if (device_of_lane[i] != device) continue;
    if (store.lanes[i].role == LaneRole::sum_of_streams) sums.emplace_back(i);
    if (store.lanes[i].role == LaneRole::stream) streams.emplace_back(i);
  }
  return sums.empty() ? streams : sums;
}

}  // namespace

Result<RunCopies> RunCopies::Build(const Store& store, Context& context) {
  const std::vector<uint32_t> device_of_lane = DeviceLanes(store);
  std::map<uint32_t, RecordedOf> recorded;  // by lane of the device
  for (uint32_t i = 0; i < store.copies.size(); ++i) {
    if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const LaneId lane = LaneOf(store, store.copies[i].event);
    RecordedOf& of_device = recorded[device_of_lane[lane.value]];
    const bool on_copies = store.lanes[lane.value].role == LaneRole::copies;
    (on_copies ? of_device.of_copies : of_device.of_streams).push_back(i);
  }
  RunCopies found;
  for (const auto& [device, copies] : recorded) {
    DeviceCopies& of_device = found.devices.emplace_back();
    const bool streams_have_all = copies.of_streams.size() >= copies.of_copies.size();
    for (const uint32_t i : streams_have_all ? copies.of_streams : copies.of_copies) {
      AddCopy(store, store.copies[i], &of_device);
    }
    of_device.lane = of_device.copies[0].lane;
    const std::vector<LaneId> lanes = KernelLanes(store, device_of_lane, device);
    if (lanes.empty()) continue;
    const IsKernel is_kernel = [&](uint32_t row) { return !IsRecordedCopy(store, row); };
    TFPROF_TRY(MeasureOverlapped(store, lanes, is_kernel, &of_device.copies, context));
  }
  return found;
}

}  // namespace tfprof
