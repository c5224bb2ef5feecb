// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/nodes/tree_totals.h"
#include "core/base/context.h"
#include "core/store/store.h"

namespace tfprof {

class Indexes;

// An index. The nodes by their names, split at '/'. Row 0 is the root `_TFProfRoot`. Rows are in
// depth-first order, so parent < child and a subtree is rows [row, end[row]); siblings ascend by
// the bytes of their full names.
struct ScopeTree {
  Column<uint32_t> parent;
  Column<uint32_t> end;
  Column<NodeId> node;  // none: a synthetic parent (op type _kTFScopeParent)
  // A scope's full name is the first `length` bytes of `name`.
  struct Name {
    NameId name;
    uint32_t length;
  };
  Column<Name> names;

  static Result<ScopeTree> Build(const Store& store, Context& context);
};

// An index: totals of every scope if everything in these places is accounted, the case of most
// queries. Those of single steps are large, and queries use them one after the other.
struct ScopeTotals {
  using Value = TreeTotals;
  using Key = PlaceFilter;
  static constexpr size_t kKept = 5;
  static Result<TreeTotals> Build(const Indexes& indexes, const PlaceFilter& place,
                                  Context& context);
};

// Names for walking the tree; `state` must outlive the result.
struct ScopeNames {
  const Store* store;
  const ScopeTree* tree;
};
NamedTree Named(const ScopeNames& state);

// Returns the end of the full name of `row`: the part in which a text of `size` bytes must lie that
// is in this name but not in the parent's. Names of deep scopes are long and start with those of
// all scopes above.
std::string_view EndOfName(const ScopeNames& names, uint32_t row, size_t size);

}  // namespace tfprof
