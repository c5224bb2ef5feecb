// SPDX-License-Identifier: Apache-2.0
#include "views/diff/compared_tables.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "core/base/context.h"
#include "core/report/changes.h"
#include "core/report/table_def.h"
#include "core/text/units.h"
#include "views/columns/fill_columns.h"
#include "views/columns/properties.h"
#include "views/diff/changes.h"
#include "views/diff/compared.h"
#include "views/diff/samples.h"
#include "views/diff/side_tables.h"
#include "views/view.h"

namespace tfprof {
namespace {

ReportColumn TextColumn(std::string id, std::string meaning) {
  ReportColumn column;
  column.spec.title = id;
  column.spec.id = std::move(id);
  column.spec.type = CellType::text;
  column.spec.meaning = std::move(meaning);
  return column;
}

// The four columns of a measure.
struct MeasureColumns {
  ReportColumn base, now, change, percent;

  MeasureColumns(const ColumnDef& def, bool droppable) {
    const std::string id(def.id), title(def.title.empty() ? def.id : def.title);
    const bool is_ps = def.unit == Unit::ps || def.unit == Unit::ps_as_us;
    const Unit unit = is_ps || def.unit == Unit::ps_as_ms ? Unit::us : WrittenUnit(def.unit);
    const auto spec = [&](std::string of, std::string head, Unit in, std::string meaning) {
      return ColumnSpec{.id = std::move(of),
                        .title = std::move(head),
                        .type = CellType::real,
                        .unit = in,
                        .droppable = droppable,
                        .meaning = std::move(meaning)};
    };
    base.spec = spec("base_" + id, "base " + title, unit, "Value in the base.");
    now.spec = spec(id, title + " now", unit, "Value in this profile.");
    change.spec = spec("change_" + id, title + " change", unit, "This profile minus the base.");
    percent.spec = spec("change_" + id + "_pct", title + " change %", Unit::fraction,
                        "Change relative to the base.");
  }

  void SetTotals(double before, double after) {
    base.total = before;
    now.total = after;
    change.total = Difference(before, after);
    percent.total = RelativeTo(before, after);
    for (ReportColumn* column : {&base, &now, &change}) column->adds_up = true;
  }

  // Adds properties total_X, for scripts.
  void ReportTotals(Report* report) const {
    for (const ReportColumn* column : {&base, &now, &change, &percent}) {
      AddTotalOf(*column, report);
    }
  }
};

void AddMeasure(const ColumnDef& def, size_t measure, bool adds_up, const SideTable& before,
                const SideTable& after, const std::vector<RowChange>& changes, Table* table,
                Report* report) {
  MeasureColumns columns(def, measure > 0);
  for (const RowChange& row : changes) {
    const double was = row.Before(measure), is = row.After(measure);
    columns.base.reals.push_back(was);
    columns.now.reals.push_back(is);
    columns.change.reals.push_back(Difference(was, is));
    columns.percent.reals.push_back(RelativeTo(was, is));
  }
  if (adds_up) {
    columns.SetTotals(before.Total(measure), after.Total(measure));
    columns.ReportTotals(report);
  }
  for (ReportColumn* column : {&columns.base, &columns.now, &columns.change, &columns.percent}) {
    table->columns.push_back(std::move(*column));
  }
}

const TableDef* DefOf(const View& view, std::string_view table) {
  for (const TableDef* def : view.tables()) {
    if (def->name == table) return def;
  }
  return nullptr;
}

// A compared table of both sides.
struct TableOfBoth {
  const ComparedTable& of;
  const TableDef& def;
  SideTable before, after;
  SamplesOfBoth samples;
};

// Adds p of the first measure, for rows that changed.
void AddPValues(const TableOfBoth& both, const std::vector<RowChange>& changes, Table* table) {
  const auto p_of = [&](const RowChange& row) {
    return row.status == kSame ? kNoReal : both.samples.PValue(row.key);
  };
  const auto has_p = [&](const RowChange& row) { return !std::isnan(p_of(row)); };
  if (std::ranges::none_of(changes, has_p)) return;
  ReportColumn& p_value = table->columns.emplace_back();
  p_value.spec = SpecOf(kPValueDef);
  Fill(p_value, changes, p_of);
  if (both.of.Measures()[0].adds_up) p_value.total = both.samples.PValue(kTotalKey);
  ReportColumn& significance = table->columns.emplace_back();
  significance.spec = SpecOf(kSignificanceDef);
  Fill(significance, changes, [&](const RowChange& row) { return SignificanceOf(p_of(row)); });
}

Table TableOf(const TableOfBoth& both, Report* report) {
  const std::vector<RowChange> changes = ChangesOf(both.before, both.after);
  Table table;
  table.name = both.of.table;
  table.rows = changes.size();
  table.columns = {TextColumn("name", "What the row is, from either profile."),
                   TextColumn("status", "new, gone, changed or same.")};
  for (const RowChange& row : changes) {
    table.columns[0].texts.push_back(report->pool->Keep(std::string(row.name)));
    table.columns[1].texts.push_back(row.status);
  }
  const std::vector<ComparedTable::Measure> measures = both.of.Measures();
  for (size_t i = 0; i < measures.size(); ++i) {
    const ColumnDef* column = DefOf(both.def, both.of, measures[i].id);
    if (column == nullptr) continue;
    AddMeasure(*column, i, measures[i].adds_up, both.before, both.after, changes, &table, report);
    if (i == 0 && both.samples.any) AddPValues(both, changes, &table);
  }
  if (both.of.merges) {
    AddMeasure(*DefOf(both.def, both.of, kEvents), measures.size(), true, both.before, both.after,
               changes, &table, report);
  }
  return table;
}

// Returns all rows of a view for one side.
Result<Report> Answered(std::string_view view, const Side& side, Context& context) {
  Query query;
  query.place = side.query.place;
  query.nodes = side.query.nodes;
  query.display.fold = false;
  return FindView(view)->make(side.store, side.indexes, query, context);
}

// Returns the compared tables of a view. Tables whose rows are not steps are sampled.
std::vector<TableOfBoth> TablesOfBoth(const View& view, const SampledSteps& steps) {
  std::vector<TableOfBoth> tables;
  for (const ComparedTable& of : ComparedTables()) {
    const TableDef* def = DefOf(view, of.table);
    if (of.view != view.name || def == nullptr) continue;
    const ComparedTable::Measure first = of.Measures().front();
    const bool samples = (view.options & kStepOption) != 0 && (first.grows || first.adds_up);
    tables.push_back({of, *def, {}, {}, SamplesOfBoth(samples ? steps : SampledSteps())});
  }
  return tables;
}

}  // namespace

void AddTotalOf(const ReportColumn& column, Report* report) {
  const std::string& id = column.spec.id;
  std::string_view rest = id;
  std::string head;
  for (const std::string_view first : {"base_", "change_"}) {
    if (!rest.starts_with(first)) continue;
    head = first;
    rest.remove_prefix(first.size());
  }
  const std::string name = head + "total_" + std::string(rest);
  if (report->Find(name) != nullptr) return;  // an earlier table has that measure
  const ColumnSpec& spec = column.spec;
  const bool is_ps = spec.unit == Unit::ps_as_us;
  const double printed = column.total / static_cast<double>(spec.divisor) / (is_ps ? kPsPerUs : 1);
  AddRealProperty({name}, printed, is_ps ? Unit::us : spec.unit, report);
}

std::vector<std::string_view> ComparedTableViews() {
  std::vector<std::string_view> views;
  for (const ComparedTable& table : ComparedTables()) {
    if (views.empty() || views.back() != table.view) views.push_back(table.view);
  }
  return views;
}

bool ComparesTables(std::string_view view) {
  return std::ranges::any_of(ComparedTables(),
                             [&](const ComparedTable& table) { return table.view == view; });
}

Result<void> AddComparedTables(std::string_view view, const Side& before, const Side& after,
                               Divisors divisors, Report* report, Context& context) {
  // The host of a single file is named after the file.
  const bool several_hosts = before.store->hosts.size() > 1 && after.store->hosts.size() > 1;
  TFPROF_ASSIGN(const SampledSteps steps, StepsToSample(before, after, context));
  std::vector<TableOfBoth> tables = TablesOfBoth(*FindView(view), steps);
  const auto take = [&](const Side& side, bool is_base, size_t step) -> Result<void> {
    TFPROF_ASSIGN(Report made, Answered(view, side, context));
    for (TableOfBoth& both : tables) {
      if (!both.samples.any) continue;
      TFPROF_ASSIGN(const SideTable rows, TakeRows(made, both.of, several_hosts, 1, context));
      for (const auto& [key, row] : rows.rows) {
        both.samples.Of(is_base).Add(step, key, row.values[0]);
      }
      both.samples.Of(is_base).Add(step, kTotalKey, rows.Total(0));
    }
    return {};
  };
  TFPROF_ASSIGN(Report base, Answered(view, before, context));
  TFPROF_ASSIGN(Report now, Answered(view, after, context));
  for (TableOfBoth& both : tables) {
    TFPROF_ASSIGN(both.before, TakeRows(base, both.of, several_hosts, divisors.before, context));
    TFPROF_ASSIGN(both.after, TakeRows(now, both.of, several_hosts, divisors.after, context));
  }
  const bool samples =
      std::ranges::any_of(tables, [](const TableOfBoth& both) { return both.samples.any; });
  if (samples) TFPROF_TRY(InEachStep(steps, before, after, take, context));
  // An answer has a table, even if nothing has rows.
  const auto has_rows = [](const TableOfBoth& both) {
    return !both.before.rows.empty() || !both.after.rows.empty();
  };
  const bool any = std::ranges::any_of(tables, has_rows);
  for (const TableOfBoth& both : tables) {
    TFPROF_TRY(Poll(context));
    const bool is_answer = any ? has_rows(both) : &both == &tables.front();
    if (is_answer) report->tables.push_back(TableOf(both, report));
  }
  return {};
}

}  // namespace tfprof
