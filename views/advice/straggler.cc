// SPDX-License-Identifier: Apache-2.0
// StragglerChecker of a trace: a device that arrives last at the collectives of its steps, so that
// the others wait there; else a host whose steps take longer than those of the others.
#include <algorithm>

#include "analysis/place.h"
#include "core/base/sorting.h"
#include "core/store/same_run.h"
#include "views/advice/evidence.h"
#include "views/advice/thresholds.h"
#include "views/steps/slow_host.h"

namespace tfprof {
namespace {

// A device and its exposed communication time in each step that all hosts have.
struct Exchanging {
  ProcessId process;
  HostId host = {};
  std::vector<int64_t> exchange_ps = {};
  std::vector<const DeviceStep*> rows = {};

  int64_t SumPs() const {
    int64_t sum_ps = 0;
    for (const int64_t ps : exchange_ps) sum_ps = SaturatingAdd(sum_ps, ps);
    return sum_ps;
  }
};

constexpr size_t kNoStep = static_cast<size_t>(-1);

// Returns, by row of StepTables::steps, its index among the common steps.
std::vector<size_t> PlacesOfSteps(const Checking& checking) {
  const StepAnswer& steps = checking.trace->steps;
  std::vector<size_t> places(checking.tables.steps.size(), kNoStep);
  size_t first = 0;
  for (size_t host = 0; host < checking.tables.hosts.size(); ++host) {
    const size_t recorded = checking.tables.hosts[host].steps.size();
    // The steps in which recording started and stopped are removed.
    const size_t gone = recorded == steps.hosts[host].steps.size() ? 0 : 1;
    for (size_t i = 0; i < steps.common.size(); ++i) {
      const uint32_t step = steps.common[i].step[host];
      if (step != CommonStep::kNotThere) places[first + gone + step] = i;
    }
    first += recorded;
  }
  return places;
}

// Returns the devices that did anything in all of these steps.
std::vector<Exchanging> DevicesOf(const Checking& checking) {
  std::vector<Exchanging> of_process(checking.recorded.processes.size());
  const std::vector<size_t> places = PlacesOfSteps(checking);
  for (const DeviceStep& row : checking.tables.devices) {
    if (row.exchange_ps == kNoInt || places[row.step] == kNoStep) continue;
    Exchanging& device = of_process[row.process.value];
    device.process = row.process;
    device.host = checking.StepOf(row).host;
    device.exchange_ps.push_back(row.exchange_ps);
    device.rows.push_back(&row);
  }
  std::erase_if(of_process, [&](const Exchanging& device) {
    return device.exchange_ps.size() != checking.trace->steps.common.size();
  });
  return of_process;
}

// The device that arrives last and finds the others waiting.
struct Last {
  const Exchanging* device = nullptr;  // null: there are no others
  int64_t mean_ps = 0;                 // mean wait of the median of the others beyond its own
  size_t step = 0;                     // the step where that is longest
  int64_t others_ps = 0;               // wait of the others in that step
  bool mostly = false;                 // it has the shortest wait in more than half of the steps
};

int64_t MedianOfOthers(const std::vector<const Exchanging*>& devices, const Exchanging* but,
                       size_t step) {
  std::vector<int64_t> times_ps;
  for (const Exchanging* device : devices) {
    if (device != but) times_ps.push_back(device->exchange_ps[step]);
  }
  return Median(std::move(times_ps));
}

// REQUIRES: there are steps.
Last FindLast(const std::vector<const Exchanging*>& devices) {
  if (devices.size() < 2) return {};
  Last last;
  last.device = *std::min_element(
      devices.begin(), devices.end(),
      [](const Exchanging* a, const Exchanging* b) { return a->SumPs() < b->SumPs(); });
  const size_t steps = last.device->exchange_ps.size();
  int64_t sum_ps = 0, max_ps = kMinPs;
  size_t min = 0;
  for (size_t step = 0; step < steps; ++step) {
    const int64_t own_ps = last.device->exchange_ps[step];
    const int64_t others_ps = MedianOfOthers(devices, last.device, step);
    min += std::all_of(devices.begin(), devices.end(), [&](const Exchanging* device) {
      return device->exchange_ps[step] >= own_ps;
    });
    sum_ps = SaturatingAdd(sum_ps, others_ps - own_ps);
    if (others_ps - own_ps <= max_ps) continue;
    max_ps = others_ps - own_ps;
    last.step = step;
    last.others_ps = others_ps;
  }
  last.mean_ps = sum_ps / static_cast<int64_t>(steps);
  last.mostly = 2 * min > steps;
  return last;
}

// Groups devices that may wait for each other; hosts that do not run in step are separate groups.
std::vector<std::vector<const Exchanging*>> Together(const StepFacts& trace,
                                                     const std::vector<Exchanging>& devices) {
  const bool in_step = IsOneRun(trace.trace) && RunInStep(trace.steps);
  std::vector<std::vector<const Exchanging*>> groups(in_step ? 1 : trace.trace.hosts.size());
  for (const Exchanging& device : devices)
    groups[in_step ? 0 : device.host.value].push_back(&device);
  return groups;
}

// The other devices of its host, and how many of them are late, too.
struct OfItsHost {
  int64_t others = 0, late = 0;
};

OfItsHost OthersOf(const std::vector<Exchanging>& devices, const Last& last) {
  OfItsHost found;
  const auto steps = static_cast<int64_t>(last.device->exchange_ps.size());
  for (const Exchanging& device : devices) {
    if (device.host != last.device->host || &device == last.device) continue;
    ++found.others;
    const int64_t lag_ps = (device.SumPs() - last.device->SumPs()) / steps;
    found.late += lag_ps <= last.mean_ps / 2;
  }
  return found;
}

double PercentOfSteps(const StepFacts& trace, const Last& last) {
  int64_t steps_ps = 0;
  for (const DeviceStep* row : last.device->rows) steps_ps = SaturatingAdd(steps_ps, row->step_ps);
  return Percent(last.mean_ps * static_cast<int64_t>(trace.steps.common.size()), steps_ps);
}

Finding DescribeLast(const Checking& checking, const std::vector<Exchanging>& devices,
                     const Last& last) {
  const StepFacts& trace = *checking.trace;
  const Process& process = trace.trace.processes[last.device->process.value];
  const DeviceStep& row = *last.device->rows[last.step];
  const double percent = PercentOfSteps(trace, last);
  const OfItsHost beside = OthersOf(devices, last);
  return {.id = FindingId::late_device,
          .severity = SeverityOfShare(percent, kStragglerShares),
          .cost_ps = last.mean_ps,
          .values = {Text("device", PlaceName(trace.trace, process)),
                     {"share", percent / 100, Unit::fraction},
                     Number("also", beside.late > 0 ? beside.late : kNoInt),
                     Number("others", beside.others),
                     Time("exchange", row.exchange_ps),
                     Number("step", checking.StepOf(row).number),
                     Time("others_exchange", last.others_ps),
                     Pattern("device_pattern", trace.trace.Text(process.name)),
                     HostWord(trace.trace, process.host)}};
}

}  // namespace

Result<void> CheckLateDevices(const Checking& checking, std::vector<Finding>* findings) {
  const StepFacts& trace = *checking.trace;
  if (trace.steps.overlap || trace.steps.common.empty()) return {};
  const std::vector<Exchanging> devices = DevicesOf(checking);
  Last worst;
  for (const auto& group : Together(trace, devices)) {
    const Last last = FindLast(group);
    if (last.mostly && last.mean_ps > worst.mean_ps) worst = last;
  }
  if (worst.device == nullptr || PercentOfSteps(trace, worst) < kStragglerThreshold) return {};
  findings->push_back(DescribeLast(checking, devices, worst));
  return {};
}

Result<void> CheckSlowHosts(const StepFacts& facts, std::vector<Finding>* findings) {
  TFPROF_TRY(CheckLateHosts(facts, findings));
  const StepAnswer& steps = facts.steps;
  if (steps.overlap) return {};
  const SlowHost slow = FindSlowHost(steps);
  if (slow.host == nullptr) return {};
  findings->push_back(
      {.id = FindingId::slow_host,
       .severity =
           SeverityOfShare(Percent(slow.mean_ps - slow.others_ps, slow.mean_ps), kStragglerShares),
       .cost_ps = slow.mean_ps - slow.others_ps,
       .values = {{"times", slow.Times()},
                  Text("host", HostName(facts.trace, slow.host->host)),
                  When("not_in_step", !slow.in_step),
                  Time("longest", slow.longest.wall_ps),
                  Text("step", StepName(facts.trace, slow.host->host, slow.longest.number)),
                  Time("mean", slow.mean_ps),
                  Time("others_mean", slow.others_ps)},
       .explained_by = {FindingId::late_device, FindingId::late_host}});
  return {};
}

}  // namespace tfprof
