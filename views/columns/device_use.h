// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <span>

#include "analysis/flops/device_peaks.h"
#include "analysis/indexes.h"
#include "analysis/ops/op_times.h"
#include "core/base/arith.h"
#include "core/base/context.h"
#include "core/base/result.h"
#include "core/query/query.h"
#include "core/store/store.h"
#include "views/columns/fill_columns.h"

// How much of a device's 16-bit peak and of its memory bandwidth operations used. These are sums:
// those of categories and programs add up to that of the whole.

namespace tfprof {

struct DeviceUse {
  int64_t time_ps = 0;  // self times of operations, over all devices

  // Only work that may use matrix units counts: the peak is theirs. Elementwise work, transfers
  // over links, operations that wait for others or only contain others do none of their own.
  int64_t flops_ps = 0;    // part of time_ps in which that work is known
  double flops = 0;        // in flops_ps; operands of 8 bits count half
  double model_flops = 0;  // likewise, without what is computed anew to save memory

  int64_t bytes_ps = 0;  // part of time_ps whose bytes are known
  double bytes = 0;

  // The bytes of an operation do not count if they are beyond the peak of the memory.
  void Add(const DevicePeaks& peaks, const OpTime& op);
  void Add(const DeviceUse& other);

  // Shares from 0 to 1; NaN: a peak is unknown, or the work is known for less than 90 % of the
  // time.
  double FlopsShare(const DevicePeaks& peaks) const;
  double BandwidthShare(const DevicePeaks& peaks) const;
  // What the devices could have computed in flops_ps, minus what they did; NaN likewise.
  double WastedFlops(const DevicePeaks& peaks) const;
  // Model FLOPs utilization over `ps`, time of devices that includes all of time_ps.
  double Mfu(const DevicePeaks& peaks, int64_t ps) const;
};

DeviceUse UseOf(const DevicePeaks& peaks, std::span<const OpTime> ops);

// Model FLOPs utilization from 0 to 1 of the selected devices that ran anything, over the time that
// IdleOfDevices judges: steps, else their work or the recording. NaN: a peak or the flops are
// unknown. Error: cancelled; usage, no such step.
Result<double> MfuOfDevices(const Store& store, const Indexes& indexes, const PlaceFilter& place,
                            OpAccounting accounting, Context& context);

// Adds the number of devices over which the tables sum, if there are several.
void AddSummedDevices(const std::vector<const ProcessOps*>& devices, Report* report);

// Adds the column mfu_pct; `cell` returns 0 to 1. Readers see it if any cell is known: it never is
// on CPUs, nor without compiled programs.
template <class Items, class Cell>
void FillMfu(const Items& items, const Cell& cell, Table* table) {
  ReportColumn& mfu =
      Fill(*table, "mfu_pct", items, [&](const auto& item) { return 100 * cell(item); });
  mfu.spec.human_readable =
      std::ranges::any_of(mfu.reals, [](double value) { return value == value; });
}

}  // namespace tfprof
