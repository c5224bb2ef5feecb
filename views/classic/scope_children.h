// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

#include "analysis/nodes/scope_tree.h"

namespace tfprof {

// Children of one row that stand side by side: from the row `first` to before `end`, which is the
// row behind the subtree of the last one. The next child of one is tree.end of it.
struct SiblingRows {
  uint32_t first = 0;
  uint32_t end = 0;

  bool empty() const { return first == end; }
};

// The children of `parent` whose full names begin with `text`. Siblings ascend by their names: two
// searches by halving, however many there are.
SiblingRows ChildrenThatBegin(const ScopeNames& names, uint32_t parent, std::string_view text);

// The row of the scope or node of that full name; 0, the root, of the empty one. kNoScopeRow: there
// is none.
constexpr uint32_t kNoScopeRow = 0xFFFFFFFFu;
uint32_t RowOfScope(const ScopeNames& names, std::string_view name);

}  // namespace tfprof
