// SPDX-License-Identifier: Apache-2.0
// FirstStepChecker, StepVariationChecker, CopyChecker and InputBoundChecker of a trace: how long
// its steps are and what they are spent on (views/steps/times.h).
#include <fmt/format.h>

#include <algorithm>

#include "views/advise/evidence.h"
#include "views/advise/thresholds.h"
#include "views/place.h"
#include "views/span_statistics.h"
#include "views/steps/answer.h"

namespace tfprof {
namespace {

constexpr double kInputEnough = 5;  // percent of the steps, as `input` judges
constexpr Shares kInputShares{20, 5};

int64_t MedianPs(std::span<const StepTime> steps) {
  std::vector<int64_t> durations_ps;
  for (const StepTime& step : steps) durations_ps.push_back(step.duration_ps);
  return LowerMedian(std::move(durations_ps));
}

// "step 3", of one of several hosts "step 3 of worker-1".
std::string StepName(const Store& trace, const HostSteps& host, const StepTime& step) {
  std::string name = fmt::format("step {}", step.number);
  if (trace.hosts.size() > 1) name += fmt::format(" of {}", HostName(trace, host.host));
  return name;
}

// Without the first; recording began and ended in the first and last of many.
std::span<const StepTime> Comparable(const HostSteps& host) {
  constexpr size_t kMany = 5;
  if (host.steps.empty()) return {};
  const size_t ends = host.steps.size() > kMany ? 2 : 1;
  return std::span(host.steps).subspan(1, host.steps.size() - ends);
}

// By how much more of it `slow` has than `fast`: the part that grew most.
std::string Grown(const HostSteps& host, const StepTime& slow, const StepTime& fast) {
  const PartTimes of_slow = PartsOf(host, slow), of_fast = PartsOf(host, fast);
  StepPart most{};
  int64_t grown_ps = 0;
  for (size_t i = 0; i < kStepParts; ++i) {
    if (of_slow[i] == kNoInt || of_fast[i] == kNoInt) continue;
    if (of_slow[i] - of_fast[i] <= grown_ps) continue;
    grown_ps = of_slow[i] - of_fast[i];
    most = static_cast<StepPart>(i);
  }
  return grown_ps == 0 ? "" : fmt::format("; {} +{}", NameOf(most), Time(grown_ps));
}

struct SlowFirst {
  double times = 0;  // the median of the others
  const HostSteps* host = nullptr;
  int64_t median_ps = 0;
};

struct Variation {
  double percent = 0;
  const HostSteps* host = nullptr;
  const StepTime* slow = nullptr;
  const StepTime* fast = nullptr;
};

Variation VariationOf(const HostSteps& host) {
  const std::span<const StepTime> steps = Comparable(host);
  if (steps.size() < 2) return {};
  const auto [fast, slow] = std::minmax_element(
      steps.begin(), steps.end(),
      [](const StepTime& a, const StepTime& b) { return a.duration_ps < b.duration_ps; });
  return {Percent(slow->duration_ps - fast->duration_ps, MedianPs(steps)), &host, &*slow, &*fast};
}

// Of one direction, over all steps of all hosts.
struct Exposed {
  int64_t sum_ps = 0;
  int64_t most_ps = -1;  // of the part, in one step
  const HostSteps* host = nullptr;
  const StepTime* step = nullptr;
};

Exposed ExposedCopies(const TraceSteps& trace, StepClass direction, StepPart part) {
  Exposed found;
  for (const HostSteps& host : trace.hosts) {
    for (const StepTime& step : host.steps) {
      found.sum_ps = SaturatingAdd(found.sum_ps, At(step.class_ps, direction));
      const int64_t part_ps = At(PartsOf(host, step), part);
      if (!host.has_device() || part_ps <= found.most_ps) continue;
      found.most_ps = part_ps;
      found.host = &host;
      found.step = &step;
    }
  }
  return found;
}

// `part`: of a step, in which those copies are; `column` of pod has it.
void AddCopies(const Checking& checking, StepClass direction, StepPart part, std::string_view what,
               std::string_view column, std::vector<Finding>* findings) {
  const TraceSteps& trace = *checking.trace;
  const Exposed copies = ExposedCopies(trace, direction, part);
  if (copies.step == nullptr) return;
  const int64_t cost_ps = copies.sum_ps / trace.count;
  if (Percent(cost_ps, trace.mean_ps) < kCopiesEnough) return;
  findings->push_back(
      {.severity = SeverityOfCost(cost_ps, checking, kCopyShares),
       .what = fmt::format("copies {} take {} of the steps while nothing computes", what,
                           PercentText(cost_ps, trace.mean_ps)),
       .evidence = fmt::format("{} of it in {}", Time(copies.most_ps),
                               StepName(trace.trace, *copies.host, *copies.step)),
       .cost_ps = cost_ps,
       .formula = "mean over all steps of the time of such copies in which nothing computes",
       .command = fmt::format("pod -order_by {}", column)});
}

}  // namespace

Result<void> CheckFirstStepOfTrace(const Checking& checking, std::vector<Finding>* findings) {
  const TraceSteps& trace = *checking.trace;
  SlowFirst worst;
  for (const HostSteps& host : trace.hosts) {
    if (host.steps.size() < 2) continue;
    const int64_t median_ps = MedianPs(std::span(host.steps).subspan(1));
    const double times =
        static_cast<double>(host.steps[0].duration_ps) / static_cast<double>(median_ps);
    if (times > worst.times) worst = {times, &host, median_ps};
  }
  if (worst.times < kSlowFirst) return {};
  const std::vector<StepTime>& steps = worst.host->steps;
  findings->push_back(
      {.severity = worst.times >= kVerySlowFirst ? Severity::medium : Severity::low,
       .what = fmt::format("{} takes {:.1f} times as long as the others; averages over the steps "
                           "include it",
                           StepName(trace.trace, *worst.host, steps[0]), worst.times),
       .evidence = fmt::format("{} against a median of {} for {}; -step {} looks at another one",
                               Time(steps[0].duration_ps), Time(worst.median_ps),
                               Counted(static_cast<int64_t>(steps.size() - 1), "step"),
                               steps.back().number),
       .command = OfHost("steps", trace.trace, worst.host->host)});
  return {};
}

Result<void> CheckStepVariationOfTrace(const Checking& checking, std::vector<Finding>* findings) {
  const TraceSteps& trace = *checking.trace;
  Variation most;
  for (const HostSteps& host : trace.hosts) {
    const Variation of_host = VariationOf(host);
    if (of_host.percent > most.percent) most = of_host;
  }
  if (most.percent < kVaries) return {};
  const std::span<const StepTime> steps = Comparable(*most.host);
  __extension__ __int128 sum_ps = 0;
  for (const StepTime& step : steps) sum_ps += step.duration_ps;
  const auto mean_ps = static_cast<int64_t>(sum_ps / static_cast<int64_t>(steps.size()));
  const int64_t slow_ps = most.slow->duration_ps, fast_ps = most.fast->duration_ps;
  findings->push_back(
      {.severity = SeverityOfShare(Percent(mean_ps - fast_ps, mean_ps), kVariationShares),
       .what = fmt::format("steps vary: the slowest takes {:.1f} times as long as the fastest",
                           static_cast<double>(slow_ps) / static_cast<double>(fast_ps)),
       .evidence = fmt::format("{} in {}, {} in step {}{}", Time(slow_ps),
                               StepName(trace.trace, *most.host, *most.slow), Time(fast_ps),
                               most.fast->number, Grown(*most.host, *most.slow, *most.fast)),
       .cost_ps = mean_ps - fast_ps,
       .formula = steps.size() + 1 == most.host->steps.size()
                      ? "mean duration of the steps - the fastest one; the first is left out"
                      : "mean duration of the steps - the fastest one; the first and the last are "
                        "left out",
       .command = OfHost("steps", trace.trace, most.host->host)});
  return {};
}

Result<void> CheckCopiesOfTrace(const Checking& checking, std::vector<Finding>* findings) {
  AddCopies(checking, StepClass::host_to_device, StepPart::input, "to devices", "input_us",
            findings);
  AddCopies(checking, StepClass::device_to_host, StepPart::output, "from devices", "output_us",
            findings);
  return {};
}

Result<void> CheckInput(const Checking& checking, std::vector<Finding>* findings) {
  const TraceSteps& trace = *checking.trace;
  TFPROF_ASSIGN(const StepAnswer answer,
                AskSteps(trace.trace, checking.recorded, {}, checking.context));
  const double percent = SharesOf(answer).of(StepPart::input);
  if (!(percent >= kInputEnough)) return {};
  __extension__ __int128 sum_ps = 0;
  int64_t steps = 0;
  for (const CommonStep& common : answer.common) {
    for (size_t i = 0; i < answer.hosts.size(); ++i) {
      if (common.step[i] == CommonStep::kNotThere) continue;
      const HostSteps& host = answer.hosts[i];
      const int64_t ps = At(PartsOf(host, host.steps[common.step[i]]), StepPart::input);
      sum_ps += ps == kNoInt ? 0 : ps;
      ++steps;
    }
  }
  findings->push_back(
      {.severity = SeverityOfShare(percent, kInputShares),
       .what = fmt::format("steps wait for input for {:.1f} % of their time", percent),
       .evidence =
           fmt::format("{:.1f}% of the time of {} goes into waiting for input and copying "
                       "it to devices",
                       percent, Counted(static_cast<int64_t>(answer.common.size()), "step")),
       .cost_ps = static_cast<int64_t>(sum_ps / std::max<int64_t>(1, steps)),
       .formula = "mean over the steps of the time that goes into input",
       .command = "input"});
  return {};
}

}  // namespace tfprof
