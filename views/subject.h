// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/context.h"
#include "core/store.h"
#include "views/indexes.h"

namespace tfprof {

// What a name stands for in a profile.
struct NamedThing {
  enum Kind : uint8_t { node, scope, op };
  Kind kind = node;
  std::string_view name;
  NodeId node_id;             // of that very name; none: there is no such node
  uint32_t scope_row = 0;     // of a scope: its row of ScopeTree
  std::vector<NodeId> nodes;  // which it is, which are in it, which have the type
};

// An operation type that is to be no node or scope of the same name: "op:MatMul".
inline constexpr std::string_view kTypePrefix = "op:";

// The graph node, scope or operation type that is called so, in the scope `under` first; else, in
// any case of letters, the only one that has `name` in its own. A scope of one node is that node.
// Behind kTypePrefix only types count.
// Error: usage, there is none, or there are several: it names some.
Result<NamedThing> FindThing(const Store& store, const Indexes& indexes, const std::string& name,
                             const std::string& under, Context& context);

// The nodes in a scope, its own among them; those of an operation type.
std::vector<NodeId> NodesIn(const ScopeTree& tree, uint32_t row);
std::span<const NodeId> NodesOfType(const OpGroups& groups, uint32_t group);

// "node", "scope", "operation type".
std::string_view KindName(NamedThing::Kind kind);

}  // namespace tfprof
