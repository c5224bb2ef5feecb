// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "core/report/report.h"

namespace tfprof {

// Makes `rows`, row numbers of `table` in the wanted order, the rows of the table. Of a tree they
// must be in depth-first order and hold the parent of each.
void KeepRows(std::span<const uint32_t> rows, Table* table);

// Whether the rows of the table belong to rows of the report's first one.
bool FollowsFirst(const Table& table);

// After the first table of `report`, which had `rows_before` rows, kept `rows` and -n `cut` others:
// drops, renumbers and orders the rows of tables that follow it, likewise samples. What goes with
// `cut` is counted in their omitted_rows.
void FollowFirst(const std::vector<uint32_t>& rows, std::span<const uint32_t> cut,
                 size_t rows_before, Report* report);
// The same after row i of the first table became new_rows[i], or went (kNoRow).
void FollowRows(const std::vector<uint32_t>& new_rows, Report* report);

}  // namespace tfprof
