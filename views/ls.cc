// SPDX-License-Identifier: Apache-2.0
#include "views/ls.h"

#include <algorithm>
#include <limits>

#include "core/time_unit.h"
#include "views/fill_columns.h"
#include "views/measure_meaning.h"
#include "views/member_rows.h"
#include "views/subject.h"

namespace tfprof {
namespace {

struct Entry {
  std::string name;  // with a slash behind that of a scope
  std::string_view type;
  MemberSum sum;

  int64_t Time() const { return TimeOf(sum); }
};

// The row of the scope that is listed; 0: of everything.
Result<uint32_t> ScopeRow(const Store& store, const Indexes& indexes, const Query& query,
                          Context& context) {
  const std::string& name = query.subject.empty() ? query.under : query.subject;
  if (name.empty() || name == "/") return 0;
  const std::string under = query.subject.empty() ? "" : query.under;
  TFPROF_ASSIGN(const NamedThing thing, FindThing(store, indexes, name, under, context));
  if (thing.kind == NamedThing::scope) return thing.scope_row;
  const std::string what = thing.kind == NamedThing::op ? "an operation type" : "a node";
  return Fail(ErrorKind::usage, "'" + std::string(thing.name) + "' is " + what + ", not a scope",
              {}, "peek " + name);
}

std::vector<Entry> EntriesOf(const Store& store, const ScopeTree& tree, uint32_t scope,
                             const TimesCounted& counted, const NodeSums& sums) {
  const ScopeNames names{&store, &tree};
  const NamedTree named = Named(names);
  std::vector<Entry> entries;
  for (uint32_t row = scope + 1; row < tree.end[scope]; row = tree.end[row]) {
    const std::vector<NodeId> nodes = NodesIn(tree, row);
    const bool leaf = tree.end[row] == row + 1;
    Entry entry{
        std::string(named.Name(row)) + (leaf ? "" : "/"), {}, SumMembers(nodes, counted, sums)};
    if (leaf && tree.node[row].some()) {
      entry.type = store.Text(store.nodes[tree.node[row].value].type);
    }
    if (entry.sum.nodes > 0) entries.push_back(std::move(entry));
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::max<int64_t>(a.Time(), -1) > std::max<int64_t>(b.Time(), -1);
  });
  return entries;
}

double Share(const Entry& entry, int64_t whole) {
  if (entry.Time() == kNoInt || whole <= 0) return std::numeric_limits<double>::quiet_NaN();
  return static_cast<double>(entry.Time()) / static_cast<double>(whole);
}

}  // namespace

Result<Report> ListScope(const StorePtr& store, const Indexes& indexes, const Query& query,
                         Context& context) {
  TFPROF_ASSIGN(const auto accounts, indexes.Accounts(query, context));
  TFPROF_ASSIGN(const auto sums, indexes.Sums(query, context));
  TFPROF_ASSIGN(const auto tree, indexes.Scopes(context));
  TFPROF_ASSIGN(const TimesCounted counted, CountMembers(*store, *accounts, query, context));
  TFPROF_ASSIGN(const uint32_t scope, ScopeRow(*store, indexes, query, context));
  const std::vector<Entry> entries = EntriesOf(*store, *tree, scope, counted, *sums);
  int64_t whole = 0;
  for (const Entry& entry : entries) {
    if (entry.Time() != kNoInt) whole = SaturatingAdd(whole, entry.Time());
  }

  Report report = StartReport("ls", store, *accounts, query);
  Table& table = report.tables.emplace_back();
  table.name = "ls";
  table.rows = entries.size();
  table.ordered_by = "micros";
  Texts(table, "name", "name", "Full name; a scope has a slash behind it.", entries,
        [&](const Entry& e) { return report.pool->Keep(e.name); })
      .spec.folds = Folds::names;
  Texts(table, "type", "type", "Operation type of a node; absent of a scope.", entries,
        [](const Entry& e) { return e.type; })
      .spec.folds = Folds::same;
  Numbers(table, "micros", "time", TimeUnit(*store), SpanIn(*store) + ": of all nodes in it.",
          entries, [](const Entry& e) { return e.Time(); })
      .spec.folds = Folds::sum;
  Reals(table, "share", "share", Unit::fraction, "Of the time of the listed scope.", entries,
        [&](const Entry& e) { return Share(e, whole); })
      .spec.folds = Folds::sum;
  Numbers(table, "nodes", "nodes", Unit::count, "Graph nodes that count.", entries,
          [](const Entry& e) { return int64_t{e.sum.nodes}; })
      .spec.folds = Folds::sum;
  return report;
}

}  // namespace tfprof
