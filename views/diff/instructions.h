// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/context.h"
#include "core/report/report.h"
#include "core/report/table_def.h"
#include "views/diff/side.h"

// Diff of compiled programs that did not run, or of two stages of their compilation.

namespace tfprof {

// True if the query is about instructions themselves: it names stages, or no side has events.
bool ComparesInstructions(const Side& before, const Side& after);

// Adds a row for each instruction that differs in opcode or type, that has another name, or that
// one side lacks. Programs pair by name. Instructions pair by name; the rest by equal opcode, type
// and framework operation, in order. Errors: usage (no such stage); cancelled.
Result<void> AddInstructionChanges(const Side& before, const Side& after, Report* report,
                                   Context& context);

extern const TableDef kInstructionChangesTable;

}  // namespace tfprof
