// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/base/attributes.h"
#include "core/store/store.h"

namespace tfprof {

// What -select shows of the nodes of such a profile, over which time, and how that is rounded:
// nodes of a trace have sums of its events, those of other profiles means of steps. Sentences.
std::string MeaningIn(const Store& store, Attribute attribute);
std::string MeaningIn(const Store& store, Measure measure);

// What numbers of such a profile are of: "Of a step, on average"; of a trace all of it.
std::string SpanIn(const Store& store);

}  // namespace tfprof
