// SPDX-License-Identifier: Apache-2.0
#include "views/steps/gaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/units.h"
#include "views/steps/lane_steps.h"

namespace tfprof {
namespace {

void AddHost(std::vector<StepSpan> steps, StepGaps* gaps) {
  if (steps.empty()) return;
  std::sort(steps.begin(), steps.end(),
            [](const StepSpan& a, const StepSpan& b) { return a.start_ps < b.start_ps; });
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
  if (count == 0 || span_ps <= 0) return std::numeric_limits<double>::quiet_NaN();
  return 100 * static_cast<double>(sum_ps) / static_cast<double>(span_ps);
}

StepGaps GapsOf(const std::vector<HostSteps>& hosts) {
  StepGaps gaps;
  for (const HostSteps& host : hosts) {
    std::vector<StepSpan> steps;
    for (const StepTime& step : host.steps) steps.push_back({step.start_ps, step.EndPs()});
    AddHost(std::move(steps), &gaps);
  }
  return gaps;
}

std::string SaidOf(const StepGaps& gaps) {
  return fmt::format("{:.1f}% of the time from the first step to the last, mean {}, most {}",
                     gaps.Percent(), Human(gaps.MeanPs(), Unit::ps), Human(gaps.most_ps, Unit::ps));
}

}  // namespace tfprof
