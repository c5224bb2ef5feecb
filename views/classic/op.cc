// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>
#include <optional>

#include "analysis/nodes/accounting.h"
#include "analysis/nodes/op_groups.h"
#include "analysis/nodes/tree_totals.h"
#include "core/base/sorting.h"
#include "core/query/query.h"
#include "core/store/store.h"
#include "views/classic/node_tables.h"
#include "views/classic/op_input_shapes.h"
#include "views/columns/group_sums.h"
#include "views/columns/measure_rows.h"
#include "views/subject.h"

namespace tfprof {
namespace {

struct OpRow {
  uint32_t group = 0;
  GroupSum own;
  // Sum of the row and all rows below it.
  MeasureValues remainder{};
  uint8_t present = 0;
};

struct Total {
  MeasureValues values{};
  uint8_t present = 0;
};

// Returns the accounted rows, ordered by name.
Result<std::vector<OpRow>> AccountedRows(const OpGroups& groups, const NodeCosts& costs,
                                         Context& context) {
  std::vector<OpRow> rows;
  for (uint32_t group = 0; group < groups.type.size(); ++group) {
    if (group % kCostlyRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    OpRow row{group, costs.Of(NodesOfType(groups, group))};
    if (row.own.nodes > 0) rows.push_back(row);
  }
  return rows;
}

Result<void> Order(OrderBy order_by, std::vector<OpRow>* rows, Context& context) {
  const std::optional<Measure> by = MeasureOf(order_by);
  if (!by) return {};  // groups are already ordered by name
  const auto before = [measure = *by](const OpRow& a, const OpRow& b) {
    return At(a.own.values, measure) > At(b.own.values, measure);
  };
  return PolledSort(std::span(*rows), before, context);
}

// Fills the remainders from the last row up and returns the sum of all rows.
Total Accumulate(std::span<OpRow> rows) {
  Total sum;
  for (size_t row = rows.size(); row-- > 0;) {
    AddValues(rows[row].own.values, &sum.values);
    sum.present |= rows[row].own.present;
    rows[row].remainder = sum.values;
    rows[row].present = sum.present;
  }
  return sum;
}

// The thresholds of the original test the sum of a row and all rows below it.
bool ReachesThresholds(const OpRow& row, bool exact, const TreeFilter& tree) {
  const MeasureValues& rest = exact ? row.own.values : row.remainder;
  return At(rest, Measure::bytes) >= tree.min_bytes &&
         At(rest, Measure::peak_bytes) >= tree.min_peak_bytes &&
         At(rest, Measure::residual_bytes) >= tree.min_residual_bytes &&
         At(rest, Measure::output_bytes) >= tree.min_output_bytes &&
         At(rest, Measure::micros) >= tree.min_micros &&
         At(rest, Measure::accelerator_micros) >= tree.min_accelerator_micros &&
         At(rest, Measure::cpu_micros) >= tree.min_cpu_micros &&
         At(rest, Measure::params) >= tree.min_params &&
         At(rest, Measure::float_ops) >= tree.min_float_ops &&
         // The original compares as unsigned: a negative threshold hides everything.
         (tree.min_occurrence == kNoInt ||
          (exact ? At(rest, Measure::run_count) >= tree.min_occurrence
                 : row.own.nodes >= static_cast<uint64_t>(tree.min_occurrence)));
}

bool Shows(std::string_view name, const OpRow& row, bool exact, const TreeFilter& tree) {
  return ReachesThresholds(row, exact, tree) && tree.show_name_regexes.Matches(name) &&
         !tree.hide_name_regexes.Matches(name);
}

// Applies start, trim, depth, thresholds, show and hide.
Result<std::vector<OpRow>> ShownOps(const Store& store, const OpGroups& groups,
                                    const std::vector<OpRow>& rows, const Query& query,
                                    Context& context) {
  const TreeFilter& tree = query.tree;
  const auto name = [&](const OpRow& row) { return store.Text(groups.type[row.group]); };
  size_t start = 0;
  for (; start < rows.size() && !tree.start_name_regexes.Matches(name(rows[start])); ++start) {
    if (start % kCostlyRowsPerPoll == 0) TFPROF_TRY(Poll(context));
  }
  std::vector<OpRow> shown;
  for (size_t i = start; i < rows.size(); ++i) {
    if (i % kCostlyRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    if (tree.trim_name_regexes.Matches(name(rows[i]))) break;
    if (static_cast<int64_t>(i - start) > tree.max_depth) break;
    if (Shows(name(rows[i]), rows[i], query.place.exact, tree)) shown.push_back(rows[i]);
  }
  return shown;
}

// The inclusive time of a row adds what its calls contain; all other totals of a list are its
// values.
MeasureValues TotalsOf(const OpRow& row, std::span<const NodeId> nodes, const NodeCosts& costs) {
  MeasureValues totals = MarkAbsent(row.own.values, row.own.present);
  int64_t& time = At(totals, Measure::micros);
  for (const NodeId node : nodes) {
    if (time == kNoInt || costs.sums->contained.empty() || costs.counted.Of(node) == 0) continue;
    time = SaturatingAdd(time, costs.sums->ContainedPs(node));
  }
  return totals;
}

Result<void> FillRows(const Store& store, const OpGroups& groups, const std::vector<OpRow>& rows,
                      const NodeCosts& costs, Table& table, Context& context) {
  table.rows = rows.size();
  ReportColumn& name = AddColumn(table, "name");
  table.first_member.push_back(0);
  for (const OpRow& row : rows) {
    if (name.texts.size() % kCostlyRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    name.texts.push_back(store.Text(groups.type[row.group]));
    table.self_values.Push(MarkAbsent(row.own.values, row.own.present));
    const std::span<const NodeId> nodes = NodesOfType(groups, row.group);
    table.total_values.Push(TotalsOf(row, nodes, costs));
    AddMembers(nodes, costs.counted, table);
  }
  return {};
}

void AddAccounted(Table& table, int64_t accounted) {
  ReportColumn& column = AddColumn(table, "accounted");
  column.spec.shown = false;
  column.integers.assign(table.rows, accounted);
}

void AddRemainder(const Report& report, Table& table, const std::vector<OpRow>& rows,
                  Measure measure, bool shown) {
  const std::string id = OriginalId(measure, ColumnRole::remainder);
  if (table.Find(id) != nullptr) return;
  ReportColumn& column = AddColumn(table, id);
  SetScale(report.scale, measure, &column);
  column.spec.role = ColumnRole::remainder;
  column.spec.shown = shown;
  for (const OpRow& row : rows) {
    column.integers.push_back(At(MarkAbsent(row.remainder, row.present), measure));
  }
}

bool Accumulates(Measure measure) { return measure < Measure::run_count; }

void AddOpColumns(Report& report, Table& table, const NodeAccounts& accounts,
                  const Display& display, const std::vector<OpRow>& rows) {
  for (const Attribute attribute : display.select) {
    AddMeasureColumns(report, table, attribute, true);
    for (const MeasureInfo& info : MeasuresOf(attribute)) {
      if (Accumulates(info.measure)) AddRemainder(report, table, rows, info.measure, true);
    }
    if (attribute == Attribute::device) AddDeviceColumn(report, table, accounts);
    if (attribute == Attribute::op_types) AddTypesColumn(report, table, accounts);
  }
  AddBothTimes(report, display, table);
  AddHiddenMeasures(report, table);
  for (const MeasureInfo& info : AllMeasures()) {
    if (Accumulates(info.measure)) AddRemainder(report, table, rows, info.measure, false);
  }
}

// Makes the answer of a profile without nodes.
void FillRoot(Table& table) {
  table.rows = 1;
  table.synthetic_root = true;
  AddColumn(table, "name").texts.push_back(kRootName);
  table.self_values.Push(MarkAbsent({}, 0));
  table.total_values.Push(table.self_values.back());
  table.first_member = {0, 0};
}

}  // namespace

// `classic_remainder_<measure>` is the sum of the row and all rows below it, which the thresholds
// test and classic text prints as the first percentage. Like the original, the view considers
// max_depth + 1 rows, hidden ones included. A profile without nodes has one row, `_TFProfRoot`.
Result<Report> Op(const StorePtr& store, const Indexes& indexes, const Query& query,
                  Context& context) {
  TFPROF_ASSIGN(const NodeCosts costs, CostsOf(*store, indexes, query, context));
  TFPROF_ASSIGN(const auto groups, indexes.Get<OpGroups>(context));
  TFPROF_ASSIGN(std::vector<OpRow> rows, AccountedRows(*groups, costs, context));
  TFPROF_TRY(Order(query.display.order_by, &rows, context));
  Total total = Accumulate(rows);

  Report report = StartReport("op", store, *costs.accounts, query.place);
  AddNotesOf(*costs.sums, &report);
  report.node_facts = FactsOf(costs.accounts, costs.sums);
  Table& table = report.tables.emplace_back(MakeTable(OpTableDef(), 0));
  TFPROF_ASSIGN(std::vector<OpRow> shown, ShownOps(*store, *groups, rows, query, context));
  if (query.tree.account_displayed_op_only) total = Accumulate(shown);
  AddTotals(report, MarkAbsent(total.values, total.present));
  const bool only_root = store->nodes.empty();
  if (only_root) {
    shown.resize(1);
    FillRoot(table);
  } else {
    TFPROF_TRY(FillRows(*store, *groups, shown, costs, table, context));
  }
  AddAccounted(table, only_root ? 0 : 1);
  if (const auto by = MeasureOf(query.display.order_by)) table.ordered_by = Info(*by).column;
  AddOpColumns(report, table, *costs.accounts, query.display, shown);
  if (query.display.Selects(Attribute::input_shapes)) {
    report.tables.push_back(InputShapesOf(report, *costs.sums));  // invalidates `table`
  }
  TFPROF_TRY(Poll(context));
  return report;
}

}  // namespace tfprof
