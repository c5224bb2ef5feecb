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

// The wording of errors about steps that do not exist.

namespace tfprof {

struct EventGroups;
class Indexes;

// Returns the numbers of all groups, ascending, without duplicates.
std::vector<int64_t> NumbersOf(const EventGroups& groups);

// Returns "only steps 0 to 2, 5 are there", "only step 3 is there"; for many ranges "40 steps from
// 0 to 800 are there"; "no step was recorded". `numbers`: valid numbers for -step, ascending,
// without duplicates.
std::string DescribeSteps(const std::vector<int64_t>& numbers);

// Returns the usage error for a -step that selects none of `numbers`; with many ranges it names the
// nearest steps. `where`: the owner of the steps, as in "no step 3 in the base"; may be empty.
Failure NoSuchStep(const PlaceFilter& place, const std::vector<int64_t>& numbers,
                   std::string_view where = {});

// Succeeds if -step is not given or one of its steps exists, else returns NoSuchStep. For profiles
// that are not made of planes.
Result<void> CheckStepOfProfile(const Store& store, const PlaceFilter& place);
// For any store, at the selected places; a trace without steps has groups of events
// (analysis/steps/grouping/event_groups.h). Errors: usage; cancelled.
Result<void> CheckStep(const Store& store, const Indexes& indexes, const PlaceFilter& place,
                       std::string_view where, Context& context);

}  // namespace tfprof
