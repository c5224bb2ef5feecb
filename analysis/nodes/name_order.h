// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/context.h"
#include "core/store/store.h"

namespace tfprof {

// Sorts nodes by the bytes of their names. Compares eight bytes at a time and looks at a text again
// only where those are equal, since long common prefixes are the rule.
Result<void> SortByName(const Store& store, Column<NodeId>* nodes, Context& context);

}  // namespace tfprof
