// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include "analysis/nodes/accounting.h"
#include "analysis/nodes/graph_forest.h"
#include "core/store/note_catalogue.h"
#include "views/classic/graph_export.h"
#include "views/classic/node_tables.h"
#include "views/columns/measure_rows.h"

namespace tfprof {
namespace {

constexpr std::string_view kGraphRootType = "_TFGraphParent";
constexpr WalkRules kRules = {.splice_unaccounted = true, .code_view = false};

// By node. Empty: every node counts.
Result<Column<uint8_t>> NodesThatCount(const Store& store, const NodeAccounts& accounts,
                                       const Query& query, Context& context) {
  if (CountsAll(query.nodes, query.place)) return Column<uint8_t>();
  return CountAny(store, accounts, query.nodes, context);
}

// By row. Empty: every row but the root is accounted.
Column<uint8_t> Accounted(const GraphForest& forest, const Column<uint8_t>& counts) {
  Column<uint8_t> accounted;
  if (counts.empty()) return accounted;
  accounted.Resize(forest.node.size());
  for (size_t row = 1; row < forest.node.size(); ++row) {
    accounted[row] = counts[forest.node[row].value];
  }
  return accounted;
}

void AddNames(Table& table, const ShownRows& shown, const NamedTree& named,
              const GraphForest& forest) {
  ReportColumn& name = AddColumn(table, "name");
  name.texts.reserve(table.rows);
  table.node.reserve(table.rows);
  for (const uint32_t row : shown.row) {
    name.texts.push_back(named.Name(row));
    table.node.push_back(forest.node[row]);
  }
}

void AddOperands(const Store& store, Table& table) {
  ReportColumn& operands = AddColumn(table, "operands");
  for (const NodeId node : table.node) {
    std::vector<std::string_view>& names = operands.lists.emplace_back();
    if (!node.some()) continue;
    for (const Edge& edge : store.Inputs(store.nodes[node.value])) {
      if (edge.producer.some()) names.push_back(store.Text(store.nodes[edge.producer.value].name));
    }
  }
}

}  // namespace

// The children of a node are the producers of its inputs, each under the first path to it.
Result<Report> Graph(const StorePtr& store, const Indexes& indexes, const Query& query,
                     Context& context) {
  TFPROF_ASSIGN(const IndexPtr<NodeAccounts> accounts,
                indexes.Get<NodeAccounts>(query.place, context));
  TFPROF_ASSIGN(const IndexPtr<NodeSums> sums, indexes.Get<NodeSums>(query.place, context));
  TFPROF_ASSIGN(const IndexPtr<GraphForest> forest, indexes.Get<GraphForest>(context));
  TFPROF_ASSIGN(Column<uint8_t> counts, NodesThatCount(*store, *accounts, query, context));
  const Column<uint8_t> rows_that_count = Accounted(*forest, counts);
  const std::span<const uint8_t> accounted(rows_that_count.data(), rows_that_count.size());
  const GraphNames names{store.get(), forest.get()};
  const NamedTree named = Named(names);
  const OwnValues own = OwnValuesOf(*sums, forest->node, query.place.exact);
  TFPROF_ASSIGN(const TreeTotals totals,
                SumTree(named, own, accounted, kRules.splice_unaccounted, context));
  TFPROF_ASSIGN(ShownRows shown,
                WalkTree(named, own, totals, accounted, kRules, query, {}, context));
  Report report = StartReport("graph", store, *accounts, query.place);
  AddNotesOf(*sums, &report);
  report.node_facts = FactsOf(accounts, sums);
  if (forest->unreached > 0) {
    report.notes.push_back(
        {note::unconsumed_cycles, static_cast<int64_t>(forest->unreached), "", kNoInt});
  }
  Table& table = report.tables.emplace_back(MakeTable(GraphTableDef(), shown.row.size()));
  AddNames(table, shown, named, *forest);
  FillTree(table, &shown, own, accounted);
  TFPROF_TRY(AddNodeColumns(report, table, *accounts, query.display, kGraphRootType, context));
  if (!query.display.original_ids) AddOperands(*store, table);
  AddTotals(report, table.total_values[0]);
  IndexPtr<StepMemory> memory;
  if (query.place.step >= 0) {
    TFPROF_ASSIGN(memory, indexes.Get<StepMemory>(context));
  }
  report.trace_export =
      ExportOf({store, accounts, std::move(counts), query.place.step, std::move(memory)});
  return report;
}

}  // namespace tfprof
