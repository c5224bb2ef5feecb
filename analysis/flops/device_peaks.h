// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

#include "core/base/arith.h"
#include "core/store/store.h"

namespace tfprof {

// What a device can do at most; NaN: not known.
struct DevicePeaks {
  double flops_per_s = kNoReal;
  double memory_bytes_per_s = kNoReal;

  // Flops per byte from which on computing, not memory, is the limit.
  double Ridge() const { return flops_per_s / memory_bytes_per_s; }
};

// What the trace says of the device; what it lacks is worked out from its kind, its number of
// multiprocessors and its clock. Flops are those of 16 bit numbers without sparsity, in matrix
// units where there are any.
DevicePeaks PeaksOf(const Store& store, const Device& device);

// How a rate compares with a peak; `flops` or `bytes` NaN: not known.
inline constexpr std::string_view kCompute = "Compute", kMemory = "HBM";
struct Bound {
  std::string_view by;     // kCompute or kMemory, what is nearer to its peak; empty: not known
  double share = kNoReal;  // of that peak
};
Bound BoundOf(const DevicePeaks& peaks, double flops_per_s, double bytes_per_s);

}  // namespace tfprof
