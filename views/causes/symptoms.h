// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "views/advice/finding.h"

// Findings that say that time passes without work, and those that say why.

namespace tfprof {

bool IsSymptom(FindingId id);

// Lets each symptom be explained by the causes that cost enough for it.
void ExplainByCauses(std::vector<Finding>* findings);

}  // namespace tfprof
