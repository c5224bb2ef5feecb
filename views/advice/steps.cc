// SPDX-License-Identifier: Apache-2.0
// FirstStepChecker and StepVariationChecker: differences between step durations. The steps of each
// host are compared with each other; the host where they differ most is reported.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "analysis/nodes/accounting.h"
#include "analysis/wall/times.h"
#include "core/text/units.h"
#include "views/advice/evidence.h"
#include "views/advice/thresholds.h"
#include "views/causes/varying_work.h"

namespace tfprof {
namespace {

constexpr size_t kOpsNamed = 3;  // operations named in a finding

// The steps of one host in which anything is placed, in order. Those whose kernels were not
// recorded are left out: they are shorter than they were.
using HostRows = std::vector<StepRow>;

std::vector<HostRows> ByHost(const Store& recorded, const std::vector<StepRow>& steps) {
  std::vector<HostRows> hosts;
  for (const StepRow& step : steps) {
    if (step.start_ps == kNoTime || LacksKernels(recorded, step)) continue;
    if (hosts.empty() || hosts.back().back().host != step.host) hosts.emplace_back();
    hosts.back().push_back(step);
  }
  return hosts;
}

std::span<const StepRow> AllButFirst(const HostRows& steps) { return std::span(steps).subspan(1); }

// Returns the steps without the first and, in a trace of many, the last: recording started and
// stopped in them.
std::span<const StepRow> Comparable(const HostRows& steps) {
  constexpr size_t kMany = 5;
  const bool drops_last = steps[0].origin != StepOrigin::recorded && steps.size() > kMany;
  return std::span(steps).subspan(1, steps.size() - (drops_last ? 2 : 1));
}

struct Growth {
  NodeId node;
  int64_t time = 0;
};

// Returns "A +12 us, B +3 us": the operations whose time grows the most from `fast` to `slow`.
Result<std::string> GrownOps(const Checking& checking, const StepRow& slow, const StepRow& fast) {
  const auto sums_of = [&](const StepRow& step) {
    PlaceFilter place = PlaceFilter::OfStep(step.number);
    place.exact = true;
    return checking.indexes.Get<NodeSums>(place, checking.context);
  };
  TFPROF_ASSIGN(const auto in_slow, sums_of(slow));
  TFPROF_ASSIGN(const auto in_fast, sums_of(fast));
  std::vector<Growth> grown;
  for (size_t i = 0; i < in_slow->values.size(); ++i) {
    const int64_t time =
        WrapAdd(At(in_slow->values[i], Measure::micros), -At(in_fast->values[i], Measure::micros));
    if (time > 0) grown.push_back({NodeId(i), time});
  }
  const size_t named = std::min(kOpsNamed, grown.size());
  std::partial_sort(grown.begin(), grown.begin() + static_cast<ptrdiff_t>(named), grown.end(),
                    [](const Growth& a, const Growth& b) {
                      return a.time != b.time ? a.time > b.time : a.node < b.node;
                    });
  std::string text;
  for (size_t i = 0; i < named; ++i) {
    text += fmt::format("{}{} +{}", i == 0 ? "" : ", ", NodeName(*checking.store, grown[i].node),
                        Human(grown[i].time, ScaleOf(*checking.store, PlaceFilter::Exact()).time));
  }
  return text;
}

// Returns the part of a trace's steps that grew most from `fast` to `slow`, and by how much.
std::string GrownPart(const StepTables& tables, const StepRow& slow, const StepRow& fast) {
  const HostSteps& host = *std::find_if(tables.hosts.begin(), tables.hosts.end(),
                                        [&](const HostSteps& of) { return of.host == slow.host; });
  const auto parts_of = [&](const StepRow& row) {
    return PartsOf(host,
                   *std::find_if(host.steps.begin(), host.steps.end(), [&](const StepTime& step) {
                     return step.number == row.number && step.start_ps < row.end_ps &&
                            step.EndPs() > row.start_ps;
                   }));
  };
  const PartTimes of_slow = parts_of(slow), of_fast = parts_of(fast);
  StepPart max{};
  int64_t grown_ps = 0;
  for (size_t i = 0; i < kStepParts; ++i) {
    if (of_slow[i] == kNoInt || of_fast[i] == kNoInt) continue;
    if (of_slow[i] - of_fast[i] <= grown_ps) continue;
    grown_ps = of_slow[i] - of_fast[i];
    max = static_cast<StepPart>(i);
  }
  return grown_ps == 0 ? "" : fmt::format("{} +{}", NameOf(max), Human(grown_ps, Unit::ps));
}

bool HasDevice(const StepTables& tables, HostId id) {
  return std::ranges::any_of(
      tables.hosts, [&](const HostSteps& host) { return host.host == id && host.has_device(); });
}

// Returns the duration of the first step as a multiple of the median of the others; 0: no others.
double TimesOfFirst(const HostRows& steps) {
  if (steps.size() < 2) return 0;
  const int64_t median_ps = StatisticsOf(AllButFirst(steps)).median_ps;
  if (median_ps == 0) return 0;
  return static_cast<double>(steps[0].SpanPs()) / static_cast<double>(median_ps);
}

bool IsShorter(const StepRow& a, const StepRow& b) { return a.SpanPs() < b.SpanPs(); }

// Returns slowest - fastest in percent of the median.
double VariationPercent(const HostRows& host) {
  const std::span<const StepRow> steps = Comparable(host);
  if (steps.size() < 2) return 0;
  const auto [fast, slow] = std::minmax_element(steps.begin(), steps.end(), IsShorter);
  return Percent(slow->SpanPs() - fast->SpanPs(), StatisticsOf(steps).median_ps);
}

// Returns the host with the max of `value`; empty: there are none.
template <class Value>
HostRows HostOfMost(const Store& recorded, const std::vector<StepRow>& steps, const Value& value) {
  const std::vector<HostRows> hosts = ByHost(recorded, steps);
  const auto max =
      std::max_element(hosts.begin(), hosts.end(),
                       [&](const HostRows& a, const HostRows& b) { return value(a) < value(b); });
  return max == hosts.end() ? HostRows() : *max;
}

// A step that warms up, which wall time excludes, says nothing of the others.
void AddSlowFirst(const Store& store, const std::vector<StepRow>& rows,
                  const std::vector<int64_t>& warm_ups, std::vector<Finding>* findings) {
  const HostRows steps = HostOfMost(store, rows, TimesOfFirst);
  const double times = TimesOfFirst(steps);
  if (times < kSlowFirst) return;
  const StepRow& first = steps[0];
  const int64_t median_ps = StatisticsOf(AllButFirst(steps)).median_ps;
  const int64_t cost_ps = (first.SpanPs() - median_ps) / static_cast<int64_t>(steps.size());
  const bool warms_up = first.host.some() && first.host.value < warm_ups.size() &&
                        warm_ups[first.host.value] == first.number;
  const bool is_most = Percent(cost_ps, StatisticsOf(steps).mean_ps) >= kMostOfMean;
  findings->push_back({.id = FindingId::slow_first_step,
                       .severity = warms_up                  ? Severity::low
                                   : is_most                 ? Severity::high
                                   : times >= kVerySlowFirst ? Severity::medium
                                                             : Severity::low,
                       .cost_ps = cost_ps,
                       .values = {Text("step", StepName(store, first.host, first.number)),
                                  {"times", times},
                                  Time("duration", first.SpanPs()),
                                  Time("median", median_ps),
                                  Number("others", static_cast<int64_t>(steps.size() - 1)),
                                  Number("other_step", steps.back().number),
                                  HostWord(store, first.host)}});
}

// Steps of GPUs last from their first work. Where the program marks them on a thread, all that it
// does before counts as well.
Result<std::vector<StepRow>> WithHostTime(const StepFacts& facts, std::vector<StepRow> rows) {
  TFPROF_ASSIGN(const auto times, facts.indexes.Get<WallTimes>(facts.context));
  std::map<std::pair<uint32_t, int64_t>, Interval> steps;  // by host and number
  for (const HostWall& wall : times->hosts) {
    if (!wall.has_devices || wall.steps.on_thread.empty()) continue;
    for (size_t i = 0; i < wall.steps.steps.size(); ++i) {
      steps[{wall.host.value, wall.steps.numbers[i]}] = wall.steps.steps[i];
    }
  }
  for (StepRow& row : rows) {
    const auto at = steps.find({row.host.value, row.number});
    if (at == steps.end()) continue;
    row.start_ps = at->second.start_ps;
    row.end_ps = at->second.end_ps;
  }
  return rows;
}

Result<void> AddSlowFirstOf(const StepFacts& facts, const std::vector<StepRow>& steps,
                            std::vector<Finding>* findings) {
  TFPROF_ASSIGN(const auto times, facts.indexes.Get<WallTimes>(facts.context));
  AddSlowFirst(facts.trace, steps, times->WarmUpSteps(facts.trace.hosts.size()), findings);
  return {};
}

Result<std::vector<StepRow>> StepsOf(const Checking& checking) {
  if (checking.trace == nullptr) return checking.tables.steps;
  return WithHostTime(*checking.trace, checking.tables.steps);
}

}  // namespace

Result<void> CheckFirstStep(const Checking& checking, std::vector<Finding>* findings) {
  TFPROF_ASSIGN(const std::vector<StepRow> steps, StepsOf(checking));
  if (checking.trace != nullptr) return AddSlowFirstOf(*checking.trace, steps, findings);
  AddSlowFirst(checking.recorded, steps, {}, findings);
  return {};
}

Result<void> CheckFirstOfSteps(const StepFacts& facts, std::vector<Finding>* findings) {
  TFPROF_ASSIGN(const std::vector<StepRow> steps, WithHostTime(facts, facts.rows));
  return AddSlowFirstOf(facts, steps, findings);
}

Result<void> CheckStepVariation(const Checking& checking, std::vector<Finding>* findings) {
  TFPROF_ASSIGN(const std::vector<StepRow> rows, StepsOf(checking));
  const HostRows host = HostOfMost(checking.recorded, rows, VariationPercent);
  if (host.empty() || VariationPercent(host) < kVaries) return {};
  const std::span<const StepRow> steps = Comparable(host);
  const auto [fast, slow] = std::minmax_element(steps.begin(), steps.end(), IsShorter);
  const int64_t slow_ps = slow->SpanPs(), fast_ps = fast->SpanPs();
  const int64_t mean_ps = StatisticsOf(steps).mean_ps;
  TFPROF_ASSIGN(const std::string grown,
                checking.trace == nullptr
                    ? GrownOps(checking, *slow, *fast)
                    : Result<std::string>(GrownPart(checking.tables, *slow, *fast)));
  int64_t cost_ps = mean_ps - fast_ps;
  VaryingWork work;
  const bool on_host = checking.trace != nullptr && !HasDevice(checking.tables, slow->host);
  if (on_host) {
    TFPROF_ASSIGN(work, WorkThatVaries(*checking.trace, steps));
    cost_ps = std::min(cost_ps, work.excess_ps);
  }
  const double cost_percent = Percent(cost_ps, mean_ps);
  const bool same_work = on_host && cost_percent < kVariationShares.medium;
  findings->push_back(
      {.id = FindingId::steps_vary,
       .severity = SeverityOfShare(cost_percent, kVariationShares),
       .cost_ps = cost_ps,
       .values = {{"times", static_cast<double>(slow_ps) /
                                static_cast<double>(std::max(fast_ps, int64_t{1}))},
                  Time("slowest", slow_ps),
                  Text("slow_step", StepName(checking.recorded, slow->host, slow->number)),
                  Time("fastest", fast_ps),
                  Number("fast_step", fast->number),
                  TextIfAny("work", same_work ? "" : work.most),
                  When("same_work", same_work),
                  When("of_work", on_host),
                  When("of_time", !on_host),
                  TextIfAny("grown", grown),
                  When("without_last", steps.size() + 1 < host.size()),
                  HostWord(checking.recorded, slow->host)}});
  return {};
}

}  // namespace tfprof
