// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/base/attributes.h"
#include "core/report/measure_scale.h"
#include "core/store/store.h"

namespace tfprof {

// Return the meaning of an attribute or measure of nodes in such a profile, its time range and its
// rounding: nodes of a trace have sums of events, other nodes have means over steps. Sentences.
std::string MeaningIn(const Store& store, const MeasureScale& scale, Attribute attribute);
// Returns the meaning in any profile, for declarations.
std::string MeaningOf(Measure measure, bool total);
// `total`: includes everything that counts below the row.
std::string MeaningIn(const Store& store, const MeasureScale& scale, Measure measure, bool total);

}  // namespace tfprof
