// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "views/columns/member_rows.h"

namespace tfprof {

// What graph nodes did on one of the devices that count for them.
struct DeviceRow {
  std::string_view device;
  int64_t nodes = 0;
  int64_t time = kNoInt;  // TimeUnit; of a step
  int64_t runs = kNoInt;
};

// A row per device, the one with most time first. All that a node of a profile did counts on its
// one device; of a trace each device has what ran there.
std::vector<DeviceRow> DeviceRows(const Store& store, const NodeAccounts& accounts,
                                  const NodeSums& sums, std::span<const NodeId> nodes,
                                  const TimesCounted& counted);

}  // namespace tfprof
