// SPDX-License-Identifier: Apache-2.0
// AcceleratorUtilizationChecker and DeviceIdleChecker of a trace: device activity in its steps
// (analysis/steps/trace_steps.h). Devices of one kind mostly behave alike, and there may be
// hundreds, so only the worst one is reported, with the number of others.
#include <algorithm>

#include "analysis/place.h"
#include "views/advice/evidence.h"
#include "views/advice/thresholds.h"

namespace tfprof {
namespace {

// One plane in all steps of its host.
struct PlaneUse {
  ProcessId process;
  int64_t steps = 0;     // of its host
  int64_t steps_ps = 0;  // sum of the step durations on the plane
  int64_t busy_ps = 0;
  int64_t idle_ps = 0;    // sum of gaps
  int64_t ran_in_ps = 0;  // time of the steps in which it did anything
  int64_t gaps = 0;
  int64_t steps_with = 0;                  // number of steps in which it did anything
  const DeviceStep* least_busy = nullptr;  // the step with the longest time without work
  const DeviceStep* longest_gap = nullptr;
  const HostSteps* host = nullptr;

  const StepTime& StepOf(const DeviceStep& row) const { return host->steps[row.step]; }
  // Includes its work for other steps in that time.
  static int64_t BusyPs(const DeviceStep& row) {
    return std::min(SaturatingAdd(row.busy_ps, row.others_ps), row.step_ps);
  }
  static int64_t UnusedPs(const DeviceStep& row) { return row.step_ps - BusyPs(row); }
};

void Add(const DeviceStep& row, PlaneUse* use) {
  use->steps_ps = SaturatingAdd(use->steps_ps, row.step_ps - use->StepOf(row).duration_ps);
  use->busy_ps = SaturatingAdd(use->busy_ps, use->BusyPs(row));
  use->idle_ps = SaturatingAdd(use->idle_ps, row.IdlePs());
  use->ran_in_ps = SaturatingAdd(use->ran_in_ps, row.step_ps);
  use->gaps += row.gaps;
  ++use->steps_with;
  const bool less =
      use->least_busy == nullptr || use->UnusedPs(row) > use->UnusedPs(*use->least_busy);
  if (less) use->least_busy = &row;
  const bool longer =
      use->longest_gap == nullptr || row.longest_gap_ps > use->longest_gap->longest_gap_ps;
  if (longer) use->longest_gap = &row;
}

// Returns the planes of devices, or of hosts, that did anything in a step. A step without work on
// the plane is as long as on its host.
std::vector<PlaneUse> UsesOf(const TraceSteps& trace, bool of_devices) {
  std::vector<PlaneUse> by_process(trace.trace.processes.size());
  for (size_t i = 0; i < trace.hosts.size(); ++i) {
    const HostSteps& host = trace.hosts[i];
    int64_t steps_ps = 0;
    for (const StepTime& step : host.steps) steps_ps = SaturatingAdd(steps_ps, step.duration_ps);
    for (const DeviceStep& row : (*trace.planes)[i]) {
      const Process& process = trace.trace.processes[row.process.value];
      const bool is_device = process.kind == ProcessKind::device && process.device.some();
      if (!row.HasIdle() || of_devices != is_device) continue;
      PlaneUse& use = by_process[row.process.value];
      use.process = row.process;
      use.host = &host;
      use.steps = static_cast<int64_t>(host.steps.size());
      if (use.steps_with == 0) use.steps_ps = steps_ps;
      Add(row, &use);
    }
  }
  std::erase_if(by_process, [](const PlaneUse& use) { return use.host == nullptr; });
  return by_process;
}

// Returns the values that both findings share: the plane, and how many others exceed the threshold.
std::vector<Value> ValuesOf(const TraceSteps& trace, const PlaneUse& use, size_t found,
                            size_t all) {
  const Process& process = trace.trace.processes[use.process.value];
  const auto also = static_cast<int64_t>(found) - 1;
  return {Text("device", PlaceName(trace.trace, process)),
          Pattern("device_pattern", trace.trace.Text(process.name)),
          HostWord(trace.trace, process.host), Number("also", also > 0 ? also : kNoInt),
          Number("others", static_cast<int64_t>(all) - 1)};
}

// Percent of the time without work from which its gaps are the same cause.
constexpr double kAllGaps = 90;

Finding DescribeUse(const Checking& checking, const PlaneUse& use, size_t found, size_t all) {
  const int64_t unused_ps = (use.steps_ps - use.busy_ps) / use.steps;
  const DeviceStep& least = *use.least_busy;
  Finding finding{.id = FindingId::accelerator_underused,
                  .severity = SeverityOfCost(unused_ps, checking, kUnusedShares),
                  .cost_ps = unused_ps,
                  .values = ValuesOf(*checking.trace, use, found, all)};
  finding.values.insert(finding.values.end(),
                        {Share("share", use.busy_ps, use.steps_ps), Time("busy", least.busy_ps),
                         Time("step_time", least.step_ps), Number("step", use.StepOf(least).number),
                         Time("for_other_steps", least.others_ps == 0 ? kNoInt : least.others_ps)});
  if (Percent(use.idle_ps, use.steps_ps - use.busy_ps) >= kAllGaps) {
    finding.explained_by = {FindingId::device_idle};
  }
  return finding;
}

// The gaps of the only host are part of that finding.
bool IsTheOnlyHost(const TraceSteps& trace, const PlaneUse& use) {
  return trace.hosts.size() == 1 &&
         trace.trace.processes[use.process.value].kind == ProcessKind::host;
}

Finding DescribeIdle(const Checking& checking, const PlaneUse& use, size_t found, size_t all) {
  const DeviceStep& longest = *use.longest_gap;
  const int64_t idle_ps = use.idle_ps / use.steps;
  Finding finding{.id = FindingId::device_idle,
                  .severity = SeverityOfCost(idle_ps, checking, kIdleShares),
                  .cost_ps = idle_ps,
                  .values = ValuesOf(*checking.trace, use, found, all)};
  finding.values.insert(
      finding.values.end(),
      {Share("share", use.idle_ps, use.ran_in_ps), Time("gap", longest.longest_gap_ps),
       Number("step", use.StepOf(longest).number),
       Text("before", GapBefore(checking.trace->trace, longest)), Number("gaps", use.gaps),
       Number("steps", use.steps_with)});
  if (IsTheOnlyHost(*checking.trace, use)) {
    finding.explained_by = {FindingId::step_time_without_operations};
  }
  return finding;
}

bool HasDevices(const TraceSteps& trace) {
  return std::any_of(trace.hosts.begin(), trace.hosts.end(),
                     [](const HostSteps& host) { return host.has_device(); });
}

}  // namespace

Result<void> CheckAcceleratorUseOfTrace(const Checking& checking, std::vector<Finding>* findings) {
  std::vector<PlaneUse> uses = UsesOf(*checking.trace, true);
  const size_t all = uses.size();
  const auto percent = [](const PlaneUse& use) { return Percent(use.busy_ps, use.steps_ps); };
  std::erase_if(uses, [&](const PlaneUse& use) { return percent(use) >= kBusyEnough; });
  if (uses.empty()) return {};
  const auto least = std::min_element(
      uses.begin(), uses.end(),
      [&](const PlaneUse& a, const PlaneUse& b) { return percent(a) < percent(b); });
  findings->push_back(DescribeUse(checking, *least, uses.size(), all));
  return {};
}

Result<void> CheckIdleDevicesOfTrace(const Checking& checking, std::vector<Finding>* findings) {
  const bool has_devices = HasDevices(*checking.trace);
  if (!has_devices && checking.trace->steps.overlap) return {};  // threads work for other steps
  std::vector<PlaneUse> uses = UsesOf(*checking.trace, has_devices);
  const size_t all = uses.size();
  const auto percent = [](const PlaneUse& use) { return Percent(use.idle_ps, use.ran_in_ps); };
  std::erase_if(uses,
                [&](const PlaneUse& use) { return use.gaps == 0 || percent(use) < kIdleEnough; });
  if (uses.empty()) return {};
  const auto most = std::max_element(
      uses.begin(), uses.end(),
      [&](const PlaneUse& a, const PlaneUse& b) { return percent(a) < percent(b); });
  findings->push_back(DescribeIdle(checking, *most, uses.size(), all));
  return {};
}

}  // namespace tfprof
