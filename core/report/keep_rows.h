// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <vector>

#include "core/report/report.h"

namespace tfprof {

// Keeps only `rows`, row numbers of `table` in the new order. For a tree they must be in
// depth-first order and include the parent of each row.
void KeepRows(std::span<const uint32_t> rows, Table* table);

// Returns true if the rows of the table refer to rows of the report's first table.
bool FollowsFirst(const Table& table);

// Updates the report after its first table, which had `rows_before` rows, kept `rows` and -n
// dropped `cut`: drops, renumbers and orders the rows of tables that follow it, and samples. Rows
// that go with `cut` are counted in their omitted_rows.
void FollowFirst(const std::vector<uint32_t>& rows, std::span<const uint32_t> cut,
                 size_t rows_before, Report* report);
// As above, after row i of the first table became new_rows[i] or was dropped (kNoRow).
void FollowRows(const std::vector<uint32_t>& new_rows, Report* report);

// Moves up to `max` rows of Report::blocks into its first table; the rest is counted in
// omitted_rows. For outputs that lay out whole tables. Errors: those of the blocks.
Result<void> TakeBlocks(size_t max, Report* report, Context& context);

}  // namespace tfprof
