// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// What a trace consists of. Tables, in file order; (host, plane_index) and line_index name a row:
// - planes: numbers of lines, events and possible names and attributes.
// - lines: their events; sum, least and largest of the durations; first start and last end (us of
//   wall time), the span between them and the time in which any event runs.
// - devices: gpus and tpus, over the events of their own work that take time; idle as in
//   analysis/steps/device_idle.h.
// Properties: hosts, planes, lines, events, and what the recorder complained of.
Result<Report> Planes(const StorePtr& store, const Indexes& indexes, const Query& query,
                      Context& context);

// What it answers with.
TableDefs PlanesTables();

}  // namespace tfprof
