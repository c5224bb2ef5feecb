// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "core/base/any_case.h"
#include "core/store/builder.h"

// Lanes of TensorFlow runs: one per device text, regardless of case.

namespace tfprof {

// Derives the role of a lane from its device text: the executor of a device, one stream of it, the
// sum of its streams, or its copies.
inline void ClassifyDevice(std::string_view device, Lane* lane) {
  const auto has = [&](std::string_view part) { return device.find(part) != device.npos; };
  if (has("stream:all")) {
    lane->role = LaneRole::sum_of_streams;
    lane->measures = Measures::accelerator_time;
  } else if (has("stream:")) {
    lane->role = LaneRole::stream;  // its time is included in the sum of streams
    lane->measures = Measures::nothing;
  } else if (has("memcpy")) {
    lane->role = LaneRole::copies;
    lane->measures = Measures::nothing;
  } else {
    lane->role = LaneRole::executor;
    lane->measures = Measures::host_time;
  }
}

// Returns the lane of the device; creates it at first use.
inline LaneId AddDeviceLane(std::string_view device, StoreBuilder& store) {
  const std::string lower = LowerCase(device);
  if (const LaneId known = store.FindLane(lower); known.some()) return known;
  Lane lane;
  lane.name = store.Name(lower);
  lane.display = store.Name(device);
  ClassifyDevice(lower, &lane);
  return store.AddLane(lane);
}

}  // namespace tfprof
