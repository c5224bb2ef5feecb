// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/flops/device_peaks.h"

namespace tfprof {

// What a vendor states about a device. docs/devices.md lists the sources.
struct DataSheet {
  std::string_view vendor;  // AMD, Nvidia; empty: it is known by its model
  std::string_view model;   // the whole name that the recorder gives
  int64_t capability_major = 0;
  int64_t capability_minor = 0;
  int64_t cores = 0;  // multiprocessors
  DevicePeaks peaks = {};
  double memory_gib = 0;  // 0: devices of several sizes are alike
};

// Returns null if the device is none of those.
const DataSheet* FindDataSheet(const Store& store, const Device& device);

// What is the same for all devices of that kind and number of multiprocessors, of which only the
// memory may differ.
DevicePeaks PeaksOfCores(const Store& store, const Device& device);

}  // namespace tfprof
