// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/place.h"
#include "core/report/report.h"
#include "core/report/table_def.h"
#include "core/store/store.h"

namespace tfprof {

extern const TableDef kSegmentsTable;

// Adds what allocators have taken from their devices, and how much of it is allocated, if it is
// recorded.
void AddSegments(const Store& store, const PlaceFilter& place, Report* report);

}  // namespace tfprof
