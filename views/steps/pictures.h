// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/report.h"
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

std::vector<PicturedStep> PicturedSteps(const StepAnswer& steps);

}  // namespace tfprof
