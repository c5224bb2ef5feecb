// SPDX-License-Identifier: Apache-2.0
// OtherTimeChecker and StepGapChecker: time that no operation explains, within the steps of a trace
// and between them. JobChecker: whether the steps show which part is input.
#include <algorithm>

#include "analysis/contents.h"
#include "analysis/wall/times.h"
#include "views/advice/class_sums.h"
#include "views/advice/thresholds.h"
#include "views/steps/host_work.h"

namespace tfprof {
namespace {

bool HasDevices(const StepAnswer& steps, DeviceKind kind = DeviceKind::other) {
  return std::any_of(steps.hosts.begin(), steps.hosts.end(), [&](const HostSteps& host) {
    if (host.steps.empty() || !host.has_device()) return false;
    return kind == DeviceKind::other || host.device == kind;
  });
}

// Steps of GPUs last from their first work. Where the program marks them on a thread, what it does
// before that is no gap.
StepGaps GapsIn(const WallTimes& times, const StepGaps& of_devices) {
  StepGaps gaps;
  for (const HostWall& wall : times.hosts) {
    const std::vector<Interval>& steps = wall.steps.steps;
    if (!wall.has_devices || wall.steps.on_thread.empty()) return of_devices;
    for (size_t i = 1; i < steps.size(); ++i) {
      const int64_t gap_ps = std::max<int64_t>(SpanOf(steps[i - 1].end_ps, steps[i].start_ps), 0);
      gaps.sum_ps = SaturatingAdd(gaps.sum_ps, gap_ps);
      gaps.max_ps = std::max(gaps.max_ps, gap_ps);
      ++gaps.count;
    }
    gaps.span_ps = SaturatingAdd(gaps.span_ps, wall.steps.WindowPs());
  }
  return gaps;
}

}  // namespace

Result<void> CheckOtherTime(const StepFacts& facts, std::vector<Finding>* findings) {
  const StepAnswer& steps = facts.steps;
  const SumInSteps other = SumOf(steps, StepPart::other);
  if (steps.overlap || other.step == nullptr || other.OfStepsPercent() < kHighOther) return {};
  const bool has_device = other.host->has_device();
  if (!has_device && IsPythonBetweenOps(facts.trace, other.MeanPs())) return {};
  TFPROF_ASSIGN(const auto times, facts.indexes.Get<WallTimes>(facts.context));
  if (!has_device && times->StartsProgramsFor(other.MeanPs(), other.host->host)) return {};
  findings->push_back(
      {.id = has_device ? FindingId::step_time_without_device_work
                        : FindingId::step_time_without_operations,
       .severity = SeverityOfShare(other.OfStepsPercent(), kOtherShares),
       .cost_ps = other.MeanPs(),
       .values = {Share("share", other.sum_ps, other.steps_ps), Time("longest", other.max_ps),
                  Text("step", StepName(facts.trace, other.host->host, other.step->number)),
                  When("gpu", HasDevices(steps, DeviceKind::gpu))}});
  // That finding covers the same time, for each device separately.
  if (has_device) findings->back().explained_by = {FindingId::accelerator_underused};
  return {};
}

Result<void> CheckStepGaps(const StepFacts& facts, std::vector<Finding>* findings) {
  TFPROF_ASSIGN(const auto times, facts.indexes.Get<WallTimes>(facts.context));
  const StepGaps gaps = facts.steps.gaps.count == 0 ? StepGaps() : GapsIn(*times, facts.steps.gaps);
  if (!(gaps.Percent() >= kModerateGaps)) return {};
  findings->push_back({.id = FindingId::time_between_steps,
                       .severity = SeverityOfShare(gaps.Percent(), kGapShares),
                       .cost_ps = gaps.MeanPs(),
                       .values = {{"share", gaps.Percent() / 100, Unit::fraction},
                                  Time("mean", gaps.MeanPs()),
                                  Time("longest", gaps.max_ps),
                                  When("has_devices", HasDevices(facts.steps))}});
  return {};
}

Result<void> CheckInputIsRecorded(const StepFacts& facts, std::vector<Finding>* findings) {
  if (facts.steps.records_input || facts.steps.common.empty()) return {};
  TFPROF_ASSIGN(const WorkInSteps found,
                HostWorkIn(facts.trace, facts.indexes, facts.steps, facts.context));
  const std::string longest = found.Longest();
  if (longest.empty()) return {};
  const HostWork& work = found.work[0];
  findings->push_back(
      {.id = FindingId::input_not_recorded,
       .values = {Time("longest", work.longest_self_ps), Text("event", work.name),
                  Text("work", longest), TextIfAny("event_pattern", ExpressionFor(work.name))}});
  return {};
}

}  // namespace tfprof
