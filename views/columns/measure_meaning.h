// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/base/attributes.h"
#include "core/store/store.h"

namespace tfprof {

// What -select shows of the nodes of such a profile, over which time, and how that is rounded:
// nodes of a trace have sums of its events, those of other profiles means of steps. Sentences.
std::string MeaningIn(const Store& store, Attribute attribute);
// Of whatever profile, for what is declared.
std::string MeaningOf(Measure measure, bool total);
// `total`: in a row with all that counts below it.
std::string MeaningIn(const Store& store, Measure measure, bool total);

}  // namespace tfprof
