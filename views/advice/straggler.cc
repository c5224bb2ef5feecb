// SPDX-License-Identifier: Apache-2.0
// StragglerChecker of a trace: a device that comes last to the collectives of its steps, so that
// the others wait there for it; or a host whose steps take longer than those of the others.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/place.h"
#include "core/base/median.h"
#include "core/store/same_run.h"
#include "views/advice/evidence.h"
#include "views/advice/thresholds.h"
#include "views/steps/slow_host.h"

namespace tfprof {
namespace {

// A device, and how long it only exchanges data in each of the steps that all hosts have.
struct Exchanging {
  ProcessId process;
  size_t host = 0;  // of TraceSteps::hosts
  std::vector<int64_t> exchange_ps = {};
  std::vector<const PlaneStep*> rows = {};

  int64_t SumPs() const {
    int64_t sum_ps = 0;
    for (const int64_t ps : exchange_ps) sum_ps = SaturatingAdd(sum_ps, ps);
    return sum_ps;
  }
};

constexpr size_t kNoStep = static_cast<size_t>(-1);

// By step of a host: its place among the common ones.
std::vector<size_t> PlacesOfSteps(const TraceSteps& trace, size_t host) {
  const size_t recorded = trace.hosts[host].steps.size();
  // Those in which recording began and ended have gone.
  const size_t gone = recorded == trace.whole.hosts[host].steps.size() ? 0 : 1;
  std::vector<size_t> places(recorded, kNoStep);
  for (size_t i = 0; i < trace.whole.common.size(); ++i) {
    const uint32_t step = trace.whole.common[i].step[host];
    if (step != CommonStep::kNotThere) places[step + gone] = i;
  }
  return places;
}

// The devices that did anything in all of these steps.
std::vector<Exchanging> DevicesOf(const TraceSteps& trace) {
  std::vector<Exchanging> of_process(trace.trace.processes.size());
  for (size_t host = 0; host < trace.hosts.size(); ++host) {
    const std::vector<size_t> places = PlacesOfSteps(trace, host);
    for (const PlaneStep& row : (*trace.planes)[host]) {
      if (row.exchange_ps == kNoInt || places[row.step] == kNoStep) continue;
      Exchanging& device = of_process[row.process.value];
      device.process = row.process;
      device.host = host;
      device.exchange_ps.push_back(row.exchange_ps);
      device.rows.push_back(&row);
    }
  }
  std::erase_if(of_process, [&](const Exchanging& device) {
    return device.exchange_ps.size() != trace.whole.common.size();
  });
  return of_process;
}

// The one that comes last, which finds the others there.
struct Last {
  const Exchanging* device = nullptr;  // null: there are no others
  int64_t mean_ps = 0;                 // how much longer the middle one of the others is there
  size_t step = 0;                     // where that is most
  int64_t others_ps = 0;               // in that step
  bool mostly = false;                 // nobody is there shorter, in more than half of the steps
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
  int64_t sum_ps = 0, most_ps = kMinPs;
  size_t least = 0;
  for (size_t step = 0; step < steps; ++step) {
    const int64_t own_ps = last.device->exchange_ps[step];
    const int64_t others_ps = MedianOfOthers(devices, last.device, step);
    least += std::all_of(devices.begin(), devices.end(), [&](const Exchanging* device) {
      return device->exchange_ps[step] >= own_ps;
    });
    sum_ps = SaturatingAdd(sum_ps, others_ps - own_ps);
    if (others_ps - own_ps <= most_ps) continue;
    most_ps = others_ps - own_ps;
    last.step = step;
    last.others_ps = others_ps;
  }
  last.mean_ps = sum_ps / static_cast<int64_t>(steps);
  last.mostly = 2 * least > steps;
  return last;
}

// Devices that may wait for each other: of hosts that do not run in step those of each alone.
std::vector<std::vector<const Exchanging*>> Together(const TraceSteps& trace,
                                                     const std::vector<Exchanging>& devices) {
  const bool in_step = IsOneRun(trace.trace) && RunInStep(trace.whole);
  std::vector<std::vector<const Exchanging*>> groups(in_step ? 1 : trace.hosts.size());
  for (const Exchanging& device : devices) groups[in_step ? 0 : device.host].push_back(&device);
  return groups;
}

// "; so do 3 of the other 7 of its host"
std::string AlsoLate(const std::vector<Exchanging>& devices, const Last& last) {
  size_t all = 0, late = 0;
  const auto steps = static_cast<int64_t>(last.device->exchange_ps.size());
  for (const Exchanging& device : devices) {
    if (device.host != last.device->host || &device == last.device) continue;
    ++all;
    const int64_t behind_ps = (device.SumPs() - last.device->SumPs()) / steps;
    late += behind_ps <= last.mean_ps / 2;
  }
  if (late == 0) return {};
  if (all == 1) return "; so does the other one of its host";
  if (late == all) return fmt::format("; so do all {} others of its host", all);
  return fmt::format("; so {} {} of the other {} of its host", late == 1 ? "does" : "do", late,
                     all);
}

double PercentOfSteps(const TraceSteps& trace, const Last& last) {
  int64_t steps_ps = 0;
  for (const PlaneStep* row : last.device->rows) steps_ps = SaturatingAdd(steps_ps, row->step_ps);
  return Percent(last.mean_ps * static_cast<int64_t>(trace.whole.common.size()), steps_ps);
}

Finding DescribeLast(const TraceSteps& trace, const std::vector<Exchanging>& devices,
                     const Last& last) {
  const Process& process = trace.trace.processes[last.device->process.value];
  const HostSteps& host = trace.hosts[last.device->host];
  const PlaneStep& row = *last.device->rows[last.step];
  const double percent = PercentOfSteps(trace, last);
  return {
      .severity = SeverityOfShare(percent, kStragglerShares),
      .what = fmt::format("{} comes last to collectives: others wait there for it, {:.1f} % of "
                          "the time of the steps{}",
                          PlaceName(trace.trace, process), percent, AlsoLate(devices, last)),
      .evidence =
          fmt::format("{} in collectives in step {}, where the middle one of the "
                      "others is for {}",
                      Time(row.exchange_ps), host.steps[row.step].number, Time(last.others_ps)),
      .cost_ps = last.mean_ps,
      .formula =
          "mean over the steps of how much longer the middle one of the others only "
          "exchanges data",
      .command = OfHost(DeviceCommand(trace.trace.Text(process.name)), trace.trace, process.host)};
}

// Whether a device was told.
bool AddLastDevice(const TraceSteps& trace, std::vector<Finding>* findings) {
  const std::vector<Exchanging> devices = DevicesOf(trace);
  Last worst;
  for (const auto& group : Together(trace, devices)) {
    const Last last = FindLast(group);
    if (last.mostly && last.mean_ps > worst.mean_ps) worst = last;
  }
  if (worst.device == nullptr || PercentOfSteps(trace, worst) < kStragglerEnough) return false;
  findings->push_back(DescribeLast(trace, devices, worst));
  return true;
}

void AddSlowHost(const TraceSteps& trace, std::vector<Finding>* findings) {
  const StepAnswer& steps = trace.whole;
  const SlowHost slow = FindSlowHost(steps);
  if (slow.host == nullptr) return;
  const auto at = static_cast<size_t>(slow.host - steps.hosts.data());
  const auto there = [&](const CommonStep& common) -> const StepTime& {
    return slow.host->steps[common.step[at]];
  };
  const StepTime& longest = there(*std::max_element(
      steps.common.begin(), steps.common.end(), [&](const CommonStep& a, const CommonStep& b) {
        return there(a).duration_ps < there(b).duration_ps;
      }));
  const std::string others = slow.others == 1
                                 ? "the other one"
                                 : fmt::format("the middle one of the {} others", slow.others);
  findings->push_back(
      {.severity =
           SeverityOfShare(Percent(slow.mean_ps - slow.others_ps, slow.mean_ps), kStragglerShares),
       .what = fmt::format("steps take {:.1f} times as long on {} as on {}{}", slow.Times(),
                           HostName(trace.trace, slow.host->host), others,
                           slow.in_step ? ", which waits for it" : "; hosts do not run in step"),
       .evidence =
           fmt::format("{} in {}; the mean is {} there, {} on {}", Time(longest.duration_ps),
                       StepName(trace.trace, slow.host->host, longest.number), Time(slow.mean_ps),
                       Time(slow.others_ps), others),
       .cost_ps = slow.mean_ps - slow.others_ps,
       .formula = "mean duration of the steps there - that on the middle one of the others",
       .command = "pod -order_by duration_us"});
}

}  // namespace

Result<void> CheckStragglers(const Checking& checking, std::vector<Finding>* findings) {
  const TraceSteps& trace = *checking.trace;
  if (trace.whole.overlap || trace.whole.common.empty()) return {};
  if (!AddLastDevice(trace, findings)) AddSlowHost(trace, findings);
  return {};
}

}  // namespace tfprof
