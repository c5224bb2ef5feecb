// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "views/columns/member_rows.h"

namespace tfprof {

// Work of graph nodes on one of their counting devices.
struct DeviceRow {
  std::string_view device;
  int64_t nodes = 0;
  int64_t time = kNoInt;  // TimeUnit; per step
  int64_t runs = kNoInt;
};

// Returns a row per device, by time, descending. In a profile, everything a node did counts on its
// one device; in a trace each device counts what ran there.
std::vector<DeviceRow> DeviceRows(const Store& store, const NodeAccounts& accounts,
                                  const NodeSums& sums, std::span<const NodeId> nodes,
                                  const TimesCounted& counted);

}  // namespace tfprof
