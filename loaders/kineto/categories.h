// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "core/store/lanes.h"

namespace tfprof::kineto {

// What the events of a category are, in any spelling that Kineto has had.
EventClass ClassOf(std::string_view category);

// The name of a category today: in lower case, and without the spellings of 2020 and 2021.
std::string CategoryName(std::string_view category);

// What the name of an event says, given its class.
EventRole RoleOf(std::string_view name, EventClass of);

// An entry that records an allocation or a free.
bool IsMemoryEntry(std::string_view name);

// The number N of a step marker ProfilerStep#N; kNoInt: the name is none.
int64_t StepNumberOf(std::string_view name);

}  // namespace tfprof::kineto
