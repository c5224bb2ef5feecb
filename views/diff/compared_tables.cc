// SPDX-License-Identifier: Apache-2.0
#include "views/diff/compared_tables.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <string>

#include "core/base/context.h"
#include "core/base/units.h"
#include "core/report/table_def.h"
#include "views/columns/properties.h"
#include "views/view.h"

namespace tfprof {
namespace {

// What is compared in a table. Sums cover all steps, or all runs; other measures do not grow with
// them.
struct ComparedTable {
  std::string_view view;
  std::string_view table;
  std::vector<std::string_view> names;
  std::vector<std::string_view> sums;
  std::vector<std::string_view> others;
};

const std::vector<ComparedTable>& AllTables() {
  static const std::vector<ComparedTable> tables = {
      {"kernels",
       "kernels",
       {"host", "kernel", "op", "grid", "block"},
       {"time_us", "launches"},
       {"mean_us"}},
      {"hlo", "hlo", {"program", "instruction"}, {"time_us", "runs", "launches"}, {"mean_us"}},
      {"op_stats", "without_idle", {"side", "type", "op"}, {"time_us", "runs"}, {"mean_us"}},
      {"steps", "steps", {"host"}, {}, {"duration_us", "device_us", "host_us"}},
      {"input",
       "steps",
       {"host"},
       {},
       {"duration_us", "input_us", "compute_us", "host_us", "output_us", "collectives_us",
        "device_to_device_us", "stalled_us", "other_us"}},
      {"input", "host_ops", {"op", "category"}, {"time_us", "inclusive_us", "runs"}, {}},
      {"memory",
       "allocators",
       {"host", "allocator"},
       {"allocations", "frees"},
       {"peak_bytes", "lifetime_peak_bytes", "heap_bytes", "fragmentation_pct"}},
      {"memory",
       "active_allocations",
       {"host", "allocator", "op", "region", "element_type", "shape"},
       {},
       {"total_bytes", "count"}},
      {"transfers",
       "transfers",
       {"host", "device", "direction", "from", "to"},
       {"time_us", "bytes", "count", "overlapped_us"},
       {"bandwidth_bytes_per_s"}},
      {"collectives",
       "collectives",
       {"host", "device", "name"},
       {"time_us", "exposed_us", "count"},
       {"bytes"}},
  };
  return tables;
}

// ---- the rows of one side

struct Measured {
  std::string name;
  std::vector<double> values;  // by measure; NaN: absent
};

struct SideTable {
  std::map<std::string, Measured> rows;  // by name and order among equal names
};

// Times in us; other units as they are.
double ValueAt(const ReportColumn& column, size_t row) {
  if (column.spec.type == CellType::real) return column.reals[row];
  const int64_t value = column.Integer(row);
  if (value == kNoInt) return kNoReal;
  const bool is_ps = column.spec.unit == Unit::ps || column.spec.unit == Unit::ps_as_us ||
                     column.spec.unit == Unit::ps_as_ms;
  return static_cast<double>(value) / (is_ps ? static_cast<double>(kPsPerUs) : 1);
}

// The number of a program, "jit_step(12)", is that of a recording.
std::string_view WithoutNumber(std::string_view program) {
  const size_t open = program.rfind('(');
  return program.ends_with(')') && open != program.npos ? program.substr(0, open) : program;
}

std::string NameOf(const Table& table, const ComparedTable& of, bool several_hosts, size_t row) {
  std::string name;
  for (const std::string_view id : of.names) {
    const ReportColumn* column = table.Find(id);
    if (column == nullptr || (id == "host" && !several_hosts)) continue;
    const std::string_view text = column->texts[row];
    if (text.empty()) continue;
    if (!name.empty()) name += ' ';
    name += id == "program" ? WithoutNumber(text) : text;
  }
  return name;
}

SideTable RowsOf(const Report& report, const ComparedTable& of, bool several_hosts,
                 int64_t divide_by) {
  SideTable found;
  const auto table = std::ranges::find(report.tables, of.table, &Table::name);
  if (table == report.tables.end()) return found;
  std::map<std::string, int> seen;
  for (size_t row = 0; row < table->rows; ++row) {
    Measured measured{NameOf(*table, of, several_hosts, row), {}};
    const int number = ++seen[measured.name];
    const std::string key = measured.name + '\n' + std::to_string(1'000'000 + number);
    if (number > 1 || measured.name.empty()) measured.name += " #" + std::to_string(number);
    for (const auto* ids : {&of.sums, &of.others}) {
      const double by = ids == &of.sums ? static_cast<double>(divide_by) : 1;
      for (const std::string_view id : *ids) {
        const ReportColumn* column = table->Find(id);
        measured.values.push_back(column == nullptr ? kNoReal : ValueAt(*column, row) / by);
      }
    }
    found.rows.emplace(key, std::move(measured));
  }
  return found;
}

// ---- pairs

struct Change {
  std::string_view name;
  std::string_view status;
  std::vector<double> before, after;
};

// Sums that were divided differ in the last digits; an absent value equals 0.
bool Equal(double before, double after) {
  const double a = std::isnan(before) ? 0 : before, b = std::isnan(after) ? 0 : after;
  return std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b));
}

bool SameValues(const Measured& before, const Measured& after) {
  for (size_t i = 0; i < before.values.size(); ++i) {
    if (!Equal(before.values[i], after.values[i])) return false;
  }
  return true;
}

std::vector<Change> ChangesOf(const SideTable& before, const SideTable& after, int64_t* unchanged) {
  std::vector<Change> changes;
  const auto nothing = [](const Measured& row) {
    return std::vector<double>(row.values.size(), kNoReal);
  };
  for (const auto& [key, row] : before.rows) {
    const auto other = after.rows.find(key);
    if (other == after.rows.end()) {
      changes.push_back({row.name, "gone", row.values, nothing(row)});
    } else if (SameValues(row, other->second)) {
      ++*unchanged;
    } else {
      changes.push_back({row.name, "changed", row.values, other->second.values});
    }
  }
  for (const auto& [key, row] : after.rows) {
    if (!before.rows.contains(key)) changes.push_back({row.name, "new", nothing(row), row.values});
  }
  const auto size = [](const Change& change) {
    const auto of = [](double value) { return std::isnan(value) ? 0 : value; };
    return change.before.empty() ? 0 : std::abs(of(change.after[0]) - of(change.before[0]));
  };
  std::ranges::stable_sort(changes,
                           [&](const Change& a, const Change& b) { return size(a) > size(b); });
  return changes;
}

// ---- tables

ReportColumn TextColumn(std::string id, std::string meaning) {
  ReportColumn column;
  column.spec.title = id;
  column.spec.id = std::move(id);
  column.spec.type = CellType::text;
  column.spec.meaning = std::move(meaning);
  return column;
}

ReportColumn RealColumn(const std::string& id, const std::string& title, Unit unit,
                        const std::string& meaning) {
  ReportColumn column;
  column.spec.id = id;
  column.spec.title = title;
  column.spec.type = CellType::real;
  column.spec.unit = unit;
  column.spec.meaning = meaning;
  return column;
}

Unit UnitOfReals(Unit unit) {
  const bool is_time = unit == Unit::ps || unit == Unit::ps_as_us || unit == Unit::ps_as_ms;
  return is_time ? Unit::us : unit;
}

// Adds base_X, X, change_X and change_X_pct.
void AddMeasure(const ColumnDef& def, size_t measure, const std::vector<Change>& changes,
                Table* table) {
  const std::string id(def.id), title(def.title);
  const Unit unit = UnitOfReals(def.unit);
  ReportColumn base = RealColumn("base_" + id, "base " + title, unit, "Value in the base.");
  ReportColumn now = RealColumn(id, title + " now", unit, "Value in this profile.");
  ReportColumn change =
      RealColumn("change_" + id, title + " change", unit, "This profile minus the base.");
  ReportColumn percent = RealColumn("change_" + id + "_pct", title + " change %", Unit::percent,
                                    "Change relative to the base.");
  for (const Change& row : changes) {
    const double before = row.before[measure], after = row.after[measure];
    const double by = (std::isnan(after) ? 0 : after) - (std::isnan(before) ? 0 : before);
    const bool known = !std::isnan(before) || !std::isnan(after);
    base.reals.push_back(before);
    now.reals.push_back(after);
    change.reals.push_back(known ? by : kNoReal);
    percent.reals.push_back(before != 0 && known ? 100 * by / before : kNoReal);
  }
  for (ReportColumn* column : {&base, &now, &change, &percent}) {
    table->columns.push_back(std::move(*column));
  }
}

const TableDef* DefOf(const View& view, std::string_view table) {
  for (const TableDef* def : view.tables()) {
    if (def->name == table) return def;
  }
  return nullptr;
}

// Adds the totals of the sums, per step or run.
void AddTotals(const ComparedTable& of, const TableDef& def, const SideTable& before,
               const SideTable& after, Report* report) {
  const auto total = [](const SideTable& side, size_t measure) {
    double sum = kNoReal;
    for (const auto& [key, row] : side.rows) {
      if (!std::isnan(row.values[measure])) {
        sum = (std::isnan(sum) ? 0 : sum) + row.values[measure];
      }
    }
    return sum;
  };
  for (size_t i = 0; i < of.sums.size(); ++i) {
    const ColumnDef* column = def.Find(of.sums[i]);
    if (column == nullptr) continue;
    const std::string id(column->id), title(column->title);
    const std::string head = i == 0 ? "total" : "";
    const Unit unit = UnitOfReals(column->unit);
    AddRealProperty({"base_total_" + id, head, "base " + title}, total(before, i), unit, report);
    AddRealProperty({"total_" + id, head, title + " now"}, total(after, i), unit, report);
  }
}

Query QueryOf(const Side& side) {
  Query query;
  query.place = side.query.place;
  query.nodes = side.query.nodes;
  query.display.fold = false;
  return query;
}

}  // namespace

std::vector<std::string_view> ComparedTableViews() {
  std::vector<std::string_view> views;
  for (const ComparedTable& table : AllTables()) {
    if (views.empty() || views.back() != table.view) views.push_back(table.view);
  }
  return views;
}

bool ComparesTables(std::string_view view) {
  return std::ranges::any_of(AllTables(),
                             [&](const ComparedTable& table) { return table.view == view; });
}

Result<void> AddComparedTables(std::string_view view, const Side& before, const Side& after,
                               Divisors divisors, Report* report, Context& context) {
  const View& question = *FindView(view);
  TFPROF_ASSIGN(const Report base,
                question.make(before.store, before.indexes, QueryOf(before), context));
  TFPROF_ASSIGN(const Report now,
                question.make(after.store, after.indexes, QueryOf(after), context));
  // The host of a single file is named after the file.
  const bool several_hosts = before.store->hosts.size() > 1 && after.store->hosts.size() > 1;
  int64_t unchanged = 0;
  bool changed = false;
  for (const ComparedTable& of : AllTables()) {
    const TableDef* def = DefOf(question, of.table);
    if (of.view != view || def == nullptr) continue;
    TFPROF_TRY(Poll(context));
    const SideTable left = RowsOf(base, of, several_hosts, divisors.before);
    const SideTable right = RowsOf(now, of, several_hosts, divisors.after);
    const std::vector<Change> changes = ChangesOf(left, right, &unchanged);
    Table table;
    table.name = of.table;
    table.rows = changes.size();
    table.columns = {TextColumn("name", "What the row is, from either profile."),
                     TextColumn("status", "new, gone or changed.")};
    for (const Change& row : changes) {
      table.columns[0].texts.push_back(report->pool->Keep(std::string(row.name)));
      table.columns[1].texts.push_back(row.status);
    }
    size_t measure = 0;
    for (const auto* ids : {&of.sums, &of.others}) {
      for (const std::string_view id : *ids) {
        if (const ColumnDef* column = def->Find(id)) AddMeasure(*column, measure, changes, &table);
        ++measure;
      }
    }
    changed |= !changes.empty();
    report->tables.push_back(std::move(table));
    AddTotals(of, *def, left, right, report);
  }
  const std::string rows = Counted(unchanged, "row");
  AddTextProperty({"", "unchanged"}, changed ? rows : "all: " + rows, report);
  AddIntegerProperty({"unchanged_rows"}, unchanged, Unit::count, report);
  return {};
}

}  // namespace tfprof
