// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/indexes.h"
#include "core/base/context.h"
#include "core/report/report.h"
#include "core/store/store.h"

namespace tfprof {

// What a name stands for in a profile.
struct NamedThing {
  enum Kind : uint8_t { node, scope, op };
  Kind kind = node;
  std::string_view name;
  NodeId node_id;             // of that very name; none: there is no such node
  uint32_t scope_row = 0;     // of a scope: its row of ScopeTree
  std::vector<NodeId> nodes;  // which it is, which are in it, which have the type
  std::optional<Kind> also;   // another thing of that very name: a type, or a node or scope
};

// An operation type that is to be no node or scope of the same name: "op:MatMul".
inline constexpr std::string_view kTypePrefix = "op:";
// The other way round: "node:MatMul".
inline constexpr std::string_view kNodePrefix = "node:";

// The graph node, scope or operation type that is called so, in the scope `under` first; else, in
// any case of letters, the only one that has `name` in its own: but no number, which is that of a
// row where a list was shown before. A scope of one node is that node.
// Behind kTypePrefix only types count, behind kNodePrefix none.
// Error: usage, there is none, or there are several: it names some.
Result<NamedThing> FindThing(const Store& store, const Indexes& indexes, const std::string& name,
                             const std::string& under, Context& context);

// The nodes in a scope, its own among them; those of an operation type.
std::vector<NodeId> NodesIn(const ScopeTree& tree, uint32_t row);
std::span<const NodeId> NodesOfType(const OpGroups& groups, uint32_t group);

// Where its name means something else, too: what, and the question that asks for that.
void NoteOtherReading(const NamedThing& thing, Report* report);

// "node", "scope", "operation type".
std::string_view KindName(NamedThing::Kind kind);

}  // namespace tfprof
