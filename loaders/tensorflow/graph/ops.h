// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>
#include <vector>

#include "core/base/context.h"
#include "core/store/graph_ops.h"
#include "core/store/store.h"

namespace tfprof {

// Appends the nodes of a GraphDef that are nodes of the store, without their inputs, and the
// functions of its library. Malformed parts end it. Error: cancelled.
Result<void> ReadGraphOps(std::string_view graph, const Store& store, GraphOps* out,
                          Context& context);

// Appends an attribute of a node that shapes or work depend on; ignores others and malformed ones.
void ReadOpAttribute(std::string_view entry, GraphOps* out);

// The output slot of a node's named output in a function body: `name:index` behind the node.
int32_t SlotOfOutput(std::string_view type, std::string_view name, int32_t index);

}  // namespace tfprof
