// SPDX-License-Identifier: Apache-2.0
#include "views/classic/scope_children.h"

#include <algorithm>

namespace tfprof {
namespace {

// Returns the child of `parent` that is `row` or its ancestor.
uint32_t ChildOver(const ScopeTree& tree, uint32_t parent, uint32_t row) {
  while (tree.parent[row] != parent) row = tree.parent[row];
  return row;
}

// Returns the first child of `parent`, starting at the child `first`, whose name is not `before`;
// the end of the parent if there is none.
template <class Before>
uint32_t FirstChildNot(const ScopeNames& names, uint32_t parent, uint32_t first,
                       const Before& before) {
  const ScopeTree& tree = *names.tree;
  const NamedTree named = Named(names);
  uint32_t end = tree.end[parent];
  while (first < end) {
    const uint32_t child = ChildOver(tree, parent, first + (end - first) / 2);
    if (before(named.Name(child))) {
      first = tree.end[child];
    } else {
      end = child;
    }
  }
  return first;
}

}  // namespace

SiblingRows ChildrenThatBegin(const ScopeNames& names, uint32_t parent, std::string_view text) {
  SiblingRows rows;
  rows.first = FirstChildNot(names, parent, parent + 1, [=](auto name) { return name < text; });
  rows.end =
      FirstChildNot(names, parent, rows.first, [=](auto name) { return name.starts_with(text); });
  return rows;
}

uint32_t RowOfScope(const ScopeNames& names, std::string_view name) {
  const NamedTree named = Named(names);
  uint32_t row = 0;
  for (size_t end = 0; end < name.size();) {
    end = std::min(name.find('/', end + 1), name.size());
    const std::string_view part = name.substr(0, end);
    const uint32_t child =
        FirstChildNot(names, row, row + 1, [=](auto sibling) { return sibling < part; });
    if (child == names.tree->end[row] || named.Name(child) != part) return kNoScopeRow;
    row = child;
  }
  return row;
}

}  // namespace tfprof
