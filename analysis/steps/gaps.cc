// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/gaps.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/intervals/interval_set.h"
#include "analysis/steps/thresholds.h"
#include "core/base/arith.h"
#include "core/store/note_catalogue.h"
#include "core/text/units.h"

namespace tfprof {
namespace {

IntervalSet SetOf(const HostSteps& host) {
  IntervalSet set;
  for (const StepTime& step : host.steps) set.Add(step.start_ps, step.EndPs());
  return set;
}

void AddHost(const HostSteps& host, StepGaps* gaps) {
  if (host.steps.empty()) return;
  IntervalSet set = SetOf(host);
  const Intervals parts = set.Parts();
  for (size_t i = 1; i < parts.size(); ++i) {
    const int64_t gap_ps = SpanOf(parts[i - 1].end_ps, parts[i].start_ps);
    gaps->sum_ps = SaturatingAdd(gaps->sum_ps, gap_ps);
    gaps->max_ps = std::max(gaps->max_ps, gap_ps);
  }
  gaps->count += static_cast<int64_t>(host.steps.size()) - 1;
  gaps->span_ps = SaturatingAdd(gaps->span_ps, SpanOf(parts.front().start_ps, parts.back().end_ps));
}

// The share of the steps' time that also lies in an earlier step of the same host. NaN: no steps.
double OverlapPercent(const std::vector<HostSteps>& hosts) {
  int64_t all_ps = 0, apart_ps = 0;
  for (const HostSteps& host : hosts) {
    for (const StepTime& step : host.steps) all_ps = SaturatingAdd(all_ps, step.duration_ps);
    apart_ps = SaturatingAdd(apart_ps, SetOf(host).CoveredPs());
  }
  if (all_ps <= 0) return kNoReal;
  return 100 * static_cast<double>(all_ps - apart_ps) / static_cast<double>(all_ps);
}

}  // namespace

double StepGaps::Percent() const {
  if (count == 0 || span_ps <= 0) return kNoReal;
  return 100 * static_cast<double>(sum_ps) / static_cast<double>(span_ps);
}

StepGaps GapsOf(const std::vector<HostSteps>& hosts) {
  StepGaps gaps;
  for (const HostSteps& host : hosts) AddHost(host, &gaps);
  return gaps;
}

int64_t TimeInSteps(const HostSteps& host) { return SetOf(host).CoveredPs(); }

NoteWords OverlapNote(const NoteRow& row, const std::vector<HostSteps>& hosts) {
  return note::With(row, {PercentText(OverlapPercent(hosts))});
}

bool StepsOverlap(const std::vector<HostSteps>& hosts) {
  return OverlapPercent(hosts) >= kModerateOverlap;
}

std::string DisplayTextOf(const StepGaps& gaps) {
  return fmt::format("{} of the time from the first step to the last, mean {}, max {}",
                     PercentText(gaps.Percent()), Human(gaps.MeanPs(), Unit::ps),
                     Human(gaps.max_ps, Unit::ps));
}

}  // namespace tfprof
