// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/indexes.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

namespace tfprof {

// What is around one thing, `query.subject` (views/subject.h): a graph node, a scope or an
// operation type. Times are us of a step, as in scope and op. Tables:
// - around: of a node what it takes (`input`) and what takes its outputs (`output`); of a scope the
//   scopes and nodes in it, of a type its nodes (`part`), the costliest first.
// - devices: where its nodes ran. Each counts on one device.
// - steps: its time and runs in single steps, where steps are known.
// Properties: kind, name, type, device, shape, nodes, micros, share (of all nodes that count),
// run_count, bytes, float_ops. Errors: usage (no such thing, no such step), cancelled.
Result<Report> Peek(const StorePtr& store, const Indexes& indexes, const Query& query,
                    Context& context);

// What it answers with.
TableDefs PeekTables();

}  // namespace tfprof
