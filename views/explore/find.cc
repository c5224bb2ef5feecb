// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "analysis/nodes/accounting.h"
#include "analysis/nodes/code_tree.h"
#include "analysis/nodes/op_groups.h"
#include "analysis/nodes/scope_tree.h"
#include "core/base/ascii.h"
#include "core/base/sorting.h"
#include "core/store/store.h"
#include "views/columns/fill_columns.h"
#include "views/columns/group_sums.h"
#include "views/columns/measure_rows.h"
#include "views/explore/host_calls.h"
#include "views/on_nodes.h"
#include "views/source_lines.h"
#include "views/subject.h"

namespace tfprof {
namespace {

constexpr ColumnDef kFindColumns[] = {
    TextDef("name", "name", "Full name.").Folded(Folds::names),
    TextDef("kind", "kind", "Operation type, scope, node or source line.").Folded(Folds::same),
    IntegerDef("time_us", "time", Unit::us,
               "Sum over its nodes: per step; for a trace, over the whole trace.")
        .Was("micros")
        .Folded(Folds::sum),
    CountDef("nodes", "nodes", "Counted graph nodes.").Folded(Folds::sum),
    ListDef("op_types", "operations",
            "The five most expensive operation types of a source line and what it calls.")
        .Droppable()
        .Folded(Folds::any),
    IntegerDef("source_line", "line", Unit::none, "Number of a source line.")
        .ForMachines()
        .Folded(Folds::same),  // lines are not alike
};
constexpr TableDef kFindTable{"find", "", kFindColumns};
constexpr size_t kOperationsShown = 5;

struct FoundRow {
  NamedEntity::Kind kind = NamedEntity::node;
  std::string_view name;
  GroupSum sum;
  int64_t line = kNoInt;                          // the number of a source line, and
  std::vector<std::string_view> operations = {};  // its most expensive types
  std::string_view host_kind = {};                // of calls on the threads of hosts
};

struct Search {
  const std::string& text;
  const NodeCosts& costs;
  std::vector<FoundRow> rows = {};

  void Add(NamedEntity::Kind kind, std::string_view name, std::span<const NodeId> nodes) {
    FoundRow row{kind, name, costs.Of(nodes)};
    if (row.sum.nodes > 0) rows.push_back(std::move(row));
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

// Searches the stacks of the nodes. An operation of a trace may be called from several lines, whose
// parts are separate nodes.
Result<void> AddLines(const StorePtr& store, const Indexes& indexes, const Query& query,
                      TextPool* pool, std::vector<FoundRow>* rows, Context& context) {
  TFPROF_ASSIGN(const NodesQuery nodes,
                NodesOf(store, indexes, query, NodeGranularity::one_per_stack, context));
  if (!nodes.store->has_code_traces) return {};
  TFPROF_ASSIGN(const NodeCosts costs, CostsOf(*nodes.store, *nodes.indexes, nodes.query, context));
  TFPROF_ASSIGN(const auto tree, nodes.indexes->Get<CodeTree>(CodeFrames::own, context));
  TFPROF_ASSIGN(auto lines, FindLines(*tree, query.subject, context));
  for (FoundLine& line : lines) {
    FoundRow row{NamedEntity::line, pool->Keep(std::move(line.name)), costs.Of(line.nodes)};
    if (row.sum.nodes == 0) continue;
    row.line = line.line;
    for (const TypeSum& type : TypesOfNodes(*nodes.store, costs, line.nodes)) {
      if (row.operations.size() == kOperationsShown) break;
      row.operations.push_back(pool->Keep(std::string(type.type)));
    }
    rows->push_back(std::move(row));
  }
  return {};
}

// Adds functions of Python and regions of a trace.
Result<void> AddHostCalls(const Store& store, const Query& query, const MeasureScale& scale,
                          TextPool* pool, std::vector<FoundRow>* rows, Context& context) {
  TFPROF_ASSIGN(const auto found, HostCallsNamed(store, query.subject, context));
  for (const HostCalls& calls : found) {
    FoundRow row{NamedEntity::node, pool->Keep(calls.name)};
    row.host_kind = calls.Kind();
    row.sum.present = kHasTime;
    At(row.sum.values, Measure::micros) = calls.ps / (kPsPerUs / scale.TimesPerUs());
    rows->push_back(std::move(row));
  }
  return {};
}

void AddTable(const std::vector<FoundRow>& rows, Report* report) {
  Table& table = report->tables.emplace_back(MakeTable(kFindTable, rows.size()));
  table.ordered_by = "time_us";
  Fill(table, "name", rows, [](const FoundRow& r) { return r.name; });
  Fill(table, "kind", rows,
       [](const FoundRow& r) { return r.host_kind.empty() ? KindName(r.kind) : r.host_kind; });
  SetScale(report->scale, Measure::micros,
           &Fill(table, "time_us", rows, [](const FoundRow& r) { return TimeOf(r.sum); }));
  Fill(table, "nodes", rows,
       [](const FoundRow& r) { return r.host_kind.empty() ? int64_t{r.sum.nodes} : kNoInt; });
  const bool has_lines =
      std::ranges::any_of(rows, [](const FoundRow& r) { return r.kind == NamedEntity::line; });
  if (!has_lines) return;
  ReportColumn& operations = AddColumn(table, "op_types");
  for (const FoundRow& row : rows) operations.lists.push_back(row.operations);
  Fill(table, "source_line", rows, [](const FoundRow& r) { return r.line; });
}

}  // namespace

// A node is not listed again if its scope is.
Result<Report> Find(const StorePtr& whole, const Indexes& whole_indexes, const Query& asked,
                    Context& context) {
  TFPROF_ASSIGN(const NodesQuery nodes,
                NodesOf(whole, whole_indexes, asked, NodeGranularity::one_per_name, context));
  const StorePtr& store = nodes.store;
  const Indexes& indexes = *nodes.indexes;
  const Query& query = nodes.query;
  TFPROF_ASSIGN(const NodeCosts costs, CostsOf(*store, indexes, query, context));
  TFPROF_ASSIGN(const auto groups, indexes.Get<OpGroups>(context));
  TFPROF_ASSIGN(const auto tree, indexes.Get<ScopeTree>(context));
  Search search{query.subject, costs};
  FindTypes(*store, *groups, &search);
  TFPROF_TRY(FindScopes(*store, *tree, &search, context));
  Report report = StartReport("find", store, *costs.accounts, query.place);
  TFPROF_TRY(AddLines(whole, whole_indexes, asked, report.pool.get(), &search.rows, context));
  const bool of_all = !asked.place.FiltersPlaces() && !asked.place.SelectsSteps();
  if (of_all) {
    TFPROF_TRY(AddHostCalls(*whole, asked, report.scale, report.pool.get(), &search.rows, context));
  }
  StableSort(search.rows, CostsMore, &FoundRow::sum);
  AddTable(search.rows, &report);
  AddSteps(nodes, asked, &report);
  return report;
}

TableDefs FindTables() { return {&kFindTable}; }

}  // namespace tfprof
