// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <limits>
#include <vector>

#include "views/device_peaks.h"
#include "views/op_times.h"

// Work over time, for the tables of operations.

namespace tfprof {

constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();
constexpr double kGibi = 1024.0 * 1024 * 1024;

// `amount` over the total time of an operation (also the time of those within, whose work it
// includes); NaN: not known.
template <class Op>
double PerSecond(const Op& op, double amount) {
  return op.total_ps > 0 ? amount / (static_cast<double>(op.total_ps) / 1e12) : kNotKnown;
}

// What is nearer to its peak, computing or memory.
template <class Op>
Bound BoundOf(const DevicePeaks& peaks, const Op& op) {
  return BoundOf(peaks, PerSecond(op, op.device_flops), PerSecond(op, op.bytes));
}

// Of the first device that ran anything: those of one run are alike.
inline DevicePeaks PeaksOfAny(const Store& store, const std::vector<const ProcessOps*>& devices) {
  for (const ProcessOps* of : devices) {
    const DeviceId device = store.processes[of->process.value].device;
    if (!of->ops.empty() && device.some()) return PeaksOf(store, store.devices[device.value]);
  }
  return {};
}

}  // namespace tfprof
