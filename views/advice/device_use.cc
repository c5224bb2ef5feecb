// SPDX-License-Identifier: Apache-2.0
// AcceleratorUtilizationChecker and DeviceIdleChecker: device activity in steps
// (analysis/steps/step_table.h). Devices of one kind mostly behave alike, and there may be
// hundreds, so only the worst one is reported, with the number of others.
#include <algorithm>
#include <string>
#include <string_view>

#include "analysis/place.h"
#include "analysis/wall/times.h"
#include "core/text/short_name.h"
#include "views/advice/evidence.h"
#include "views/advice/thresholds.h"

namespace tfprof {
namespace {

// One device in all steps of its host.
struct DeviceUse {
  int64_t steps = 0;     // of its host
  int64_t steps_ps = 0;  // sum of the step durations on the device
  int64_t busy_ps = 0;
  int64_t idle_ps = 0;          // sum of gaps
  int64_t active_steps_ps = 0;  // time of the steps in which it did anything
  int64_t gaps = 0;
  int64_t steps_with = 0;                         // number of steps in which it did anything
  const DeviceStep* longest_idle_step = nullptr;  // the step with the longest time without work
  const DeviceStep* longest_gap = nullptr;

  double BusyPercent() const { return Percent(busy_ps, steps_ps); }
  double IdlePercent() const { return Percent(idle_ps, active_steps_ps); }
  // Includes its work for other steps in that time.
  static int64_t BusyPs(const DeviceStep& row) {
    return std::min(SaturatingAdd(row.busy_ps, row.others_ps), row.step_ps);
  }
  static int64_t UnusedPs(const DeviceStep& row) { return row.step_ps - BusyPs(row); }
};

void Add(const DeviceStep& row, const StepRow& step, DeviceUse* use) {
  use->steps_ps = SaturatingAdd(use->steps_ps, row.step_ps - step.SpanPs());
  use->busy_ps = SaturatingAdd(use->busy_ps, use->BusyPs(row));
  use->idle_ps = SaturatingAdd(use->idle_ps, row.IdlePs());
  use->active_steps_ps = SaturatingAdd(use->active_steps_ps, row.step_ps);
  use->gaps += row.gaps;
  ++use->steps_with;
  const bool less = use->longest_idle_step == nullptr ||
                    use->UnusedPs(row) > use->UnusedPs(*use->longest_idle_step);
  if (less) use->longest_idle_step = &row;
  const bool longer =
      use->longest_gap == nullptr || row.longest_gap_ps > use->longest_gap->longest_gap_ps;
  if (longer) use->longest_gap = &row;
}

bool IsDevice(const Store& store, const DeviceStep& row) {
  if (MeasuresOf(store, row) != Measures::accelerator_time) return false;
  return row.lane.some() || store.processes[row.process.value].device.some();
}

bool HasDevices(const Checking& checking) {
  const std::vector<DeviceStep>& rows = checking.tables.devices;
  return std::any_of(rows.begin(), rows.end(),
                     [&](const DeviceStep& row) { return IsDevice(checking.recorded, row); });
}

// For each step, whether it counts: not if its kernels were not recorded, nor as the warm-up, which
// wall time excludes.
Result<std::vector<bool>> CountedSteps(const Checking& checking) {
  std::vector<bool> counted;
  for (const StepRow& step : checking.tables.steps) {
    counted.push_back(!LacksKernels(checking.recorded, step));
  }
  if (checking.trace == nullptr) return counted;
  TFPROF_ASSIGN(const auto times, checking.of_recorded.Get<WallTimes>(checking.context));
  const std::vector<int64_t> warm_ups = times->WarmUpSteps(checking.recorded.hosts.size());
  for (size_t i = 0; i < counted.size(); ++i) {
    const StepRow& step = checking.tables.steps[i];
    const int64_t warm_up = step.host.some() ? warm_ups[step.host.value] : kNoInt;
    const bool is_warm_up = warm_up != kNoInt && step.number == warm_up;
    counted[i] = counted[i] && !is_warm_up;
  }
  return counted;
}

// Returns the devices, or the hosts, that did anything in a step that counts. A step without work
// on a device is as long as on its host.
Result<std::vector<DeviceUse>> UsesOf(const Checking& checking, bool of_devices) {
  const Store& store = checking.recorded;
  TFPROF_ASSIGN(const std::vector<bool> counted, CountedSteps(checking));
  const auto host_of = [&](const StepRow& step) {  // step records have none
    return step.host.some() ? size_t{step.host.value} : store.hosts.size();
  };
  std::vector<DeviceUse> of_hosts(store.hosts.size() + 1);
  for (size_t i = 0; i < counted.size(); ++i) {
    const StepRow& step = checking.tables.steps[i];
    if (step.start_ps == kNoTime || !counted[i]) continue;
    DeviceUse& host = of_hosts[host_of(step)];
    ++host.steps;
    host.steps_ps = SaturatingAdd(host.steps_ps, step.SpanPs());
  }
  std::vector<DeviceUse> uses(std::max(store.processes.size(), store.lanes.size()));
  for (const DeviceStep& row : checking.tables.devices) {
    const bool counts =
        row.HasIdle() && counted[row.step] && MeasuresOf(store, row) != Measures::nothing;
    if (!counts || IsDevice(store, row) != of_devices) continue;
    DeviceUse& use = uses[row.lane.some() ? row.lane.value : row.process.value];
    const StepRow& step = checking.StepOf(row);
    if (use.steps_with == 0) use = of_hosts[host_of(step)];
    Add(row, step, &use);
  }
  std::erase_if(uses, [](const DeviceUse& use) { return use.steps_with == 0; });
  return uses;
}

// Starts a finding of the device of `row` with the values that both findings share; `found` of
// `all` devices exceed the threshold.
Finding DescribeDevice(const Checking& checking, FindingId id, const DeviceStep& row, size_t found,
                       size_t all) {
  const Store& store = checking.recorded;
  const std::string_view name = DeviceName(store, row);
  return {
      .id = id,
      .values = {
          Text("device",
               row.lane.some() ? name : PlaceName(store, store.processes[row.process.value])),
          Pattern("device_pattern", name), HostWord(store, checking.StepOf(row).host),
          Number("found", found > 1 ? static_cast<int64_t>(found) : kNoInt),
          Number("all", static_cast<int64_t>(all)), Number("step", checking.StepOf(row).number)}};
}

// Percent of the time without work from which its gaps are the same cause.
constexpr double kAllGaps = 90;

Finding DescribeUse(const Checking& checking, const DeviceUse& use, size_t found, size_t all) {
  const DeviceStep& min = *use.longest_idle_step;
  Finding finding = DescribeDevice(checking, FindingId::accelerator_underused, min, found, all);
  finding.cost_ps = (use.steps_ps - use.busy_ps) / use.steps;
  finding.severity = SeverityOfCost(finding.cost_ps, checking, kUnusedShares);
  finding.values.insert(finding.values.end(),
                        {Share("share", use.busy_ps, use.steps_ps), Time("busy", min.busy_ps),
                         Time("step_time", min.step_ps),
                         Time("for_other_steps", min.others_ps == 0 ? kNoInt : min.others_ps)});
  if (Percent(use.idle_ps, use.steps_ps - use.busy_ps) >= kAllGaps) {
    finding.explained_by = {FindingId::device_idle};
  }
  return finding;
}

// The gaps of the only host of a trace are part of that finding.
bool IsTheOnlyHost(const Checking& checking, const DeviceStep& row) {
  return checking.tables.hosts.size() == 1 &&
         MeasuresOf(checking.recorded, row) == Measures::host_time;
}

// Readers see kernels by their short names.
std::string ShortGapBefore(const Store& store, const DeviceStep& row) {
  const std::string_view name = GapBefore(store, row);
  const bool is_kernel = row.process.some() && MeasuresOf(store, row) == Measures::accelerator_time;
  return is_kernel ? ShortName(name, Shortening::numbers) : std::string(name);
}

Finding DescribeIdle(const Checking& checking, const DeviceUse& use, size_t found, size_t all) {
  const DeviceStep& longest = *use.longest_gap;
  Finding finding = DescribeDevice(checking, FindingId::device_idle, longest, found, all);
  finding.cost_ps = use.idle_ps / use.steps;
  finding.severity = SeverityOfCost(finding.cost_ps, checking, kIdleShares);
  finding.values.insert(
      finding.values.end(),
      {Share("share", use.idle_ps, use.active_steps_ps), Time("gap", longest.longest_gap_ps),
       Text("before", ShortGapBefore(checking.recorded, longest)), Number("gaps", use.gaps),
       Number("steps", use.steps_with)});
  if (IsTheOnlyHost(checking, longest)) {
    finding.explained_by = {FindingId::step_time_without_operations};
  }
  return finding;
}

}  // namespace

Result<void> CheckAcceleratorUse(const Checking& checking, std::vector<Finding>* findings) {
  TFPROF_ASSIGN(std::vector<DeviceUse> uses, UsesOf(checking, true));
  const size_t all = uses.size();
  std::erase_if(uses, [](const DeviceUse& use) { return use.BusyPercent() >= kBusyThreshold; });
  if (uses.empty()) return {};
  const auto min = std::min_element(
      uses.begin(), uses.end(),
      [](const DeviceUse& a, const DeviceUse& b) { return a.BusyPercent() < b.BusyPercent(); });
  findings->push_back(DescribeUse(checking, *min, uses.size(), all));
  return {};
}

// Checks devices if any were recorded, since hosts wait for them; else hosts.
Result<void> CheckIdleDevices(const Checking& checking, std::vector<Finding>* findings) {
  const bool has_devices = HasDevices(checking);
  const bool overlap = checking.trace != nullptr && checking.trace->steps.overlap;
  if (!has_devices && overlap) return {};  // threads work for other steps
  TFPROF_ASSIGN(std::vector<DeviceUse> uses, UsesOf(checking, has_devices));
  const size_t all = uses.size();
  std::erase_if(uses, [](const DeviceUse& use) {
    return use.gaps == 0 || use.IdlePercent() < kIdleThreshold;
  });
  if (!has_devices) {
    TFPROF_ASSIGN(const auto times, checking.of_recorded.Get<WallTimes>(checking.context));
    std::erase_if(uses, [&](const DeviceUse& use) {
      const int64_t step_ps = use.idle_ps / use.steps;
      const HostId host = checking.StepOf(*use.longest_gap).host;
      return IsPythonBetweenOps(checking.recorded, step_ps) ||
             times->StartsProgramsFor(step_ps, host);
    });
  }
  if (uses.empty()) return {};
  const auto max = std::max_element(
      uses.begin(), uses.end(),
      [](const DeviceUse& a, const DeviceUse& b) { return a.IdlePercent() < b.IdlePercent(); });
  findings->push_back(DescribeIdle(checking, *max, uses.size(), all));
  return {};
}

}  // namespace tfprof
