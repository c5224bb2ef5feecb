// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/trace_export.h"

namespace tfprof {

// All executions on a time axis, lossless: the data that `timeline` writes.
//
// Groups: "steps" (if there are any), then one per device. Tracks: the steps, then one per lane.
// Executions of a lane that overlap freely or in sequence get levels, always the lowest free one;
// those of a call stack nest on level 0. Names are those of the records.
// Flows: "launch" from the execution of a node on its device to its accelerator work; "input" from
// each producer that ended before an execution started; both within one step.
// Counters: per device, the bytes in use of its allocator at each execution ("memory in use"), and
// per allocator the running sum of the recorded allocations ("allocated: NAME").
//
// Lanes of processes keep their events on one level, in a group per process. Flows between them are
// the links of their events (analysis/links/event_links.h).
//
// Reads from `query`: details, step (negative: all), device, host, show_ and hide_name_regexes (on
// exported names), account_type_regexes (on their nodes), min_micros (of one execution). `notes`
// counts events without a time. Errors: usage: no such step; no event in the profile has a time.
Result<Trace> Timeline(const StorePtr& store, const Indexes& indexes, const Query& query,
                       Context& context);

}  // namespace tfprof
