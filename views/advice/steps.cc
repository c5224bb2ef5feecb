// SPDX-License-Identifier: Apache-2.0
// FirstStepChecker and StepVariationChecker: differences between step durations.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/intervals/span_statistics.h"
#include "analysis/nodes/accounting.h"
#include "core/base/units.h"
#include "views/advice/evidence.h"
#include "views/advice/thresholds.h"

namespace tfprof {
namespace {

constexpr size_t kStepsNamed = 3;  // operations named in a finding

SpanStatistics Durations(const Checking& checking, const std::vector<StepId>& steps) {
  std::vector<StepRow> spans;
  for (const StepId step : steps) spans.push_back(checking.tables.steps[step.value]);
  return StatisticsOf(spans);
}

std::vector<StepId> AllButFirst(const Checking& checking) {
  if (checking.steps.empty()) return {};
  return {checking.steps.begin() + 1, checking.steps.end()};
}

struct Growth {
  NodeId node;
  int64_t time = 0;
};

// Returns "A +12 us, B +3 us": the operations whose time grows the most from `fast` to `slow`.
Result<std::string> Slower(const Checking& checking, StepId slow, StepId fast) {
  TFPROF_ASSIGN(const auto in_slow,
                checking.indexes.Get<NodeSums>(PlaceFilter::OfStep(checking.NumberOf(slow)),
                                               checking.context));
  TFPROF_ASSIGN(const auto in_fast,
                checking.indexes.Get<NodeSums>(PlaceFilter::OfStep(checking.NumberOf(fast)),
                                               checking.context));
  std::vector<Growth> grown;
  for (size_t i = 0; i < in_slow->values.size(); ++i) {
    const int64_t time =
        WrapAdd(At(in_slow->values[i], Measure::micros), -At(in_fast->values[i], Measure::micros));
    if (time > 0) grown.push_back({NodeId(i), time});
  }
  const size_t named = std::min(kStepsNamed, grown.size());
  std::partial_sort(grown.begin(), grown.begin() + static_cast<ptrdiff_t>(named), grown.end(),
                    [](const Growth& a, const Growth& b) {
                      return a.time != b.time ? a.time > b.time : a.node < b.node;
                    });
  std::string text;
  for (size_t i = 0; i < named; ++i) {
    text += fmt::format("{}{} +{}", i == 0 ? "" : ", ", NodeName(*checking.store, grown[i].node),
                        Human(grown[i].time, TimeUnit(*checking.store)));
  }
  return text;
}

}  // namespace

Result<void> CheckFirstStep(const Checking& checking, std::vector<Finding>* findings) {
  const std::vector<StepId> others = AllButFirst(checking);
  if (others.empty()) return {};
  const int64_t first_ps = checking.DurationOf(checking.steps[0]);
  const int64_t median_ps = Durations(checking, others).median_ps;
  const double times = static_cast<double>(first_ps) / static_cast<double>(median_ps);
  if (median_ps == 0 || times < kSlowFirst) return {};
  findings->push_back(
      {.id = FindingId::slow_first_step,
       .severity = times >= kVerySlowFirst ? Severity::medium : Severity::low,
       .values = {Text("step", fmt::format("step {}", checking.NumberOf(checking.steps[0]))),
                  {"times", times},
                  Time("duration", first_ps),
                  Time("median", median_ps),
                  Number("others", static_cast<int64_t>(others.size())),
                  Number("other_step", checking.NumberOf(others.back()))}});
  return {};
}

Result<void> CheckStepVariation(const Checking& checking, std::vector<Finding>* findings) {
  const std::vector<StepId> steps = AllButFirst(checking);
  if (steps.size() < 2) return {};
  const auto [fastest, slowest] = std::minmax_element(
      steps.begin(), steps.end(),
      [&](StepId a, StepId b) { return checking.DurationOf(a) < checking.DurationOf(b); });
  const int64_t fast_ps = checking.DurationOf(*fastest);
  const int64_t slow_ps = checking.DurationOf(*slowest);
  const SpanStatistics spans = Durations(checking, steps);
  if (Percent(slow_ps - fast_ps, spans.median_ps) < kVaries) return {};
  TFPROF_ASSIGN(const std::string slower, Slower(checking, *slowest, *fastest));
  const int64_t cost_ps = spans.mean_ps - fast_ps;
  findings->push_back(
      {.id = FindingId::steps_vary,
       .severity = SeverityOfShare(Percent(cost_ps, spans.mean_ps), kVariationShares),
       .cost_ps = cost_ps,
       .values = {{"times", static_cast<double>(slow_ps) /
                                static_cast<double>(std::max(fast_ps, int64_t{1}))},
                  Time("slowest", slow_ps),
                  Text("slow_step", fmt::format("step {}", checking.NumberOf(*slowest))),
                  Time("fastest", fast_ps),
                  Number("fast_step", checking.NumberOf(*fastest)),
                  TextIfAny("grown", slower)}});
  return {};
}

}  // namespace tfprof
