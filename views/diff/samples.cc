// SPDX-License-Identifier: Apache-2.0
#include "views/diff/samples.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "analysis/chosen_events.h"
#include "analysis/steps/step_table.h"
#include "core/base/arith.h"
#include "views/diff/mann_whitney.h"

namespace tfprof {
namespace {

// Empty: too few.
Result<std::vector<int64_t>> StepsToSample(const Side& side, Context& context) {
  TFPROF_ASSIGN(const std::vector<StepRow> rows, StepsOfSide(side, context));
  const StepDurations durations = DurationsOf(rows);
  TFPROF_ASSIGN(std::vector<int64_t> steps,
                StepNumbers(*side.store, side.indexes, side.query.place, context));
  std::erase_if(steps, [&](int64_t step) { return !durations.contains(step); });
  if (steps.size() < kMinSamples) return std::vector<int64_t>();
  std::vector<int64_t> sampled;
  const size_t count = std::min(steps.size(), kMostSampledSteps);
  for (size_t i = 0; i < count; ++i) sampled.push_back(steps[i * steps.size() / count]);
  return sampled;
}

}  // namespace

void Samples::Add(size_t step, std::string_view row, double value) {
  auto at = of_row_.find(row);
  if (at == of_row_.end()) {
    at = of_row_.emplace(std::string(row), std::vector<double>(steps_)).first;
  }
  if (!std::isnan(value)) at->second[step] += value;
}

const std::vector<double>* Samples::Of(std::string_view row) const {
  const auto at = of_row_.find(row);
  return at == of_row_.end() ? nullptr : &at->second;
}

double SamplesOfBoth::PValue(std::string_view row) const {
  const std::vector<double>* base = before.Of(row);
  const std::vector<double>* now = after.Of(row);
  return base == nullptr || now == nullptr ? kNoReal : MannWhitney(*base, *now);
}

StepDurations DurationsOf(const std::vector<StepRow>& steps) {
  std::map<int64_t, std::vector<double>> of_hosts;
  for (const StepRow& step : steps) {
    if (step.SpanPs() == kNoInt) continue;
    of_hosts[step.number].push_back(static_cast<double>(step.SpanPs()));
  }
  StepDurations durations;
  for (const auto& [step, spans_ps] : of_hosts) {
    durations[step] = std::accumulate(spans_ps.begin(), spans_ps.end(), 0.0) /
                      static_cast<double>(spans_ps.size());
  }
  return durations;
}

Result<SampledSteps> StepsToSample(const Side& before, const Side& after, Context& context) {
  TFPROF_ASSIGN(std::vector<int64_t> of_base, StepsToSample(before, context));
  TFPROF_ASSIGN(std::vector<int64_t> of_this, StepsToSample(after, context));
  if (of_base.empty() || of_this.empty()) return SampledSteps();
  return SampledSteps{std::move(of_base), std::move(of_this)};
}

Result<SamplesOfBoth> SampleNodes(std::string_view view, Measure measure, const Side& before,
                                  const Side& after, Context& context) {
  TFPROF_ASSIGN(const SampledSteps steps, StepsToSample(before, after, context));
  SamplesOfBoth samples(steps);
  const auto take = [&](const Side& side, bool is_base, size_t step) -> Result<void> {
    const MeasureScale scale = ScaleOf(*side.store, side.query.place);
    TFPROF_ASSIGN(const SideRows rows,
                  RowsOfSide(side, view, {.times_per_us = scale.TimesPerUs()}, context));
    const auto add = [&](std::string_view key, const MeasureValues& values) {
      const int64_t value = At(values, measure);
      const double printed = value == kNoInt ? kNoReal : scale.Printed(measure, value);
      samples.Of(is_base).Add(step, key, printed);
    };
    for (const auto& [key, row] : rows.rows) add(key, row.values);
    add(kTotalKey, rows.total);
    return {};
  };
  TFPROF_TRY(InEachStep(steps, before, after, take, context));
  return samples;
}

std::string_view SignificanceOf(double p) {
  if (std::isnan(p)) return {};
  return p < kSignificantP ? "significant" : "noise";
}

}  // namespace tfprof
