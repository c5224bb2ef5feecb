// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/query/query.h"
#include "core/report/report.h"
#include "core/store/store.h"

namespace tfprof {

// Where both are traces, their hosts or devices differ in number and neither -host nor -device
// picks any: over what the figures of operations are added up, "2 hosts with 4 devices of the base,
// 1 host with 1 device of this one". Else empty: sums are of as much, or somebody chose.
std::string OverOtherPlaces(const Store& base, const Store& store, const PlaceFilter& place);

// Adds a note where the two profiles were not taken on the same devices, as far as `query` asks for
// them: a change may be due to that. Hosts are left out: their names are those of the files.
void NoteOtherDevices(const Store& base, const Store& store, const PlaceFilter& place,
                      Report* report);

}  // namespace tfprof
