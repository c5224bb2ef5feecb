// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/context.h"
#include "core/store.h"
#include "views/accounting.h"

namespace tfprof {

// The nodes by their names, split at '/'. Row 0 is the root `_TFProfRoot`. Rows are in depth-first
// order, so parent < child and a subtree is rows [row, end[row]); siblings ascend by the bytes of
// their full names.
struct ScopeTree {
  Column<uint32_t> parent;
  Column<uint32_t> end;
  Column<NodeId> node;  // none: a made-up parent (op type _kTFScopeParent)
  // A scope's full name is the first `length` bytes of `name`.
  struct Name {
    NameId name;
    uint32_t length;
  };
  Column<Name> names;
  uint32_t max_depth = 1;  // of the root is 1
};

struct ScopeTotals {
  Column<MeasureValues> values;
  Column<uint8_t> present;
};

Result<ScopeTree> BuildScopeTree(const Store& store, Context& context);
Result<ScopeTotals> SumScopes(const ScopeTree& tree, const NodeSums& sums, Context& context);

}  // namespace tfprof
