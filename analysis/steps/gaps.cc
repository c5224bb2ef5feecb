// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/gaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "analysis/steps/lane_steps.h"
#include "analysis/steps/thresholds.h"
#include "core/base/arith.h"
#include "core/base/units.h"

namespace tfprof {
namespace {

constexpr std::string_view kOverlapOfParts =
    "; while a step waits, exchanges data or has nothing to do (`other`), devices and threads may "
    "work for another one, so its parts do not tell what holds it up";
constexpr std::string_view kOverlapOfTimes =
    ", so their durations add up to more than the time that passed";

std::vector<StepSpan> SpansByStart(const HostSteps& host) {
  std::vector<StepSpan> steps;
  for (const StepTime& step : host.steps) steps.push_back({step.start_ps, step.EndPs()});
  std::sort(steps.begin(), steps.end(),
            [](const StepSpan& a, const StepSpan& b) { return a.start_ps < b.start_ps; });
  return steps;
}

// REQUIRES: `steps` come by start.
void AddHost(const std::vector<StepSpan>& steps, StepGaps* gaps) {
  if (steps.empty()) return;
  int64_t end_ps = steps[0].end_ps;
  for (size_t i = 1; i < steps.size(); ++i) {
    const int64_t gap_ps = std::max(int64_t{0}, SaturatingAdd(steps[i].start_ps, -end_ps));
    end_ps = std::max(end_ps, steps[i].end_ps);
    ++gaps->count;
    gaps->sum_ps = SaturatingAdd(gaps->sum_ps, gap_ps);
    gaps->most_ps = std::max(gaps->most_ps, gap_ps);
  }
  gaps->span_ps = SaturatingAdd(gaps->span_ps, SaturatingAdd(end_ps, -steps[0].start_ps));
}

}  // namespace

double StepGaps::Percent() const {
  if (count == 0 || span_ps <= 0) return kNoReal;
  return 100 * static_cast<double>(sum_ps) / static_cast<double>(span_ps);
}

StepGaps GapsOf(const std::vector<HostSteps>& hosts) {
  StepGaps gaps;
  for (const HostSteps& host : hosts) AddHost(SpansByStart(host), &gaps);
  return gaps;
}

int64_t TimeInSteps(const HostSteps& host) {
  int64_t until_ps = kMinPs, sum_ps = 0;
  for (const StepSpan& step : SpansByStart(host)) {
    AddBehind(step.start_ps, step.end_ps, &until_ps, &sum_ps);
  }
  return sum_ps;
}

double OverlapPercent(const std::vector<HostSteps>& hosts) {
  int64_t all_ps = 0, apart_ps = 0;
  for (const HostSteps& host : hosts) {
    for (const StepTime& step : host.steps) all_ps = SaturatingAdd(all_ps, step.duration_ps);
    apart_ps = SaturatingAdd(apart_ps, TimeInSteps(host));
  }
  if (all_ps <= 0) return kNoReal;
  return 100 * static_cast<double>(all_ps - apart_ps) / static_cast<double>(all_ps);
}

bool StepsOverlap(const std::vector<HostSteps>& hosts) {
  return OverlapPercent(hosts) >= kSomeOverlap;
}

std::string SaidOfOverlap(const std::vector<HostSteps>& hosts, bool of_parts) {
  return fmt::format("steps overlap: {:.1f} % of their time lies in an earlier one, too{}",
                     OverlapPercent(hosts), of_parts ? kOverlapOfParts : kOverlapOfTimes);
}

std::string SaidOf(const StepGaps& gaps) {
  return fmt::format("{:.1f}% of the time from the first step to the last, mean {}, most {}",
                     gaps.Percent(), Human(gaps.MeanPs(), Unit::ps), Human(gaps.most_ps, Unit::ps));
}

}  // namespace tfprof
