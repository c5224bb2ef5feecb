// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/trace_export.h"

namespace tfprof {

// When everything ran, with nothing lost: what `timeline` writes.
//
// Groups: "steps" (where there are any), then one per device; tracks: the steps, then one per lane.
// Executions of a lane that overlap freely or in a row get levels, the lowest free one; those of a
// call stack nest on level 0. Names are those of the records.
// Arrows: "launch" from the execution of a node on its device to what it runs on the accelerator;
// "input" from each producer that ended before an execution started; both within one step.
// Counters: per device the bytes in use of its allocator, as executions noted them ("memory in
// use"), and per allocator what the recorded allocations add up to ("allocated: NAME").
//
// Lanes of processes keep their events on one level, in a group per process. Arrows between them
// are the links of their events (analysis/links/event_links.h).
//
// Of `query`: details, step (negative: all), device, host, show_ and hide_name_regexes (of the
// names drawn), account_type_regexes (of their nodes), min_micros (of one execution). `notes`
// counts what has no time. Errors: usage: no such step; nothing in the profile has a time.
Result<Trace> Timeline(const StorePtr& store, const Indexes& indexes, const Query& query,
                       Context& context);

}  // namespace tfprof
