// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "views/causes/wall_cause.h"

// What it costs to start programs: many of them, or small ones.

namespace tfprof {

void AddManyPrograms(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                     std::vector<Finding>* findings);
void AddOtherPrograms(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                      std::vector<Finding>* findings);
void AddSmallPrograms(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                      std::vector<Finding>* findings);

// The time without records in gaps that are too long to be starts of programs.
int64_t LongGapsPs(const HostWall& wall);

// True for a function of Python that mostly starts programs, where steps start many: it runs single
// operations on arrays. `part` is one of the parts of the wall time.
bool MostlyStarts(const Store& store, const HostWall& wall, const WallPart& part);

}  // namespace tfprof
