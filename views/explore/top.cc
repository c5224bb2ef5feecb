// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>

#include "analysis/nodes/accounting.h"
#include "analysis/nodes/op_groups.h"
#include "core/base/arith.h"
#include "core/base/sorting.h"
#include "core/store/store.h"
#include "views/columns/fill_columns.h"
#include "views/columns/group_sums.h"
#include "views/columns/measure_rows.h"
#include "views/columns/percentiles.h"
#include "views/columns/step_sums.h"
#include "views/subject.h"

namespace tfprof {
namespace {

constexpr ColumnDef kTopColumns[] = {
    TextDef("name", "operation", "Operation type."),
    IntegerDef("time_us", "time", Unit::us,
               "Sum over all devices, as in `op`: per step; for a trace, over the whole trace.")
        .Was("micros"),
    ShareDef("share_pct", "share", "Share of the time of all types.").Was("share"),
    ShareDef("cumulative_pct", "cum %", "Share of this row and all rows above it.")
        .Was("running_share"),
    CountDef("nodes", "nodes", "Graph nodes of the type that ran.").ForMachines(),
    CountDef("runs", "runs", "Executions per step; for a trace, over the whole trace."),
    RealDef("mean_us", "per run", Unit::us, "Time divided by runs.").Was("micros_per_run"),
    kNodePercentiles[0],
    kNodePercentiles[1],
    TimeDef("step_min_us", "step min", "Time in its fastest step.").Was("step_least"),
    TimeDef("step_median_us", "median", "Median over the steps.").Was("step_median"),
    TimeDef("step_max_us", "max", "Time in its slowest step.").Was("step_most"),
};
constexpr TableDef kTopTable{"top", "", kTopColumns};

struct TopRow {
  uint32_t group = 0;
  GroupSum sum;
  StepSpread steps;
  int64_t running = 0;  // sum of its time and that of the rows above

  int64_t Time() const { return TimeOf(sum); }
  int64_t Runs() const { return RunsOf(sum); }
};

std::vector<TopRow> RowsOf(const OpGroups& groups, const NodeCosts& costs) {
  std::vector<TopRow> rows;
  for (uint32_t i = 0; i < groups.type.size(); ++i) {
    TopRow row{i, costs.Of(NodesOfType(groups, i)), {}};
    if (row.sum.nodes > 0) rows.push_back(row);
  }
  StableSort(rows, CostsMore, &TopRow::sum);
  int64_t running = 0;
  for (TopRow& row : rows) {
    if (row.Time() != kNoInt) running = SaturatingAdd(running, row.Time());
    row.running = running;
  }
  return rows;
}

Result<void> AddSpreads(const Store& store, const NodeCosts& costs, const OpGroups& groups,
                        const PlaceFilter& place, std::vector<TopRow>* rows, Context& context) {
  std::vector<uint32_t> row_of_node(store.nodes.size(), kNoGroup);
  for (uint32_t i = 0; i < rows->size(); ++i) {
    for (const NodeId node : NodesOfType(groups, (*rows)[i].group)) {
      if (costs.counted.Of(node) != 0) row_of_node[node.value] = i;
    }
  }
  TFPROF_ASSIGN(const StepSums sums,
                SumBySteps(store, *costs.accounts, row_of_node, rows->size(), place, context));
  for (size_t i = 0; i < rows->size(); ++i) (*rows)[i].steps = SpreadOf(sums, i);
  return {};
}

void AddTimes(const MeasureScale& scale, const std::vector<TopRow>& rows, Table* table) {
  const int64_t total = rows.empty() ? 0 : rows.back().running;
  SetScale(scale, Measure::micros,
           &Fill(*table, "time_us", rows, [](const TopRow& r) { return r.Time(); }));
  Fill(*table, "share_pct", rows,
       [&](const TopRow& r) { return Quotient(r.Time(), total == 0 ? kNoInt : total); });
  Fill(*table, "cumulative_pct", rows,
       [&](const TopRow& r) { return Quotient(r.Time() == kNoInt ? kNoInt : r.running, total); });
  Fill(*table, "nodes", rows, [&](const TopRow& r) {
    return scale.exact ? At(r.sum.values, Measure::node_count) : int64_t{r.sum.nodes};
  });
  SetScale(scale, Measure::run_count,
           &Fill(*table, "runs", rows, [](const TopRow& r) { return r.Runs(); }));
  Fill(*table, "mean_us", rows, [&](const TopRow& r) {
    return Quotient(r.Time(), r.Runs()) / static_cast<double>(scale.TimesPerUs());
  });
}

void AddSteps(const std::vector<TopRow>& rows, Table* table) {
  Fill(*table, "step_min_us", rows, [](const TopRow& r) { return r.steps.min_ps; });
  Fill(*table, "step_median_us", rows, [](const TopRow& r) { return r.steps.median_ps; });
  Fill(*table, "step_max_us", rows, [](const TopRow& r) { return r.steps.max_ps; });
}

}  // namespace

// `time_us` and `runs` are those of the op view, the mean over the steps. min, median and max are
// over sums of the type in single steps.
Result<Report> Top(const StorePtr& store, const Indexes& indexes, const Query& query,
                   Context& context) {
  TFPROF_ASSIGN(const NodeCosts costs, CostsOf(*store, indexes, query, context));
  TFPROF_ASSIGN(const auto groups, indexes.Get<OpGroups>(context));
  std::vector<TopRow> rows = RowsOf(*groups, costs);
  TFPROF_TRY(AddSpreads(*store, costs, *groups, query.place, &rows, context));

  Report report = StartReport("top", store, *costs.accounts, query.place);
  Table& table = report.tables.emplace_back(MakeTable(kTopTable, rows.size()));
  Fill(table, "name", rows, [&](const TopRow& r) { return store->Text(groups->type[r.group]); });
  for (const TopRow& row : rows) {
    AddMembers(NodesOfType(*groups, row.group), costs.counted, table);
  }
  AddTimes(report.scale, rows, &table);
  AddSteps(rows, &table);
  return report;
}

TableDefs TopTables() { return {&kTopTable}; }

}  // namespace tfprof
