// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "core/report/report.h"

namespace tfprof {

// Chooses the `max` heaviest of `rows`, rows of a tree that include the parent of each, in
// depth-first order. The chosen rows include the parent of each, too, and keep that order. The
// weight is the column of Table::ordered_by, else the first one of role total; a tree without
// either keeps its first rows.
std::vector<uint32_t> HeaviestRows(const Table& tree, std::span<const uint32_t> rows, size_t max);

// Counts the other `rows` in Table::omitted_below and ReportColumn::omitted_below of their nearest
// chosen ancestors. `chosen` is a subset of `rows`, both in depth-first order.
void CountOmittedBelow(std::span<const uint32_t> rows, std::span<const uint32_t> chosen,
                       Table* tree);

}  // namespace tfprof
