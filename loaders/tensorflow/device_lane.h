// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "core/base/ascii.h"
#include "core/store/builder.h"

// Lanes of TensorFlow runs: one per device text, regardless of case.

namespace tfprof {

// Derives the role of a lane from its device text in lower case: the executor of a device, one
// stream of it, the sum of its streams, or its copies.
inline LaneRole RoleOfDevice(std::string_view device) {
  const auto has = [&](std::string_view part) { return device.find(part) != device.npos; };
  if (has("stream:all")) return LaneRole::sum_of_streams;
  if (has("stream:")) return LaneRole::stream;
  return has("memcpy") ? LaneRole::copies : LaneRole::executor;
}

// The time of a stream is included in the sum of streams.
inline Measures MeasuresOf(LaneRole role) {
  if (role == LaneRole::sum_of_streams) return Measures::accelerator_time;
  return role == LaneRole::executor ? Measures::host_time : Measures::nothing;
}

// Returns the lane of the device; creates it at first use.
inline LaneId AddDeviceLane(std::string_view device, StoreBuilder& store) {
  const std::string lower = LowerCase(device);
  if (const LaneId known = store.FindLane(lower); known.some()) return known;
  Lane lane;
  lane.name = store.Name(lower);
  lane.display = store.Name(device);
  lane.role = RoleOfDevice(lower);
  lane.measures = MeasuresOf(lane.role);
  return store.AddLane(lane);
}

}  // namespace tfprof
