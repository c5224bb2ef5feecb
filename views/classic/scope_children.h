// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

#include "analysis/nodes/scope_tree.h"

namespace tfprof {

// Adjacent children of one row: the rows from `first` to before `end`, the row after the subtree of
// the last child. tree.end of a child is the next child.
struct SiblingRows {
  uint32_t first = 0;
  uint32_t end = 0;

  bool empty() const { return first == end; }
};

// Returns the children of `parent` whose full names begin with `text`. Siblings are in ascending
// order by name, so this takes two binary searches.
SiblingRows ChildrenThatBegin(const ScopeNames& names, uint32_t parent, std::string_view text);

// Returns the row of the scope or node with that full name; 0, the root, for an empty name;
// kNoScopeRow if there is none.
constexpr uint32_t kNoScopeRow = 0xFFFFFFFFu;
uint32_t RowOfScope(const ScopeNames& names, std::string_view name);

}  // namespace tfprof
