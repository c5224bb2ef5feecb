// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// The surroundings of `query.subject` (views/subject.h): a graph node, a scope or an operation
// type. Times are us per step, as in scope and op. Tables:
// - around: for a node, its producers (`input`) and consumers (`output`); for a scope, its scopes
//   and nodes; for a type, its nodes (`part`), by time, descending.
// - devices: where its nodes ran. Each node counts on one device.
// - steps: time and runs in each step, if steps are known.
// Properties: kind, name, type, device, shape, nodes, micros, share (of all counting nodes),
// run_count, bytes, float_ops. Errors: usage (no such subject, no such step), cancelled.
Result<Report> Peek(const StorePtr& store, const Indexes& indexes, const Query& query,
                    Context& context);

// Declares its tables.
TableDefs PeekTables();

}  // namespace tfprof
