// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/context.h"
#include "core/base/result.h"
#include "core/query/query.h"
#include "core/store/store.h"

// How it is told that -step asks for what is not there: the one place that words it.

namespace tfprof {

struct EventGroups;
class Indexes;

// Of all groups of events, ascending, each once.
std::vector<int64_t> NumbersOf(const EventGroups& groups);

// "only steps 0 to 2, 5 are there", "only step 3 is there", of many pieces "40 steps from 0 to 800
// are there"; "no step was recorded". `numbers`: what -step can ask for, ascending, each once.
std::string StepsThere(const std::vector<int64_t>& numbers);

// The error, usage, where `numbers` has none of the steps that -step asks for; of many pieces it
// tells the nearest. `where`: whose steps they are, as in "no step 3 in the base"; may be empty.
Failure NoSuchStep(const PlaceFilter& place, const std::vector<int64_t>& numbers,
                   std::string_view where = {});

// Nothing where -step is not given or one of its steps is there, else NoSuchStep. Of a profile that
// is not made of planes:
Result<void> CheckStepOfProfile(const Store& store, const PlaceFilter& place);
// Of any, at the places asked for; a trace without steps has groups of events
// (analysis/steps/event_groups.h). Errors: usage; cancelled.
Result<void> CheckStep(const Store& store, const Indexes& indexes, const PlaceFilter& place,
                       std::string_view where, Context& context);

}  // namespace tfprof
