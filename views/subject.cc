// SPDX-License-Identifier: Apache-2.0
#include "views/subject.h"

#include <algorithm>
#include <optional>

#include "core/any_case.h"

namespace tfprof {
namespace {

constexpr size_t kRowsPerPoll = 1 << 14;
constexpr size_t kNamesShown = 5;

// Calls visit(kind, name, at) for every node that is no scope (at: the node), scope (the row of
// the tree) and operation type (the group), until it returns false.
template <class Visit>
Result<void> EachName(const Store& store, const ScopeTree& tree, const OpGroups& groups,
                      Context& context, const Visit& visit) {
  const ScopeNames names{&store, &tree};
  const NamedTree named = Named(names);
  for (uint32_t i = 0; i < groups.type.size(); ++i) {
    if (!visit(NamedThing::op, store.Text(groups.type[i]), i)) return {};
  }
  for (uint32_t row = 1; row < tree.end.size(); ++row) {
    if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const bool leaf = tree.end[row] == row + 1 && tree.node[row].some();
    if (!visit(leaf ? NamedThing::node : NamedThing::scope, named.Name(row), row)) return {};
  }
  return {};
}

NamedThing Made(NamedThing::Kind kind, std::string_view name, uint32_t at, const ScopeTree& tree,
                const OpGroups& groups) {
  NamedThing thing{kind, name, {}, 0, {}};
  if (kind == NamedThing::op) {
    const auto nodes = NodesOfType(groups, at);
    thing.nodes.assign(nodes.begin(), nodes.end());
    return thing;
  }
  thing.scope_row = at;
  thing.node_id = tree.node[at];
  thing.nodes = NodesIn(tree, at);
  return thing;
}

Failure NoneOrSeveral(const std::string& name, const std::vector<std::string_view>& found,
                      size_t count) {
  if (count == 0) {
    return Fail(ErrorKind::usage, "nothing is called '" + name + "'", {},
                "find TEXT looks for names with a text in them");
  }
  std::string list;
  for (const std::string_view one : found) list.append(list.empty() ? "" : ", ").append(one);
  if (count > found.size()) list += ", ...";
  return Fail(ErrorKind::usage, "'" + name + "' is a part of " + std::to_string(count) + " names",
              {}, "one of: " + list);
}

}  // namespace

Result<NamedThing> FindThing(const Store& store, const Indexes& indexes, const std::string& asked,
                             const std::string& under, Context& context) {
  const bool type_only = asked.starts_with(kTypePrefix);
  const size_t first = type_only ? kTypePrefix.size() : 0;
  const std::string name = asked.substr(first, asked.find_last_not_of('/') + 1 - first);
  const std::string inner = under + "/" + name;
  TFPROF_ASSIGN(const auto tree, indexes.Scopes(context));
  TFPROF_ASSIGN(const auto groups, indexes.Ops(context));
  struct Candidate {
    NamedThing::Kind kind = NamedThing::node;
    std::string_view name;
    uint32_t at = 0;
  };
  std::optional<Candidate> exact;
  Candidate partly, other_case;
  size_t other_cases = 0;
  std::vector<std::string_view> found;
  size_t count = 0;
  TFPROF_TRY(EachName(store, *tree, *groups, context,
                      [&](NamedThing::Kind kind, std::string_view text, uint32_t at) {
                        if (type_only && kind != NamedThing::op) return false;  // types come first
                        if (text == inner || text == name) {
                          // A node or scope is nearer than a type, one in `under` the nearest.
                          exact = Candidate{kind, text, at};
                          return text != inner && (!under.empty() || kind == NamedThing::op);
                        }
                        if (!ContainsAnyCase(text, name)) return true;
                        partly = {kind, text, at};
                        if (text.size() == name.size() || text.size() == inner.size()) {
                          const bool same = text.size() == name.size() ||
                                            (!under.empty() && text.starts_with(under));
                          if (same) other_case = partly, ++other_cases;
                        }
                        if (++count <= kNamesShown) found.push_back(text);
                        return true;
                      }));
  if (exact) return Made(exact->kind, exact->name, exact->at, *tree, *groups);
  if (other_cases == 1) {
    return Made(other_case.kind, other_case.name, other_case.at, *tree, *groups);
  }
  if (count == 1) return Made(partly.kind, partly.name, partly.at, *tree, *groups);
  return NoneOrSeveral(name, found, count);
}

std::vector<NodeId> NodesIn(const ScopeTree& tree, uint32_t row) {
  std::vector<NodeId> nodes;
  for (uint32_t at = row; at < tree.end[row]; ++at) {
    if (tree.node[at].some()) nodes.push_back(tree.node[at]);
  }
  return nodes;
}

std::span<const NodeId> NodesOfType(const OpGroups& groups, uint32_t group) {
  const uint32_t first = groups.first_node[group];
  return groups.nodes.Rows(first, groups.first_node[group + 1] - first);
}

std::string_view KindName(NamedThing::Kind kind) {
  switch (kind) {
    case NamedThing::node:
      return "node";
    case NamedThing::scope:
      return "scope";
    default:
      return "operation type";
  }
}

}  // namespace tfprof
