// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/store/store.h"

// Kinds of graph nodes that count in their own way, by operation type.

namespace tfprof {

// Returns true for a node whose shape is that of parameters: a variable, or a node that the op log
// calls trainable.
bool IsVariable(const Store& store, const Node& node);

// Returns true for a function call, a loop or a branch: its executions contain those of its body.
bool IsCall(std::string_view type);

// Likewise for a node. The type of a node that is known from runs only is its name, perhaps with a
// number behind.
bool CallsOthers(const Store& store, const Node& node);

}  // namespace tfprof
