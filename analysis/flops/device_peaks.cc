// SPDX-License-Identifier: Apache-2.0
#include "analysis/flops/device_peaks.h"

#include <algorithm>
#include <span>

#include "analysis/flops/data_sheets.h"
#include "core/base/ascii.h"

namespace tfprof {
namespace {

// FLOPs of one multiprocessor per clock cycle: 16-bit multiplications and additions. A kind that is
// not listed has no known peak: peaks of older kinds do not carry over.
struct PerClock {
  int64_t capability;  // 10 * major + minor
  double flops;
};

constexpr PerClock kNvidiaPeaks[] = {
    {20, 64},     // Fermi: 32 fused multiply-adds, 32 bit
    {30, 384},    // NVIDIA GeForce GTX 680 whitepaper: 192 cores, 32 bit
    {35, 384},    // NVIDIA Kepler GK110/210 whitepaper: 192 cores, 32 bit
    {37, 384},    // likewise, Tesla K80
    {50, 256},    // NVIDIA GeForce GTX 750 Ti whitepaper: 128 cores, 32 bit
    {52, 256},    // NVIDIA GeForce GTX 980 whitepaper: 128 cores, 32 bit
    {60, 256},    // NVIDIA Tesla P100 whitepaper: 64 cores, twice the rate at 16 bit
    {61, 256},    // NVIDIA GeForce GTX 1080 whitepaper: 128 cores, 32 bit
    {70, 1024},   // NVIDIA Tesla V100 whitepaper: 8 tensor cores of 64 multiply-adds
    {75, 1024},   // NVIDIA Turing whitepaper: 8 tensor cores of 64
    {80, 2048},   // NVIDIA A100 whitepaper: 4 tensor cores of 256
    {86, 1024},   // NVIDIA GA102 whitepaper: 4 tensor cores of 128
    {89, 1024},   // NVIDIA Ada whitepaper: 4 tensor cores of 128
    {90, 4096},   // NVIDIA H100 whitepaper: 4 tensor cores of 512
    {100, 8192},  // NVIDIA Blackwell architecture brief: twice the H100
};

constexpr PerClock kAmdPeaks[] = {
    {94, 2048},  // AMD CDNA 3 whitepaper, table 1: matrix FP16, MI300
    {95, 4096},  // AMD CDNA 4 whitepaper, table 1: matrix FP16, MI350
};

// Looks up exactly this kind; 0: unknown.
double FlopsOfKind(int64_t capability, std::span<const PerClock> kinds) {
  const auto found = std::ranges::find(kinds, capability, &PerClock::capability);
  return found == kinds.end() ? 0 : found->flops;
}

double FlopsPerClock(std::string_view vendor, int64_t major, int64_t minor) {
  if (major <= 0 || major > 100 || minor < 0 || minor > 9) return 0;
  const int64_t capability = 10 * major + minor;
  if (ContainsAnyCase(vendor, "amd")) return FlopsOfKind(capability, kAmdPeaks);
  if (ContainsAnyCase(vendor, "nvidia")) return FlopsOfKind(capability, kNvidiaPeaks);
  return 0;
}

}  // namespace

DevicePeaks PeaksOf(const Store& store, const Device& device) {
  const DataSheet* known = FindDataSheet(store, device);
  if (known != nullptr) return known->peaks;
  // Without a clock and a memory, only the kind identifies the device.
  const bool has_rates =
      device.peak_flops_per_s > 0 || device.clock_khz > 0 || device.memory_bytes_per_s > 0;
  return has_rates ? RecordedPeaksOf(store, device) : PeaksOfCores(store, device);
}

DevicePeaks RecordedPeaksOf(const Store& store, const Device& device) {
  DevicePeaks peaks;
  peaks.flops_per_s = device.peak_flops_per_s;
  if (device.memory_bytes_per_s > 0) {
    peaks.memory_bytes_per_s = static_cast<double>(device.memory_bytes_per_s);
  }
  if (peaks.flops_per_s > 0) return peaks;  // recorded
  peaks.flops_per_s = kNoReal;
  const double per_clock =
      FlopsPerClock(store.Text(device.vendor), device.capability_major, device.capability_minor);
  if (per_clock > 0 && device.cores > 0 && device.clock_khz > 0) {
    peaks.flops_per_s =
        per_clock * static_cast<double>(device.cores) * static_cast<double>(device.clock_khz) * 1e3;
  }
  return peaks;
}

Bound BoundOf(const DevicePeaks& peaks, double flops_per_s, double bytes_per_s) {
  Bound bound;
  const double compute = flops_per_s / peaks.flops_per_s;
  const double memory = bytes_per_s / peaks.memory_bytes_per_s;
  if (compute > 0) bound = {kCompute, compute};
  if (memory > 0 && !(bound.share >= memory)) bound = {kMemory, memory};
  return bound;
}

}  // namespace tfprof
