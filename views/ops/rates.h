// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <limits>
#include <vector>

#include "core/report.h"
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

// Memory on a chip is some twenty times as fast as that beside it.
constexpr double kMostOfPeak = 50;
constexpr double kFastestMemory = 20e12;  // bytes/s, where the peak is not told: no device has more

// Whether no memory moves so much in so little time: then they do not belong together. An
// instruction that starts or awaits an asynchronous copy has all its bytes and hardly any time.
template <class Op>
bool IsBeyondMemory(const DevicePeaks& peaks, const Op& op) {
  const bool told = peaks.memory_bytes_per_s > 0;
  const double peak = told ? peaks.memory_bytes_per_s : kFastestMemory;
  return PerSecond(op, op.bytes) > kMostOfPeak * peak;
}

// Bytes per second; NaN: not known, or beyond memory.
template <class Op>
double MemoryRate(const DevicePeaks& peaks, const Op& op) {
  return IsBeyondMemory(peaks, op) ? kNotKnown : PerSecond(op, op.bytes);
}

// Says why such operations have no rate, where there are any.
template <class Op>
void NoteBeyondMemory(const DevicePeaks& peaks, const std::vector<Op>& ops, Report* report) {
  const auto count = std::count_if(ops.begin(), ops.end(),
                                   [&](const Op& op) { return IsBeyondMemory(peaks, op); });
  if (count == 0) return;
  report->notes.push_back(
      {"operations whose bytes no memory moves in their time, as those that "
       "start or await a copy: without a memory rate",
       count, "", kNoInt});
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
