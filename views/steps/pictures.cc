// SPDX-License-Identifier: Apache-2.0
#include "views/steps/pictures.h"

#include <algorithm>
#include <numeric>

#include "analysis/place.h"

namespace tfprof {
namespace {

constexpr size_t kMostBars = 12;
constexpr size_t kLeastOfCurve = 3;

// Parts that use the device or the host come first, the remainder last.
constexpr StepPart kOrder[] = {
    StepPart::device_compute, StepPart::host_compute, StepPart::waiting,          StepPart::input,
    StepPart::output,         StepPart::collectives,  StepPart::device_to_device, StepPart::other};
constexpr std::string_view kNames[] = {"compute", "host",        "stalled",          "input",
                                       "output",  "collectives", "device to device", "other"};

// Returns all steps, or the longest ones, in their order.
std::vector<size_t> StepsToDraw(const std::vector<PicturedStep>& steps) {
  std::vector<size_t> chosen(steps.size());
  std::iota(chosen.begin(), chosen.end(), size_t{0});
  if (chosen.size() <= kMostBars) return chosen;
  std::stable_sort(chosen.begin(), chosen.end(),
                   [&](size_t a, size_t b) { return steps[a].duration_ps > steps[b].duration_ps; });
  chosen.resize(kMostBars);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

Picture Bars(const std::vector<PicturedStep>& steps) {
  Picture bars;
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

void AddStepPictures(const std::vector<PicturedStep>& steps, bool one_series, Report* report) {
  if (steps.empty()) return;
  if (one_series && steps.size() >= kLeastOfCurve) {
    Picture curve;
    curve.kind = Picture::Kind::curve;
    curve.title = "step times";
    for (const PicturedStep& step : steps) curve.values.push_back(step.duration_ps);
    report->pictures.push_back(std::move(curve));
  }
  report->pictures.push_back(Bars(steps));
}

std::vector<PicturedStep> PicturedSteps(const Store& store, const StepAnswer& steps) {
  std::vector<PicturedStep> pictured;
  for (const CommonStep& common : steps.common) {
    const HostSteps& host = steps.HostOf(common);
    const StepTime& step = steps.Slowest(common);
    pictured.push_back(
        {StepLabel(store, steps.hosts.size(), host, step), step.duration_ps, PartsOf(host, step)});
  }
  return pictured;
}

std::string StepLabel(const Store& store, size_t hosts, const HostSteps& host,
                      const StepTime& step) {
  return hosts < 2 ? step.name : std::string(HostName(store, host.host)) + " " + step.name;
}

}  // namespace tfprof
