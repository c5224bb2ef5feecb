// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/report/report.h"
#include "views/steps/answer.h"

namespace tfprof {

struct ChartedStep {
  std::string label;
  int64_t duration_ps = 0;
  PartTimes parts{};
};

// Adds the breakdown of the steps as bars (only the longest if there are many). If there are at
// least three steps and they are `one_series`, also adds their durations as a curve.
void AddStepCharts(const std::vector<ChartedStep>& steps, bool one_series, Report* report);

std::vector<ChartedStep> ChartedSteps(const Store& store, const StepAnswer& steps);

// Returns the step's name. Each host numbers its steps independently, so with several hosts the
// host precedes the name.
std::string StepLabel(const Store& store, size_t hosts, const HostSteps& host,
                      const StepTime& step);

}  // namespace tfprof
