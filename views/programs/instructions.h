// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "analysis/ops/op_times.h"
#include "analysis/programs.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"

// Instructions of compiled programs, whether they ran or not.

namespace tfprof {

// Instructions that ran in the places of a query, the same one on several devices as one.
struct RanInstructions {
  std::shared_ptr<const OpTimes> times;  // owns what `ops` refer to
  std::vector<OpTime> ops;
};
Result<RanInstructions> InstructionsThatRan(const Store& store, const Indexes& indexes,
                                            const Query& query, TextPool* pool, Context& context);

// JAX has no operation types: "jit(f)/add:".
std::string_view WithoutEmptyType(std::string_view op);

// Adds the table of all instructions of the chosen programs, in the order of the programs. With
// -instruction, adds that instruction, the instructions up to -width operands or users away, and
// those that it fuses. `ran`: those that ran; others have no time. Errors: usage; cancelled.
Result<void> AddInstructions(const CompiledPrograms& programs, std::span<const OpTime> ran,
                             const Query& query, Report* report, Context& context);

extern const TableDef kInstructionsTable;
extern const TableDef kNeighborsTable;

}  // namespace tfprof
