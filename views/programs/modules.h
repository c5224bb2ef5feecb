// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/programs.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"
#include "views/programs/op_profile.h"

namespace tfprof {

// A row per compiled program, most self time first. With -host, -device or -step, only programs
// that ran there.
Table ProgramsTable(const Store& store, const CompiledPrograms& programs,
                    const ProfiledOps& profiled, const Query& query, TextPool& pool);

extern const TableDef kModulesTable;

}  // namespace tfprof
