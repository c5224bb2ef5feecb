// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/indexes.h"
#include "analysis/nodes/op_groups.h"
#include "analysis/nodes/scope_tree.h"
#include "core/base/context.h"
#include "core/report/report.h"
#include "core/store/store.h"

namespace tfprof {

// The meaning of a name in a profile.
struct NamedEntity {
  enum Kind : uint8_t { node, scope, op, line };
  Kind kind = node;
  std::string name;         // of a source line: its path and line; of a source file: its path
  std::string source_text;  // of a source line; empty: not recorded
  NodeId node_id;           // the node of exactly that name; none: there is no such node
  uint32_t scope_row = 0;   // for a scope: its row of ScopeTree
  // The node itself, the nodes in the scope, those of the type, or those that the source line and
  // what it calls created.
  std::vector<NodeId> nodes;
  std::optional<Kind> also;  // another meaning of the exact name: a type, or a node or scope
};

// Selects an operation type even if a node or scope has the same name: "op:MatMul".
inline constexpr std::string_view kTypePrefix = "op:";
// Selects a node or scope even if a type has the same name: "node:MatMul".
inline constexpr std::string_view kNodePrefix = "node:";

// Returns the graph node, scope or operation type of that name, in the scope `under` first, else
// the source line or file (FindSourceLine). Otherwise returns the only node, scope or type whose
// name contains `name`, ignoring case; but a number always means a row of a list shown before. A
// scope of one node is that node. After kTypePrefix only types count, after kNodePrefix only nodes
// and scopes.
// Error: usage, if there is none or there are several; it names some.
Result<NamedEntity> FindEntity(const Store& store, const Indexes& indexes, const std::string& name,
                               const std::string& under, Context& context);

// Returns the nodes in a scope, including its own node; NodesOfType: those of an operation type.
std::vector<NodeId> NodesIn(const ScopeTree& tree, uint32_t row);
std::span<const NodeId> NodesOfType(const OpGroups& groups, uint32_t group);

// Adds a note if the name has another meaning, with the command for it.
void NoteOtherReading(const NamedEntity& entity, Report* report);

// Returns "node", "scope", "operation type" or "source line".
std::string_view KindName(NamedEntity::Kind kind);
// Returns "a node" and so on.
std::string KindWithArticle(NamedEntity::Kind kind);

}  // namespace tfprof
