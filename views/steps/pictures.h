// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/report/report.h"
#include "views/steps/answer.h"

namespace tfprof {

struct PicturedStep {
  std::string label;
  int64_t duration_ps = 0;
  PartTimes parts{};
};

// Adds what the steps were spent on as bars, the longest ones where they are many, and, where there
// are at least three and they are `one_series`, how long they took one after the other as a curve.
void AddStepPictures(const std::vector<PicturedStep>& steps, bool one_series, Report* report);

std::vector<PicturedStep> PicturedSteps(const Store& store, const StepAnswer& steps);

// Hosts number their steps on their own: of several, the host stands before the name.
std::string StepLabel(const Store& store, size_t hosts, const HostSteps& host,
                      const StepTime& step);

}  // namespace tfprof
