// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>

#include "analysis/nodes/accounting.h"
#include "analysis/nodes/op_groups.h"
#include "analysis/nodes/scope_tree.h"
#include "core/base/any_case.h"
#include "core/store/store.h"
#include "views/columns/fill_columns.h"
#include "views/columns/group_sums.h"
#include "views/columns/measure_rows.h"
#include "views/subject.h"

namespace tfprof {
namespace {

constexpr ColumnDef kFindColumns[] = {
    TextDef("name", "name", "Full name.").Folded(Folds::names),
    TextDef("kind", "kind", "Operation type, scope or node.").Folded(Folds::same),
    IntegerDef("time_us", "time", Unit::us,
               "Sum over its nodes: per step; for a trace, over the whole trace.")
        .Was("micros")
        .Folded(Folds::sum),
    CountDef("nodes", "nodes", "Counted graph nodes.").Folded(Folds::sum),
};
constexpr TableDef kFindTable{"find", "", kFindColumns};

struct FoundRow {
  NamedEntity::Kind kind = NamedEntity::node;
  std::string_view name;
  GroupSum sum;
};

struct Search {
  const std::string& text;
  const NodeCosts& costs;
  std::vector<FoundRow> rows = {};

  void Add(NamedEntity::Kind kind, std::string_view name, std::span<const NodeId> nodes) {
    const FoundRow row{kind, name, costs.Of(nodes)};
    if (row.sum.nodes > 0) rows.push_back(row);
  }
};

void FindTypes(const Store& store, const OpGroups& groups, Search* search) {
  for (uint32_t i = 0; i < groups.type.size(); ++i) {
    const std::string_view type = store.Text(groups.type[i]);
    if (!ContainsAnyCase(type, search->text)) continue;
    search->Add(NamedEntity::op, type, NodesOfType(groups, i));
  }
}

// Search scopes whose own name part contains the text; a found scope represents everything in it.
Result<void> FindScopes(const Store& store, const ScopeTree& tree, Search* search,
                        Context& context) {
  const ScopeNames names{&store, &tree};
  const NamedTree named = Named(names);
  for (uint32_t row = 1, looked = 0; row < tree.end.size(); ++looked) {
    if (looked % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    // Rows below a match are skipped, so no parent of this row matches.
    if (!ContainsAnyCase(EndOfName(names, row, search->text.size()), search->text)) {
      ++row;
      continue;
    }
    const std::vector<NodeId> nodes = NodesIn(tree, row);
    const bool leaf = tree.end[row] == row + 1;
    search->Add(leaf ? NamedEntity::node : NamedEntity::scope, named.Name(row), nodes);
    row = tree.end[row];
  }
  return {};
}

}  // namespace

// A node is not listed again if its scope is.
Result<Report> Find(const StorePtr& store, const Indexes& indexes, const Query& query,
                    Context& context) {
  TFPROF_ASSIGN(const NodeCosts costs, CostsOf(*store, indexes, query, context));
  TFPROF_ASSIGN(const auto groups, indexes.Get<OpGroups>(context));
  TFPROF_ASSIGN(const auto tree, indexes.Get<ScopeTree>(context));
  Search search{query.subject, costs};
  FindTypes(*store, *groups, &search);
  TFPROF_TRY(FindScopes(*store, *tree, &search, context));
  std::ranges::stable_sort(search.rows, CostsMore, &FoundRow::sum);

  Report report = StartReport("find", store, *costs.accounts, query.place);
  Table& table = report.tables.emplace_back(MakeTable(kFindTable, search.rows.size()));
  table.ordered_by = "time_us";
  Fill(table, "name", search.rows, [](const FoundRow& r) { return r.name; });
  Fill(table, "kind", search.rows, [](const FoundRow& r) { return KindName(r.kind); });
  SetScale(report.scale, Measure::micros,
           &Fill(table, "time_us", search.rows, [](const FoundRow& r) { return TimeOf(r.sum); }));
  Fill(table, "nodes", search.rows, [](const FoundRow& r) { return int64_t{r.sum.nodes}; });
  return report;
}

TableDefs FindTables() { return {&kFindTable}; }

}  // namespace tfprof
