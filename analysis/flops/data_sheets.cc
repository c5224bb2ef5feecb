// SPDX-License-Identifier: Apache-2.0
#include "analysis/flops/data_sheets.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace tfprof {
namespace {

constexpr double kTera = 1e12;

// FLOP/s in 10^12, bytes/s in 10^9.
constexpr DevicePeaks Peaks(double matrix, double gigabytes, double vector) {
  return {matrix * kTera, gigabytes * 1e9, vector * kTera};
}

// Its vendor states no rate of the vector unit.
constexpr DevicePeaks MatrixPeaks(double matrix, double gigabytes) {
  return {matrix * kTera, gigabytes * 1e9, kNoReal};
}

constexpr std::string_view kByNvidia = "Nvidia", kByAmd = "AMD";

constexpr DataSheet kDataSheets[] = {
    {kByNvidia, "", 6, 0, 56, Peaks(21.2, 732, 21.2), 16},       // P100 SXM2
    {kByNvidia, "", 7, 0, 80, Peaks(125, 900, 31.4)},            // V100 SXM2
    {kByNvidia, "", 7, 5, 40, Peaks(65, 320, 16.2), 16},         // T4
    {kByNvidia, "", 8, 0, 108, Peaks(312, 1555, 78), 40},        // A100 40 GB
    {kByNvidia, "", 8, 0, 108, Peaks(312, 2039, 78), 80},        // A100 80 GB SXM
    {kByNvidia, "", 8, 6, 72, Peaks(125, 600, 31.2), 24},        // A10
    {kByNvidia, "", 8, 9, 58, Peaks(121, 300, 30.3), 24},        // L4
    {kByNvidia, "", 8, 9, 142, Peaks(362.05, 864, 91.6), 48},    // L40S
    {kByNvidia, "", 9, 0, 114, Peaks(756, 2000, 102.4), 80},     // H100 PCIe
    {kByNvidia, "", 9, 0, 132, Peaks(989.4, 3350, 133.8), 80},   // H100 SXM
    {kByNvidia, "", 9, 0, 132, Peaks(989.4, 4800, 133.8), 141},  // H200 SXM
    {kByNvidia, "", 10, 0, 148, Peaks(2250, 8000, 160), 180},    // B200
    {kByAmd, "", 9, 4, 304, Peaks(1307.4, 5300, 163.4), 192},    // MI300X
    {kByAmd, "", 9, 4, 304, Peaks(1307.4, 6000, 163.4), 256},    // MI325X
    {kByAmd, "", 9, 4, 228, Peaks(980.6, 5300, 122.6), 128},     // MI300A
    {kByAmd, "", 9, 5, 256, Peaks(2516.6, 8000, 157.3), 288},    // MI355X
    {"", "TPU v4", 0, 0, 0, MatrixPeaks(275, 1200)},
    {"", "TPU v5 lite", 0, 0, 0, MatrixPeaks(197, 819)},
    {"", "TPU v5", 0, 0, 0, MatrixPeaks(459, 2765)},
    {"", "TPU v6 Lite", 0, 0, 0, MatrixPeaks(918, 1638)},
};

bool IsNear(double value, double stated, double tolerance) {
  return std::abs(value - stated) <= tolerance * stated;
}

// Devices of one kind differ in their memory. Drivers report its bandwidth by clock and width of
// the bus: NVIDIA's the whole, ROCm's half of it. Some recorders report only its size, of which
// the driver may keep a part.
bool HasMemoryOf(const DataSheet& sheet, const Device& device) {
  constexpr double kTolerance = 0.05, kOfSize = 0.1, kGib = 1 << 30;
  const double stated = sheet.peaks.memory_bytes_per_s;
  const auto recorded = static_cast<double>(device.memory_bytes_per_s);
  if (recorded > 0) {
    return IsNear(recorded, stated, kTolerance) ||
           (sheet.vendor == kByAmd && IsNear(2 * recorded, stated, kTolerance));
  }
  if (device.memory_bytes <= 0) return false;
  const double gib = static_cast<double>(device.memory_bytes) / kGib;
  return sheet.memory_gib == 0 || IsNear(gib, sheet.memory_gib, kOfSize);
}

bool DescribesCores(const DataSheet& sheet, const Store& store, const Device& device) {
  const std::string_view vendor = store.Text(device.vendor);
  // Recorders that name no vendor supported NVIDIA only.
  if ((vendor.empty() ? kByNvidia : vendor) != sheet.vendor) return false;
  return device.capability_major == sheet.capability_major &&
         std::max<int64_t>(0, device.capability_minor) == sheet.capability_minor &&
         device.cores == sheet.cores;
}

bool Describes(const DataSheet& sheet, const Store& store, const Device& device) {
  if (!sheet.model.empty()) return store.Text(device.model) == sheet.model;
  return DescribesCores(sheet, store, device) && HasMemoryOf(sheet, device);
}

}  // namespace

const DataSheet* FindDataSheet(const Store& store, const Device& device) {
  const DataSheet* found =
      std::find_if(std::begin(kDataSheets), std::end(kDataSheets),
                   [&](const DataSheet& sheet) { return Describes(sheet, store, device); });
  return found == std::end(kDataSheets) ? nullptr : found;
}

DevicePeaks PeaksOfCores(const Store& store, const Device& device) {
  DevicePeaks peaks;
  for (const DataSheet& sheet : kDataSheets) {
    const bool fits = sheet.model.empty() && DescribesCores(sheet, store, device);
    if (!fits) continue;
    const bool is_first = !(peaks.flops_per_s > 0);
    if (!is_first && peaks.flops_per_s != sheet.peaks.flops_per_s) return {};
    const bool same_memory = is_first || peaks.memory_bytes_per_s == sheet.peaks.memory_bytes_per_s;
    peaks = sheet.peaks;
    if (!same_memory) peaks.memory_bytes_per_s = kNoReal;
  }
  return peaks;
}

}  // namespace tfprof
