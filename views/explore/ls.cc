// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>

#include "analysis/nodes/accounting.h"
#include "analysis/nodes/scope_tree.h"
#include "core/base/arith.h"
#include "core/base/sorting.h"
#include "core/store/store.h"
#include "views/columns/fill_columns.h"
#include "views/columns/group_sums.h"
#include "views/columns/measure_rows.h"
#include "views/subject.h"

namespace tfprof {
namespace {

constexpr ColumnDef kLsColumns[] = {
    TextDef("name", "name", "Full name; names of scopes end with a slash.").Folded(Folds::names),
    TextDef("type", "type", "Operation type of a node; absent for a scope.").Folded(Folds::same),
    IntegerDef("time_us", "time", Unit::us,
               "Sum over its nodes: per step; for a trace, over the whole trace.")
        .Was("micros")
        .Folded(Folds::sum),
    ShareDef("share_pct", "share", "Share of the time of the listed scope.")
        .Was("share")
        .Folded(Folds::sum),
    CountDef("nodes", "nodes", "Counted graph nodes.").Folded(Folds::sum),
};
constexpr TableDef kLsTable{"ls", "", kLsColumns};

struct Entry {
  uint32_t row = 0;    // row of the tree
  uint32_t nodes = 0;  // counting nodes in it
  int64_t time = 0;    // kNoInt: not measured
};

// Returns the row of the listed scope; 0: the whole profile.
Result<uint32_t> ScopeRow(const Store& store, const Indexes& indexes, const Query& query,
                          Context& context) {
  const std::string& name = query.subject.empty() ? query.nodes.under : query.subject;
  if (name.empty() || name == "/") return 0;
  const std::string under = query.subject.empty() ? "" : query.nodes.under;
  TFPROF_ASSIGN(const NamedEntity entity, FindEntity(store, indexes, name, under, context));
  if (entity.kind == NamedEntity::scope) return entity.scope_row;
  return Fail(ErrorKind::usage,
              "'" + entity.name + "' is " + KindWithArticle(entity.kind) + ", not a scope", {},
              "peek " + name);
}

// Returns entries by time, descending.
Result<std::vector<Entry>> EntriesOf(const ScopeTree& tree, uint32_t scope, const NodeCosts& costs,
                                     Context& context) {
  std::vector<Entry> entries;
  for (uint32_t row = scope + 1, looked = 0; row < tree.end[scope]; row = tree.end[row]) {
    if (looked++ % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const GroupSum sum = costs.Of(NodesIn(tree, row));
    if (sum.nodes > 0) entries.push_back({row, sum.nodes, TimeOf(sum)});
  }
  StableSort(entries, [](const Entry& a, const Entry& b) {
    return std::max<int64_t>(a.time, -1) > std::max<int64_t>(b.time, -1);
  });
  return entries;
}

}  // namespace

Result<Report> ListScope(const StorePtr& store, const Indexes& indexes, const Query& query,
                         Context& context) {
  TFPROF_ASSIGN(const NodeCosts costs, CostsOf(*store, indexes, query, context));
  TFPROF_ASSIGN(const auto tree, indexes.Get<ScopeTree>(context));
  TFPROF_ASSIGN(const uint32_t scope, ScopeRow(*store, indexes, query, context));
  TFPROF_ASSIGN(const auto entries, EntriesOf(*tree, scope, costs, context));
  int64_t total = 0;
  for (const Entry& entry : entries) {
    if (entry.time != kNoInt) total = SaturatingAdd(total, entry.time);
  }

  const ScopeNames names{store.get(), tree.get()};
  const NamedTree named = Named(names);
  const auto is_leaf = [&](const Entry& e) { return tree->end[e.row] == e.row + 1; };
  Report report = StartReport("ls", store, *costs.accounts, query.place);
  Table& table = report.tables.emplace_back(MakeTable(kLsTable, entries.size()));
  table.ordered_by = "time_us";
  Fill(table, "name", entries, [&](const Entry& e) {
    const std::string_view name = named.Name(e.row);
    return is_leaf(e) ? name : report.pool->Keep(std::string(name) + "/");
  });
  Fill(table, "type", entries, [&](const Entry& e) {
    const NodeId node = is_leaf(e) ? tree->node[e.row] : NodeId();
    return node.some() ? store->Text(store->nodes[node.value].type) : std::string_view();
  });
  SetScale(report.scale, Measure::micros,
           &Fill(table, "time_us", entries, [](const Entry& e) { return e.time; }));
  Fill(table, "share_pct", entries, [&](const Entry& e) { return Quotient(e.time, total); });
  Fill(table, "nodes", entries, [](const Entry& e) { return int64_t{e.nodes}; });
  return report;
}

TableDefs ListScopeTables() { return {&kLsTable}; }

}  // namespace tfprof
