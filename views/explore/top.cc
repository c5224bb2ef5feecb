// SPDX-License-Identifier: Apache-2.0
#include "views/explore/top.h"

#include <algorithm>
#include <limits>

#include "core/base/arith.h"
#include "core/store/time_unit.h"
#include "views/columns/fill_columns.h"
#include "views/columns/measure_meaning.h"
#include "views/columns/member_rows.h"
#include "views/columns/step_sums.h"
#include "views/subject.h"

namespace tfprof {
namespace {

struct TopRow {
  uint32_t group = 0;
  MemberSum sum;
  StepSpread steps;
  int64_t running = 0;  // its time and that of the rows above

  int64_t Time() const { return TimeOf(sum); }
  int64_t Runs() const { return RunsOf(sum); }
};

double Quotient(int64_t of, int64_t by) {
  if (of == kNoInt || by == kNoInt || by == 0) return kNoReal;
  return static_cast<double>(of) / static_cast<double>(by);
}

std::vector<TopRow> RowsOf(const OpGroups& groups, const TimesCounted& counted,
                           const NodeSums& sums) {
  std::vector<TopRow> rows;
  for (uint32_t i = 0; i < groups.type.size(); ++i) {
    TopRow row{i, SumMembers(NodesOfType(groups, i), counted, sums), {}};
    if (row.sum.nodes > 0) rows.push_back(row);
  }
  std::stable_sort(rows.begin(), rows.end(), [](const TopRow& a, const TopRow& b) {
    const int64_t left = a.Time() == kNoInt ? -1 : a.Time();
    const int64_t right = b.Time() == kNoInt ? -1 : b.Time();
    return left != right ? left > right : a.sum.nodes > b.sum.nodes;
  });
  int64_t running = 0;
  for (TopRow& row : rows) {
    if (row.Time() != kNoInt) running = SaturatingAdd(running, row.Time());
    row.running = running;
  }
  return rows;
}

Result<void> AddSpreads(const Store& store, const NodeAccounts& accounts, const OpGroups& groups,
                        const TimesCounted& counted, const Query& query, std::vector<TopRow>* rows,
                        Context& context) {
  std::vector<uint32_t> row_of_node(store.nodes.size(), kNoGroup);
  for (uint32_t i = 0; i < rows->size(); ++i) {
    for (const NodeId node : NodesOfType(groups, (*rows)[i].group)) {
      if (counted.Of(node) != 0) row_of_node[node.value] = i;
    }
  }
  TFPROF_ASSIGN(const StepSums sums,
                SumBySteps(store, accounts, row_of_node, rows->size(), query, context));
  for (size_t i = 0; i < rows->size(); ++i) (*rows)[i].steps = SpreadOf(sums, i);
  return {};
}

void AddTimes(const Store& store, const std::vector<TopRow>& rows, Table* table) {
  const int64_t whole = rows.empty() ? 0 : rows.back().running;
  FillNumbers(Numbers(*table, "micros", "time", TimeUnit(store),
                      "Of all devices, as in the op view. " + SpanIn(store) + "."),
              rows, [](const TopRow& r) { return r.Time(); });
  Reals(*table, "share", "share", Unit::fraction, "Of the time of all types.", rows,
        [&](const TopRow& r) { return Quotient(r.Time(), whole == 0 ? kNoInt : whole); });
  Reals(*table, "running_share", "running", Unit::fraction,
        "The share of this row and those above it.", rows,
        [&](const TopRow& r) { return Quotient(r.Time() == kNoInt ? kNoInt : r.running, whole); });
  ReportColumn& nodes = Numbers(*table, "nodes", "nodes", Unit::count, "Graph nodes of the type.");
  nodes.spec.people = false;
  FillNumbers(nodes, rows, [](const TopRow& r) { return int64_t{r.sum.nodes}; });
  Numbers(*table, "runs", "runs", Unit::count, "Executions. " + SpanIn(store) + ".", rows,
          [](const TopRow& r) { return r.Runs(); });
  Reals(*table, "micros_per_run", "per run", Unit::us, "Time over runs.", rows,
        [&](const TopRow& r) {
          return Quotient(r.Time(), r.Runs()) / static_cast<double>(TimesPerUs(store));
        });
}

void AddSteps(const std::vector<TopRow>& rows, Table* table) {
  const auto add = [&](std::string id, std::string title, std::string meaning,
                       int64_t StepSpread::*value) {
    FillNumbers(
        Numbers(*table, std::move(id), std::move(title), Unit::ps_as_us, std::move(meaning)), rows,
        [&](const TopRow& r) { return r.steps.*value; });
  };
  add("step_least", "step least", "In the step in which it took least.", &StepSpread::least_ps);
  add("step_median", "median", "In the middle one of the steps.", &StepSpread::median_ps);
  add("step_most", "most", "In the step in which it took most.", &StepSpread::most_ps);
}

}  // namespace

Result<Report> Top(const StorePtr& store, const Indexes& indexes, const Query& query,
                   Context& context) {
  TFPROF_ASSIGN(const auto accounts, indexes.Accounts(query, context));
  TFPROF_ASSIGN(const auto sums, indexes.Sums(query, context));
  TFPROF_ASSIGN(const auto groups, indexes.Ops(context));
  TFPROF_ASSIGN(const TimesCounted counted, CountMembers(*store, *accounts, query, context));
  std::vector<TopRow> rows = RowsOf(*groups, counted, *sums);
  TFPROF_TRY(AddSpreads(*store, *accounts, *groups, counted, query, &rows, context));

  Report report = StartReport("top", store, *accounts, query);
  Table& table = report.tables.emplace_back();
  table.name = "top";
  table.rows = rows.size();
  Texts(table, "name", "operation", "Operation type.", rows,
        [&](const TopRow& r) { return store->Text(groups->type[r.group]); });
  AddTimes(*store, rows, &table);
  AddSteps(rows, &table);
  return report;
}

}  // namespace tfprof
