// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/context.h"
#include "core/store/store.h"

namespace tfprof {

// An index. The nodes by operation type. Groups ascend by the bytes of the type; nodes of a group
// are in order of creation.
struct OpGroups {
  Column<NameId> type;          // by group
  Column<uint32_t> first_node;  // groups + 1 rows
  Column<NodeId> nodes;

  static Result<OpGroups> Build(const Store& store, Context& context);
};

}  // namespace tfprof
