// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "core/base/arith.h"
#include "core/store/store.h"

namespace tfprof {

// Peak rates of a device; NaN: unknown. FLOPs are dense.
struct DevicePeaks {
  double flops_per_s = kNoReal;  // 16 bit, on matrix units where the device has them
  double memory_bytes_per_s = kNoReal;
  double vector_flops_per_s = kNoReal;  // of elementwise work, which matrix units cannot do

  // FLOPs per byte above which compute, not memory, is the limit.
  double Ridge() const { return flops_per_s / memory_bytes_per_s; }
};

// Returns the peaks of the data sheet for a device that is known by its name or its exact kind
// (docs/devices.md); else those of RecordedPeaksOf.
DevicePeaks PeaksOf(const Store& store, const Device& device);

// Returns the peaks recorded in the trace, as xprof uses them; a missing FLOP rate is derived from
// the device's exact kind, number of multiprocessors and clock.
DevicePeaks RecordedPeaksOf(const Store& store, const Device& device);

// Relates a rate to its peak. NaN in `flops` or `bytes`: unknown.
inline constexpr std::string_view kCompute = "Compute", kMemory = "HBM";
struct Bound {
  std::string_view by;     // kCompute or kMemory, whichever is nearer to its peak; empty: unknown
  double share = kNoReal;  // of that peak
};
Bound BoundOf(const DevicePeaks& peaks, double flops_per_s, double bytes_per_s);

}  // namespace tfprof
