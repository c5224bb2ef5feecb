// SPDX-License-Identifier: Apache-2.0
#include "views/columns/device_use.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/chosen_events.h"
#include "analysis/steps/device_idle.h"
#include "core/text/units.h"
#include "views/columns/properties.h"
#include "views/columns/rates.h"

namespace tfprof {
namespace {

constexpr double kConclusive = 0.9;  // as of rates

bool IsMostOf(int64_t part_ps, int64_t ps) {
  return ps > 0 && static_cast<double>(part_ps) >= kConclusive * static_cast<double>(ps);
}

double Capacity(double per_second, int64_t ps) {
  return per_second > 0 ? per_second * static_cast<double>(ps) / 1e12 : kNoReal;
}

// It contains others: its recorded cost is theirs.
bool ContainsOthers(const OpTime& op) { return op.self_ps < op.total_ps; }

}  // namespace

void DeviceUse::Add(const DevicePeaks& peaks, const OpTime& op) {
  time_ps = SaturatingAdd(time_ps, op.self_ps);
  const bool no_product =
      IsStalled(op) || IsOverLinks(op) || ContainsOthers(op) || !op.may_use_matrix_units;
  if (no_product) {
    flops_ps = SaturatingAdd(flops_ps, op.self_ps);
  } else if (op.device_flops.some()) {
    flops_ps = SaturatingAdd(flops_ps, std::min(op.device_flops.ps, op.self_ps));
    flops += op.device_flops.amount;
    model_flops += op.model_flops.some() ? std::min(op.model_flops.amount, op.device_flops.amount)
                                         : op.device_flops.amount;
  }
  if (ContainsOthers(op)) {
    bytes_ps = SaturatingAdd(bytes_ps, op.self_ps);
  } else if (op.bytes.some() && !IsStalled(op) && !IsOverLinks(op) &&
             !IsBeyondMemory(peaks, op.bytes)) {
    bytes_ps = SaturatingAdd(bytes_ps, std::min(op.bytes.ps, op.self_ps));
    bytes += op.bytes.amount;
  }
}

void DeviceUse::Add(const DeviceUse& other) {
  time_ps = SaturatingAdd(time_ps, other.time_ps);
  flops_ps = SaturatingAdd(flops_ps, other.flops_ps);
  flops += other.flops;
  model_flops += other.model_flops;
  bytes_ps = SaturatingAdd(bytes_ps, other.bytes_ps);
  bytes += other.bytes;
}

double DeviceUse::FlopsShare(const DevicePeaks& peaks) const {
  return IsMostOf(flops_ps, time_ps) ? flops / Capacity(peaks.flops_per_s, flops_ps) : kNoReal;
}

double DeviceUse::BandwidthShare(const DevicePeaks& peaks) const {
  return IsMostOf(bytes_ps, time_ps) ? bytes / Capacity(peaks.memory_bytes_per_s, bytes_ps)
                                     : kNoReal;
}

double DeviceUse::WastedFlops(const DevicePeaks& peaks) const {
  if (!IsMostOf(flops_ps, time_ps)) return kNoReal;
  const double wasted = Capacity(peaks.flops_per_s, flops_ps) - flops;
  return wasted < 0 ? 0 : wasted;
}

double DeviceUse::Mfu(const DevicePeaks& peaks, int64_t ps) const {
  if (ps == kNoInt || ps <= 0 || !IsMostOf(flops_ps, time_ps)) return kNoReal;
  return model_flops / Capacity(peaks.flops_per_s, ps);
}

namespace {

// All devices of one run are alike: they have the peaks of the first.
struct UseOfDevices {
  DevicePeaks peaks;
  DeviceUse use;
  std::vector<ProcessId> processes;  // those that ran anything
};

UseOfDevices UseOfAll(const Store& store, const OpTimes& times, const PlaceFilter& place,
                      OpAccounting accounting) {
  const std::vector<const ProcessOps*> devices = ChooseOps(store, times, place, true);
  UseOfDevices all{PeaksOfAny(store, accounting, devices), {}, {}};
  for (const ProcessOps* of : devices) {
    if (of->ops.empty()) continue;
    all.use.Add(UseOf(all.peaks, of->ops));
    all.processes.push_back(of->process);
  }
  return all;
}

}  // namespace

Result<double> MfuOfDevices(const Store& store, const Indexes& indexes, const PlaceFilter& place,
                            OpAccounting accounting, Context& context) {
  TFPROF_ASSIGN(auto times, OpsOf(store, indexes, place, accounting, context));
  UseOfDevices all = UseOfAll(store, *times, place, accounting);
  if (std::isnan(all.use.FlopsShare(all.peaks))) return kNoReal;
  TFPROF_ASSIGN(const auto idle, IdleOfDevices(store, indexes, place, context));
  const bool in_steps = std::ranges::any_of(
      all.processes, [&](ProcessId id) { return idle[id.value].within == IdleWithin::steps; });
  if (in_steps && !place.SelectsSteps()) {
    // Work between steps does not count.
    TFPROF_ASSIGN(const auto numbers, StepNumbers(store, indexes, place, context));
    PlaceFilter steps = place;
    if (!numbers.empty()) {
      steps.step = numbers.front();
      steps.last_step = numbers.back();
    }
    TFPROF_ASSIGN(times, OpsOf(store, indexes, steps, accounting, context));
    all = UseOfAll(store, *times, steps, accounting);
  }
  int64_t within_ps = 0;
  for (const ProcessId id : all.processes) {
    within_ps = SaturatingAdd(within_ps, idle[id.value].within_ps);
  }
  return all.use.Mfu(all.peaks, within_ps);
}

void AddSummedDevices(const std::vector<const ProcessOps*>& devices, Report* report) {
  const int64_t count =
      std::ranges::count_if(devices, [](const ProcessOps* of) { return !of->ops.empty(); });
  if (count < 2) return;
  AddIntegerProperty({"summed_devices", "device times"}, count, Unit::count, report).display_text =
      "sum of " + Counted(count, "device");
}

DeviceUse UseOf(const DevicePeaks& peaks, std::span<const OpTime> ops) {
  DeviceUse use;
  for (const OpTime& op : ops) use.Add(peaks, op);
  return use;
}

}  // namespace tfprof
