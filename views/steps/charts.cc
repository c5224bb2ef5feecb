// SPDX-License-Identifier: Apache-2.0
#include "views/steps/charts.h"

#include <algorithm>
#include <numeric>

#include "analysis/place.h"
#include "core/base/sorting.h"

namespace tfprof {
namespace {

constexpr size_t kMaxBars = 12;
constexpr size_t kMinCurvePoints = 3;

// Parts that use the device or the host come first, the remainder last.
constexpr StepPart kOrder[] = {
    StepPart::device_compute, StepPart::host_compute, StepPart::stalled,          StepPart::input,
    StepPart::output,         StepPart::collectives,  StepPart::device_to_device, StepPart::other};
constexpr std::string_view kNames[] = {"compute", "host",        "stalled",          "input",
                                       "output",  "collectives", "device to device", "other"};

// Returns all steps, or the longest ones, in their order.
std::vector<size_t> StepsToDraw(const std::vector<ChartedStep>& steps) {
  std::vector<size_t> chosen(steps.size());
  std::iota(chosen.begin(), chosen.end(), size_t{0});
  if (chosen.size() <= kMaxBars) return chosen;
  StableSort(chosen,
             [&](size_t a, size_t b) { return steps[a].duration_ps > steps[b].duration_ps; });
  chosen.resize(kMaxBars);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

Chart Bars(const std::vector<ChartedStep>& steps) {
  Chart bars;
  const std::vector<size_t> chosen = StepsToDraw(steps);
  bars.title = chosen.size() == steps.size()
                   ? "step breakdown"
                   : "breakdown of the longest " + std::to_string(chosen.size()) + " of " +
                         std::to_string(steps.size()) + " steps";
  for (const std::string_view name : kNames) bars.parts.emplace_back(name);
  for (const size_t i : chosen) {
    bars.labels.push_back(steps[i].label);
    for (const StepPart part : kOrder) bars.values.push_back(At(steps[i].parts, part));
  }
  return bars;
}

}  // namespace

void AddStepCharts(const std::vector<ChartedStep>& steps, bool one_series, Report* report) {
  if (steps.empty()) return;
  if (one_series && steps.size() >= kMinCurvePoints) {
    Chart curve;
    curve.kind = Chart::Kind::curve;
    curve.title = "step times";
    for (const ChartedStep& step : steps) curve.values.push_back(step.duration_ps);
    report->charts.push_back(std::move(curve));
  }
  report->charts.push_back(Bars(steps));
}

std::vector<ChartedStep> ChartedSteps(const Store& store, const StepAnswer& steps) {
  std::vector<ChartedStep> charted;
  for (const CommonStep& common : steps.common) {
    const HostSteps& host = steps.HostOf(common);
    const StepTime& step = steps.Slowest(common);
    charted.push_back(
        {StepLabel(store, steps.hosts.size(), host, step), step.duration_ps, PartsOf(host, step)});
  }
  return charted;
}

std::string StepLabel(const Store& store, size_t hosts, const HostSteps& host,
                      const StepTime& step) {
  return hosts < 2 ? step.name : std::string(HostName(store, host.host)) + " " + step.name;
}

}  // namespace tfprof
