// SPDX-License-Identifier: Apache-2.0
// OtherTimeChecker and StepGapChecker of a trace: time that no operation explains, within its steps
// and between them.
#include <fmt/format.h>

#include <algorithm>

#include "views/advice/evidence.h"
#include "views/advice/thresholds.h"

namespace tfprof {
namespace {

struct MostOther {
  int64_t sum_ps = 0;
  int64_t steps = 0;
  int64_t most_ps = -1;  // in one step
  const HostSteps* host = nullptr;
  const StepTime* step = nullptr;
};

MostOther OtherIn(const StepAnswer& steps) {
  MostOther found;
  for (const CommonStep& common : steps.common) {
    for (size_t i = 0; i < steps.hosts.size(); ++i) {
      if (common.step[i] == CommonStep::kNotThere) continue;
      const StepTime& step = steps.hosts[i].steps[common.step[i]];
      const int64_t other_ps = At(PartsOf(steps.hosts[i], step), StepPart::other);
      found.sum_ps = SaturatingAdd(found.sum_ps, other_ps);
      ++found.steps;
      if (other_ps <= found.most_ps) continue;
      found.most_ps = other_ps;
      found.host = &steps.hosts[i];
      found.step = &step;
    }
  }
  return found;
}

bool HasDevices(const Checking& checking) {
  const std::vector<HostSteps>& hosts = checking.trace->whole.hosts;
  return std::any_of(hosts.begin(), hosts.end(),
                     [](const HostSteps& host) { return host.has_device(); });
}

}  // namespace

Result<void> CheckOtherTime(const Checking& checking, std::vector<Finding>* findings) {
  const StepAnswer& steps = checking.trace->whole;
  const double percent = SharesOf(steps).of(StepPart::other);
  if (steps.overlap || !(percent >= kMuchOther)) return {};
  const MostOther other = OtherIn(steps);
  const bool has_device = other.host->has_device();
  findings->push_back(
      {.severity = SeverityOfShare(percent, kOtherShares),
       .what =
           fmt::format("{} for {:.1f} % of the time of the steps",
                       has_device ? "devices do nothing" : "no operation was recorded", percent),
       .evidence =
           fmt::format("{} of it in {}", Time(other.most_ps),
                       StepName(checking.trace->trace, other.host->host, other.step->number)),
       .cost_ps = other.sum_ps / other.steps,
       .formula = "mean over the steps of their part `other`",
       .command = "pod -order_by other_us",
       // Of devices that checker sees the same, each on its own.
       .told_by =
           has_device ? std::string_view("AcceleratorUtilizationChecker") : std::string_view()});
  return {};
}

Result<void> CheckStepGaps(const Checking& checking, std::vector<Finding>* findings) {
  const StepGaps& gaps = checking.trace->whole.gaps;
  if (!(gaps.Percent() >= kSomeGaps)) return {};
  findings->push_back(
      {.severity = SeverityOfShare(gaps.Percent(), kGapShares),
       .what = fmt::format(
           "{:.1f} % of the time from the first step to the last lies between steps{}",
           gaps.Percent(), HasDevices(checking) ? ": devices do nothing of one then" : ""),
       .evidence = SaidOf(gaps),
       .cost_ps = gaps.MeanPs(),
       .formula = "mean time from the end of a step to the start of the next one",
       .command = "overview"});
  return {};
}

}  // namespace tfprof
