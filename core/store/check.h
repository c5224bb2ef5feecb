// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

#include "core/store/store.h"

namespace tfprof {

// Row numbers have 32 bits; the largest one means no row.
constexpr size_t kMaxRows = 0xFFFFFFFEu;
// Returns true if no table has more rows.
bool RowsFit(const Store& store);

// Checks the invariants of a finished store, for tests, fuzzing and debug builds. Returns the first
// broken one, or an empty text. Cost: one pass over all tables.
std::string BrokenInvariant(const Store& store);

}  // namespace tfprof
