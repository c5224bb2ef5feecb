// SPDX-License-Identifier: Apache-2.0
// FirstStepChecker and StepVariationChecker of a trace: durations of its steps
// (analysis/steps/times.h).
#include <fmt/format.h>

#include <algorithm>

#include "analysis/intervals/span_statistics.h"
#include "core/base/units.h"
#include "views/advice/evidence.h"
#include "views/advice/thresholds.h"

namespace tfprof {
namespace {

// Returns the steps without the first and, if there are many, the last: recording started and
// stopped in them.
std::span<const StepTime> Comparable(const HostSteps& host) {
  constexpr size_t kMany = 5;
  if (host.steps.empty()) return {};
  const size_t ends = host.steps.size() > kMany ? 2 : 1;
  return std::span(host.steps).subspan(1, host.steps.size() - ends);
}

// Returns the part that grew most from `fast` to `slow`, and by how much.
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
  return grown_ps == 0 ? "" : fmt::format("{} +{}", NameOf(most), Human(grown_ps, Unit::ps));
}

struct SlowFirst {
  double times = 0;  // multiple of the median of the others
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
  return {Percent(slow->duration_ps - fast->duration_ps, StatisticsOf(steps).median_ps), &host,
          &*slow, &*fast};
}

}  // namespace

Result<void> CheckFirstOfSteps(const StepFacts& facts, std::vector<Finding>* findings) {
  SlowFirst worst;
  for (const HostSteps& host : facts.hosts) {
    if (host.steps.size() < 2) continue;
    const int64_t median_ps = StatisticsOf(std::span(host.steps).subspan(1)).median_ps;
    const double times =
        static_cast<double>(host.steps[0].duration_ps) / static_cast<double>(median_ps);
    if (times > worst.times) worst = {times, &host, median_ps};
  }
  if (worst.times < kSlowFirst) return {};
  const HostId host = worst.host->host;
  const std::vector<StepTime>& steps = worst.host->steps;
  findings->push_back({.id = FindingId::slow_first_step,
                       .severity = worst.times >= kVerySlowFirst ? Severity::medium : Severity::low,
                       .values = {Text("step", StepName(facts.trace, host, steps[0].number)),
                                  {"times", worst.times},
                                  Time("duration", steps[0].duration_ps),
                                  Time("median", worst.median_ps),
                                  Number("others", static_cast<int64_t>(steps.size() - 1)),
                                  Number("other_step", steps.back().number),
                                  HostWord(facts.trace, host)}});
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
  const int64_t mean_ps = StatisticsOf(steps).mean_ps;
  const int64_t slow_ps = most.slow->duration_ps, fast_ps = most.fast->duration_ps;
  const HostId host = most.host->host;
  findings->push_back(
      {.id = FindingId::steps_vary,
       .severity = SeverityOfShare(Percent(mean_ps - fast_ps, mean_ps), kVariationShares),
       .cost_ps = mean_ps - fast_ps,
       .values = {{"times", static_cast<double>(slow_ps) / static_cast<double>(fast_ps)},
                  Time("slowest", slow_ps),
                  Text("slow_step", StepName(trace.trace, host, most.slow->number)),
                  Time("fastest", fast_ps),
                  Number("fast_step", most.fast->number),
                  TextIfAny("grown", Grown(*most.host, *most.slow, *most.fast)),
                  When("without_last", steps.size() + 1 < most.host->steps.size()),
                  HostWord(trace.trace, host)}});
  return {};
}

}  // namespace tfprof
