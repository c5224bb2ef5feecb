// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/query/query.h"
#include "core/report/report.h"
#include "core/store/store.h"

namespace tfprof {

// If both are traces with different numbers of hosts or devices, and neither -host nor -device
// picks any, returns what the figures of operations sum over: "2 hosts with 4 devices of the base,
// 1 host with 1 device of this one". Else returns an empty text: the sums are comparable, or the
// user chose the places.
std::string DescribePlaceDifference(const Store& base, const Store& store,
                                    const PlaceFilter& place);

// Adds a note if the two profiles ran on different devices (among those that `query` selects),
// since that may cause changes. Hosts are not compared: their names come from the files.
void NoteOtherDevices(const Store& base, const Store& store, const PlaceFilter& place,
                      Report* report);

}  // namespace tfprof
