// SPDX-License-Identifier: Apache-2.0
#include "views/subject.h"

#include <fmt/core.h>

#include <algorithm>

#include "core/base/any_case.h"
#include "core/store/note_catalogue.h"
#include "views/classic/scope_children.h"

namespace tfprof {
namespace {

constexpr size_t kNamesShown = 5;

NamedThing::Kind KindOfRow(const ScopeTree& tree, uint32_t row) {
  const bool leaf = tree.end[row] == row + 1 && tree.node[row].some();
  return leaf ? NamedThing::node : NamedThing::scope;
}

NamedThing Made(NamedThing::Kind kind, std::string_view name, uint32_t at, const ScopeTree& tree,
                const OpGroups& groups) {
  NamedThing thing{kind, name, {}, 0, {}, {}};
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

// A bare number is a row number and needs a table shown before.
Failure NoRowYet(const std::string& number) {
  return Fail(ErrorKind::usage,
              fmt::format("no answer has a row {} yet, and no node, scope or type is named '{}'",
                          number, number),
              {},
              fmt::format("run a command with rows first, such as `top`; `find {}` searches names",
                          number));
}

Failure NoneOrSeveral(const std::string& name, const std::vector<std::string_view>& found,
                      size_t count) {
  if (count == 0) {
    return Fail(ErrorKind::usage, "no node, scope or type named '" + name + "'", {},
                "`find TEXT` searches names");
  }
  std::string list;
  for (const std::string_view one : found) list.append(list.empty() ? "" : ", ").append(one);
  if (count > found.size()) list += ", ...";
  return Fail(ErrorKind::usage, "'" + name + "' matches " + std::to_string(count) + " names", {},
              "one of: " + list);
}

struct Candidate {
  NamedThing::Kind kind = NamedThing::node;
  std::string_view name;
  uint32_t at = 0;
};

// The typed name without prefixes for its kind.
struct Asked {
  bool types = true, nodes = true;
  std::string name;   // without the trailing slash of scopes
  std::string under;  // empty: the whole profile
  std::string inner;  // the name within `under`
};

Asked ReadAsked(const std::string& typed, const std::string& under) {
  Asked asked;
  asked.nodes = !typed.starts_with(kTypePrefix);
  asked.types = !typed.starts_with(kNodePrefix);
  const size_t first = !asked.nodes ? kTypePrefix.size() : !asked.types ? kNodePrefix.size() : 0;
  asked.name = typed.substr(first, typed.find_last_not_of('/') + 1 - first);
  asked.under = under;
  asked.inner = under + "/" + asked.name;
  return asked;
}

bool IsNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

// Exact matches; a node or scope in `under` comes first.
struct Exact {
  std::optional<Candidate> type, node;
};

Exact FindExact(const Store& store, const ScopeTree& tree, const OpGroups& groups,
                const Asked& asked) {
  Exact exact;
  for (uint32_t i = 0; i < groups.type.size(); ++i) {
    const std::string_view type = store.Text(groups.type[i]);
    if (type == asked.name) exact.type = {NamedThing::op, type, i};
  }
  if (asked.name.empty()) return exact;
  const ScopeNames names{&store, &tree};
  uint32_t row = asked.under.empty() ? kNoScopeRow : RowOfScope(names, asked.inner);
  if (row == kNoScopeRow) row = RowOfScope(names, asked.name);
  if (row == kNoScopeRow) return exact;
  exact.node = {KindOfRow(tree, row), Named(names).Name(row), row};
  return exact;
}

// Names that contain the text.
struct Matches {
  Candidate partly, other_case;  // last match; last match that differs in case only
  size_t count = 0, other_cases = 0;
  std::vector<std::string_view> shown;  // the first names of `count`

  // REQUIRES: its name contains the text.
  void Add(const Asked& asked, const Candidate& one) {
    const std::string_view text = one.name;
    partly = one;
    const bool in_under = !asked.under.empty() && text.starts_with(asked.under);
    if (text.size() == asked.name.size() || (text.size() == asked.inner.size() && in_under)) {
      other_case = one, ++other_cases;
    }
    if (++count <= kNamesShown) shown.push_back(text);
  }
};

Result<Matches> FindMatches(const Store& store, const ScopeTree& tree, const OpGroups& groups,
                            const Asked& asked, Context& context) {
  Matches found;
  for (uint32_t i = 0; asked.types && i < groups.type.size(); ++i) {
    const std::string_view type = store.Text(groups.type[i]);
    if (ContainsAnyCase(type, asked.name)) found.Add(asked, {NamedThing::op, type, i});
  }
  if (!asked.nodes) return found;
  const ScopeNames names{&store, &tree};
  const NamedTree named = Named(names);
  std::vector<bool> has(tree.end.size(), false);  // by row: its name contains the text
  has[0] = asked.name.empty();
  for (uint32_t row = 1; row < tree.end.size(); ++row) {
    if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    has[row] = has[tree.parent[row]] ||
               ContainsAnyCase(EndOfName(names, row, asked.name.size()), asked.name);
    if (has[row]) found.Add(asked, {KindOfRow(tree, row), named.Name(row), row});
  }
  return found;
}

}  // namespace

Result<NamedThing> FindThing(const Store& store, const Indexes& indexes, const std::string& typed,
                             const std::string& under, Context& context) {
  const Asked asked = ReadAsked(typed, under);
  TFPROF_ASSIGN(const auto tree, indexes.Get<ScopeTree>(context));
  TFPROF_ASSIGN(const auto groups, indexes.Get<OpGroups>(context));
  const auto made = [&](const Candidate& one) {
    return Made(one.kind, one.name, one.at, *tree, *groups);
  };
  const Exact exact = FindExact(store, *tree, *groups, asked);
  if (exact.node && asked.nodes) {
    NamedThing thing = made(*exact.node);
    if (exact.type) thing.also = NamedThing::op;
    return thing;
  }
  if (exact.type && asked.types) {
    NamedThing thing = made(*exact.type);
    if (exact.node) thing.also = exact.node->kind;
    return thing;
  }
  if (IsNumber(typed)) return NoRowYet(typed);
  TFPROF_ASSIGN(const Matches found, FindMatches(store, *tree, *groups, asked, context));
  if (found.other_cases == 1) return made(found.other_case);
  if (found.count == 1) return made(found.partly);
  return NoneOrSeveral(asked.name, found.shown, found.count);
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
    case NamedThing::node: return "node";
    case NamedThing::scope: return "scope";
    default: return "operation type";
  }
}

void NoteOtherReading(const NamedThing& thing, Report* report) {
  if (!thing.also) return;
  const std::string_view prefix = *thing.also == NamedThing::op ? kTypePrefix : kNodePrefix;
  const bool is_type = *thing.also == NamedThing::op;
  const std::string kind = (is_type ? "an " : "a ") + std::string(KindName(*thing.also));
  report->notes.push_back({note::With(note::also_called, {thing.name, kind, report->view,
                                                          std::string(prefix).append(thing.name)}),
                           1, "", kNoInt});
}

}  // namespace tfprof
