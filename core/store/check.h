// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>

#include "core/store/store.h"

namespace tfprof {

// Rows of tables have 32-bit numbers, of which the largest says that there is none.
constexpr size_t kMostRows = 0xFFFFFFFEu;
// Whether no table has more.
bool RowsFit(const Store& store);

// The invariants of a finished store, for tests, fuzzing and debug builds. Empty: all hold; else
// the first that does not. Cost is one pass over all tables.
std::string BrokenInvariant(const Store& store);

}  // namespace tfprof
