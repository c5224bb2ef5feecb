// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "analysis/indexes.h"
#include "analysis/intervals/interval.h"

namespace tfprof {

// Returns the compiled program that takes most time on a device, without its number; empty: not
// recorded. Errors: cancelled; those of Indexes::Details.
Result<std::string> MainProgramOn(const Store& store, const Indexes& indexes, ProcessId device,
                                  Context& context);

// The executions of a compiled program on a device, by start: on a TPU the events on its line of
// programs, on a GPU from the first to the last kernel of each. Empty: not recorded. Errors:
// cancelled; those of Indexes::Details.
Result<std::vector<Interval>> RunsOnDevice(const Store& store, const Indexes& indexes,
                                           ProcessId device, std::string_view program,
                                           Context& context);

}  // namespace tfprof
