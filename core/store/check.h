// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "core/store/store.h"

namespace tfprof {

// The invariants of a finished store, for tests and fuzzing. Empty: all hold; else the first that
// does not. Cost is one pass over all tables.
std::string BrokenInvariant(const Store& store);

}  // namespace tfprof
