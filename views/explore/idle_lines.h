// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/report/report.h"
#include "core/report/table_def.h"
#include "views/explore/wall_screen.h"

// The idle time of devices on the first screen.

namespace tfprof {

// The idle time of each device.
const TableDef& IdleTableDef();

// Adds the idle time of each device that did anything, by the definition of all views: one line for
// readers, a table for machines. Errors: cancelled.
Result<void> AddIdle(const Store& store, const Indexes& indexes, WallForm form, Context& context,
                     Report* report);

}  // namespace tfprof
