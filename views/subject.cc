// SPDX-License-Identifier: Apache-2.0
#include "views/subject.h"

#include <fmt/core.h>

#include <algorithm>

#include "analysis/nodes/code_tree.h"
#include "core/base/ascii.h"
#include "core/store/note_catalogue.h"
#include "views/classic/scope_children.h"
#include "views/source_lines.h"

namespace tfprof {
namespace {

constexpr size_t kNamesShown = 5;

NamedEntity::Kind KindOfRow(const ScopeTree& tree, uint32_t row) {
  const bool leaf = tree.end[row] == row + 1 && tree.node[row].some();
  return leaf ? NamedEntity::node : NamedEntity::scope;
}

NamedEntity Made(NamedEntity::Kind kind, std::string_view name, uint32_t at, const ScopeTree& tree,
                 const OpGroups& groups) {
  NamedEntity entity;
  entity.kind = kind;
  entity.name = name;
  if (kind == NamedEntity::op) {
    const auto nodes = NodesOfType(groups, at);
    entity.nodes.assign(nodes.begin(), nodes.end());
    return entity;
  }
  entity.scope_row = at;
  entity.node_id = tree.node[at];
  entity.nodes = NodesIn(tree, at);
  return entity;
}

// A bare number is a row number and needs a table shown before.
Failure NoRowNumbers(const std::string& number) {
  return Fail(ErrorKind::usage,
              fmt::format("no answer has a row {} yet, and no node, scope or type is named '{}'",
                          number, number),
              {},
              fmt::format("run a command with rows first, such as `top`; `find {}` searches names",
                          number));
}

Failure NotUnique(const std::string& name, const std::vector<std::string_view>& found,
                  size_t count) {
  if (count == 0) {
    const std::string_view what =
        LooksLikeSource(name) ? "node, scope, type or source line" : "node, scope or type";
    return Fail(ErrorKind::usage, fmt::format("no {} named '{}'", what, name), {},
                "`find TEXT` searches names");
  }
  std::string list;
  for (const std::string_view one : found) list.append(list.empty() ? "" : ", ").append(one);
  if (count > found.size()) list += ", ...";
  return Fail(ErrorKind::usage, "'" + name + "' matches " + std::to_string(count) + " names", {},
              "one of: " + list);
}

struct Candidate {
  NamedEntity::Kind kind = NamedEntity::node;
  std::string_view name;
  uint32_t at = 0;
};

// The typed name without prefixes for its kind.
struct TypedName {
  bool types = true, nodes = true;
  std::string name;   // without the trailing slash of scopes
  std::string under;  // empty: the whole profile
  std::string inner;  // the name within `under`
};

TypedName ReadTypedName(const std::string& typed, const std::string& under) {
  TypedName typed_name;
  typed_name.nodes = !typed.starts_with(kTypePrefix);
  typed_name.types = !typed.starts_with(kNodePrefix);
  const size_t first = !typed_name.nodes   ? kTypePrefix.size()
                       : !typed_name.types ? kNodePrefix.size()
                                           : 0;
  typed_name.name = typed.substr(first, typed.find_last_not_of('/') + 1 - first);
  typed_name.under = under;
  typed_name.inner = under + "/" + typed_name.name;
  return typed_name;
}

bool IsNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

// Exact matches; a node or scope in `under` comes first.
struct Exact {
  std::optional<Candidate> type, node;
};

Exact FindExact(const Store& store, const ScopeTree& tree, const OpGroups& groups,
                const TypedName& typed_name) {
  Exact exact;
  for (uint32_t i = 0; i < groups.type.size(); ++i) {
    const std::string_view type = store.Text(groups.type[i]);
    if (type == typed_name.name) exact.type = {NamedEntity::op, type, i};
  }
  if (typed_name.name.empty()) return exact;
  const ScopeNames names{&store, &tree};
  uint32_t row = typed_name.under.empty() ? kNoScopeRow : RowOfScope(names, typed_name.inner);
  if (row == kNoScopeRow) row = RowOfScope(names, typed_name.name);
  if (row == kNoScopeRow) return exact;
  exact.node = {KindOfRow(tree, row), Named(names).Name(row), row};
  return exact;
}

// True for an operation of a trace that is in no scope and called like its type, if the type has
// others: the name stands for all of them.
bool IsOneOfType(const Store& store, const Exact& exact, const OpGroups& groups) {
  return store.IsTrace() && exact.node->kind == NamedEntity::node &&
         NodesOfType(groups, exact.type->at).size() > 1;
}

// Names that contain the text.
struct Matches {
  Candidate partly, other_case;  // last match; last match that differs in case only
  size_t count = 0, other_cases = 0;
  std::vector<std::string_view> shown;  // the first names of `count`

  // REQUIRES: its name contains the text.
  void Add(const TypedName& typed_name, const Candidate& one) {
    const std::string_view text = one.name;
    partly = one;
    const bool in_under = !typed_name.under.empty() && text.starts_with(typed_name.under);
    if (text.size() == typed_name.name.size() ||
        (text.size() == typed_name.inner.size() && in_under)) {
      other_case = one, ++other_cases;
    }
    if (++count <= kNamesShown) shown.push_back(text);
  }
};

Result<Matches> FindMatches(const Store& store, const ScopeTree& tree, const OpGroups& groups,
                            const TypedName& typed_name, Context& context) {
  Matches found;
  for (uint32_t i = 0; typed_name.types && i < groups.type.size(); ++i) {
    const std::string_view type = store.Text(groups.type[i]);
    if (ContainsAnyCase(type, typed_name.name)) found.Add(typed_name, {NamedEntity::op, type, i});
  }
  if (!typed_name.nodes) return found;
  const ScopeNames names{&store, &tree};
  const NamedTree named = Named(names);
  std::vector<bool> has(tree.end.size(), false);  // by row: its name contains the text
  has[0] = typed_name.name.empty();
  for (uint32_t row = 1; row < tree.end.size(); ++row) {
    if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    has[row] = has[tree.parent[row]] ||
               ContainsAnyCase(EndOfName(names, row, typed_name.name.size()), typed_name.name);
    if (has[row]) found.Add(typed_name, {KindOfRow(tree, row), named.Name(row), row});
  }
  return found;
}

// Returns the source line of that text among those of the program, else of frameworks.
Result<std::optional<NamedEntity>> FindLine(const Store& store, const Indexes& indexes,
                                            const std::string& typed, Context& context) {
  if (!store.has_code_traces || !LooksLikeSource(typed)) return std::optional<NamedEntity>();
  for (const CodeFrames frames : {CodeFrames::own, CodeFrames::all}) {
    TFPROF_ASSIGN(const auto tree, indexes.Get<CodeTree>(frames, context));
    TFPROF_ASSIGN(auto line, FindSourceLine(*tree, typed, context));
    if (!line) continue;
    NamedEntity entity;
    entity.kind = NamedEntity::line;
    entity.name = std::move(line->name);
    entity.source_text = line->text;
    entity.nodes = std::move(line->nodes);
    return std::optional<NamedEntity>(std::move(entity));
  }
  return std::optional<NamedEntity>();
}

}  // namespace

Result<NamedEntity> FindEntity(const Store& store, const Indexes& indexes, const std::string& typed,
                               const std::string& under, Context& context) {
  const TypedName typed_name = ReadTypedName(typed, under);
  TFPROF_ASSIGN(const auto tree, indexes.Get<ScopeTree>(context));
  TFPROF_ASSIGN(const auto groups, indexes.Get<OpGroups>(context));
  const auto made = [&](const Candidate& one) {
    return Made(one.kind, one.name, one.at, *tree, *groups);
  };
  const Exact exact = FindExact(store, *tree, *groups, typed_name);
  const bool names_node = exact.node && typed_name.nodes;
  const bool names_type =
      exact.type && typed_name.types && (!names_node || IsOneOfType(store, exact, *groups));
  if (names_node && !names_type) {
    NamedEntity entity = made(*exact.node);
    if (exact.type) entity.also = NamedEntity::op;
    return entity;
  }
  if (names_type) {
    NamedEntity entity = made(*exact.type);
    if (exact.node) entity.also = exact.node->kind;
    return entity;
  }
  if (IsNumber(typed)) return NoRowNumbers(typed);
  TFPROF_ASSIGN(auto line, FindLine(store, indexes, typed, context));
  if (line) return std::move(*line);
  TFPROF_ASSIGN(const Matches found, FindMatches(store, *tree, *groups, typed_name, context));
  if (found.other_cases == 1) return made(found.other_case);
  if (found.count == 1) return made(found.partly);
  return NotUnique(typed_name.name, found.shown, found.count);
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

std::string_view KindName(NamedEntity::Kind kind) {
  switch (kind) {
    case NamedEntity::node: return "node";
    case NamedEntity::scope: return "scope";
    case NamedEntity::line: return "source line";
    default: return "operation type";
  }
}

std::string KindWithArticle(NamedEntity::Kind kind) {
  return (kind == NamedEntity::op ? "an " : "a ") + std::string(KindName(kind));
}

void NoteOtherReading(const NamedEntity& entity, Report* report) {
  if (!entity.also) return;
  const std::string_view prefix = *entity.also == NamedEntity::op ? kTypePrefix : kNodePrefix;
  const std::string kind = KindWithArticle(*entity.also);
  report->notes.push_back({note::With(note::also_called, {entity.name, kind, report->view,
                                                          std::string(prefix).append(entity.name)}),
                           1, "", kNoInt});
}

}  // namespace tfprof
