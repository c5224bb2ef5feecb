// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include "analysis/nodes/accounting.h"
#include "analysis/nodes/scope_tree.h"
#include "views/classic/icicle.h"
#include "views/classic/node_tables.h"
#include "views/columns/measure_rows.h"

namespace tfprof {
namespace {

constexpr std::string_view kSyntheticType = "_kTFScopeParent";

// By row. Empty: every row but the root is accounted.
Result<Column<uint8_t>> Accounted(const Store& store, const ScopeTree& tree,
                                  const NodeAccounts& accounts, const Query& query,
                                  Context& context) {
  Column<uint8_t> accounted;
  if (CountsAll(query.nodes, query.place)) return accounted;
  TFPROF_ASSIGN(const Column<uint8_t> counts, CountAny(store, accounts, query.nodes, context));
  // A synthetic parent ran nowhere, and its name is part of its descendants' names.
  const bool is_synthetic = query.nodes.account_type_regexes.Matches(kSyntheticType) &&
                            !query.place.FiltersPlaces() && !query.nodes.FiltersNames();
  accounted.Extend(tree.node.size());
  for (size_t row = 0; row < tree.node.size(); ++row) {
    const NodeId node = tree.node[row];
    accounted[row] = node.some() ? counts[node.value] : is_synthetic;
  }
  return accounted;
}

// Unfiltered totals are cached. With filters, totals are computed only to the maximum shown depth;
// a search for a start row needs all depths.
Result<IndexPtr<TreeTotals>> Totals(const NamedTree& named, const OwnValues& own,
                                    std::span<const uint8_t> accounted, const Indexes& indexes,
                                    const Query& query, Context& context) {
  if (accounted.empty() && query.place.last_step < 0) {
    return indexes.Get<ScopeTotals>(query.place, context);
  }
  // The original's rule: a scope that does not count adds its self values if something in it
  // counts. Rows excluded by name or place add nothing.
  const bool splices = query.nodes.FiltersNames() || query.place.FiltersPlaces();
  const bool whole = splices || !query.tree.start_name_regexes.MatchesAll();
  Result<TreeTotals> totals = whole
                                  ? SumTree(named, own, accounted, splices, context)
                                  : SumTreeTo(query.tree.max_depth, named, own, accounted, context);
  if (!totals) return tl::unexpected(std::move(totals.error()));
  return std::make_shared<const TreeTotals>(std::move(*totals));
}

void AddNames(Table& table, const ShownRows& shown, const NamedTree& named, const ScopeTree& tree) {
  ReportColumn& name = AddColumn(table, "name");
  name.texts.reserve(table.rows);
  table.node.reserve(table.rows);
  for (const uint32_t row : shown.row) {
    name.texts.push_back(named.Name(row));
    table.node.push_back(tree.node[row]);
  }
}

// Starts the rows at the scope that -under names.
Query FromScope(const Query& user_query) {
  Query query = user_query;
  if (!query.nodes.under.empty() && query.tree.start_name_regexes.MatchesAll()) {
    query.tree.start_name_regexes = PatternList({"\\Q" + query.nodes.under + "\\E"});
    // The row of the scope repeats the root: depths count from it.
    const bool limited = query.tree.max_depth < TreeFilter::kAnyDepth;
    if (query.place.exact && limited) ++query.tree.max_depth;
  }
  return query;
}

}  // namespace

Result<Report> Scope(const StorePtr& store, const Indexes& indexes, const Query& user_query,
                     Context& context) {
  const Query query = FromScope(user_query);
  TFPROF_ASSIGN(const IndexPtr<NodeAccounts> accounts,
                indexes.Get<NodeAccounts>(query.place, context));
  TFPROF_ASSIGN(const IndexPtr<NodeSums> sums, indexes.Get<NodeSums>(query.place, context));
  TFPROF_ASSIGN(const IndexPtr<ScopeTree> tree, indexes.Get<ScopeTree>(context));
  TFPROF_ASSIGN(const Column<uint8_t> counts, Accounted(*store, *tree, *accounts, query, context));
  const std::span<const uint8_t> accounted(counts.data(), counts.size());
  const ScopeNames names{store.get(), tree.get()};
  const NamedTree named = Named(names);
  const OwnValues own = OwnValuesOf(*sums, tree->node, query.place.exact);
  TFPROF_ASSIGN(const IndexPtr<TreeTotals> totals,
                Totals(named, own, accounted, indexes, query, context));
  TFPROF_ASSIGN(ShownRows shown, WalkTree(named, own, *totals, accounted, {}, query, {}, context));
  Report report = StartReport("scope", store, *accounts, query.place);
  AddNotesOf(*sums, &report);
  report.node_facts = FactsOf(accounts, sums);
  Table& table = report.tables.emplace_back(MakeTable(ScopeTableDef(), shown.row.size()));
  AddNames(table, shown, named, *tree);
  TFPROF_TRY(Poll(context));
  FillTree(table, &shown, own, accounted);
  TFPROF_TRY(AddNodeColumns(report, table, *accounts, query.display, kSyntheticType, context));
  report.trace_export = IcicleExport();
  AddTotals(report, table.total_values[0]);
  return report;
}

}  // namespace tfprof
