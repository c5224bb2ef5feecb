// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "views/advice/checker.h"

namespace tfprof {

// Returns the function of the program that launches at least half of the time of such copies in the
// steps; empty: none does, or no functions are known. Errors: those of LaunchLinks.
Result<std::string> CallerOfCopies(const StepFacts& facts, EventRole direction);

}  // namespace tfprof
