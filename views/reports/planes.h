// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// The planes and lines of a trace. Tables, in file order; (host, plane_index) and line_index
// identify a row:
// - planes: numbers of lines, events and possible names and attributes.
// - lines: their events; sum, min and max of the durations; first start and last end (us of wall
//   time), the span between them and the time in which any event runs.
// - devices: GPUs and TPUs, over their own work's events that have a duration; idle as in
//   analysis/steps/device_idle.h.
// Properties: hosts, planes, lines, events, and the recorder's errors and warnings.
Result<Report> Planes(const StorePtr& store, const Indexes& indexes, const Query& query,
                      Context& context);

// Declares its tables.
TableDefs PlanesTables();

}  // namespace tfprof
