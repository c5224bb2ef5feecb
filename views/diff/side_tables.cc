// SPDX-License-Identifier: Apache-2.0
#include "views/diff/side_tables.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/text/units.h"
#include "views/programs/chosen_programs.h"

namespace tfprof {
namespace {

bool IsPs(Unit unit) {
  return unit == Unit::ps || unit == Unit::ps_as_us || unit == Unit::ps_as_ms;
}

// Times in us; other units as they are written.
double ValueAt(const ReportColumn& column, size_t row) {
  const Unit unit = column.spec.unit;
  if (column.spec.type == CellType::real) return column.reals[row] * WrittenScale(unit);
  const int64_t value = column.Integer(row);
  if (value == kNoInt) return kNoReal;
  const auto per_unit = static_cast<double>(IsPs(unit) ? kPsPerUs : 1);
  return static_cast<double>(value) / per_unit / static_cast<double>(column.spec.divisor);
}

// What the names of the rows consist of.
struct NamedColumns {
  std::vector<const ReportColumn*> columns;
  const ReportColumn* kind = nullptr;  // of roofline: its rows may be programs

  NamedColumns(const Table& table, const ComparedTable& of, bool several_hosts) {
    for (const std::string_view id : of.names) {
      const ReportColumn* column = table.Find(id);
      if (column != nullptr && (id != "host" || several_hosts)) columns.push_back(column);
      if (id == "kind") kind = column;
    }
  }

  std::string At(size_t row) const {
    std::string name;
    for (const ReportColumn* column : columns) {
      std::string_view text = column->texts[row];
      if (text.empty()) continue;
      if (!name.empty()) name += ' ';
      const bool is_program = column->spec.id == "program" ||
                              (column != kind && kind != nullptr && kind->texts[row] == "program");
      name += is_program ? WithoutRunNumber(text) : text;
    }
    return name;
  }
};

void Merge(const std::vector<double>& more, std::vector<double>* values) {
  for (size_t i = 0; i < values->size(); ++i) {
    double& value = (*values)[i];
    if (!std::isnan(more[i])) value = (std::isnan(value) ? 0 : value) + more[i];
  }
}

struct Taking {
  const ComparedTable& of;
  bool several_hosts;
  std::map<std::string, int> seen = {};

  std::string KeyOf(std::string* name) {
    const int number = of.merges ? 1 : ++seen[*name];
    const std::string key = *name + '\n' + std::to_string(1'000'000 + number);
    const bool is_numbered = number > 1 || name->empty();
    if (is_numbered) *name += (name->empty() ? "#" : " #") + std::to_string(number);
    return key;
  }

  std::vector<double> ValuesAt(const Table& table, size_t row) const {
    std::vector<double> values;
    for (const ComparedTable::Measure& measure : of.Measures()) {
      const ReportColumn* column = table.Find(measure.id);
      values.push_back(column == nullptr ? kNoReal : ValueAt(*column, row));
    }
    if (of.merges) values.push_back(1);
    return values;
  }

  void Divide(int64_t steps, SideTable* found) const {
    std::vector<double> by;
    for (const ComparedTable::Measure& measure : of.Measures()) {
      by.push_back(measure.grows ? static_cast<double>(steps) : 1);
    }
    if (of.merges) by.push_back(static_cast<double>(steps));
    for (auto& [key, row] : found->rows) {
      for (size_t i = 0; i < by.size(); ++i) row.values[i] /= by[i];
    }
  }

  Result<void> Take(const Table& table, SideTable* found, Context& context) {
    const NamedColumns names(table, of, several_hosts);
    for (size_t row = 0; row < table.rows; ++row) {
      if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
      SideTable::Row one{names.At(row), ValuesAt(table, row)};
      const std::string key = KeyOf(&one.name);
      const auto at = found->rows.find(key);
      if (at == found->rows.end()) {
        found->rows.emplace(key, std::move(one));
      } else {
        Merge(one.values, &at->second.values);
      }
    }
    return {};
  }
};

}  // namespace

double SideTable::Total(size_t measure) const {
  double sum = kNoReal;
  for (const auto& [key, row] : rows) {
    const double value = row.values[measure];
    if (!std::isnan(value)) sum = (std::isnan(sum) ? 0 : sum) + value;
  }
  return sum;
}

const ColumnDef* DefOf(const TableDef& table, const ComparedTable& of, std::string_view measure) {
  static constexpr ColumnDef kEventsDef = CountDef(kEvents, "events", "Stored events.");
  return of.merges && measure == kEvents ? &kEventsDef : table.Find(measure);
}

Result<SideTable> TakeRows(Report& report, const ComparedTable& of, bool several_hosts,
                           int64_t divide_by, Context& context) {
  SideTable found;
  const auto table = std::ranges::find(report.tables, of.table, &Table::name);
  if (table == report.tables.end()) return found;
  Taking taking{of, several_hosts};
  TFPROF_TRY(taking.Take(*table, &found, context));
  const bool streams = table == report.tables.begin() && report.blocks;
  while (streams) {
    TFPROF_ASSIGN(const Table* block, report.blocks(context));
    if (block == nullptr) break;
    TFPROF_TRY(taking.Take(*block, &found, context));
  }
  if (streams) report.blocks = {};
  taking.Divide(divide_by, &found);
  return found;
}

}  // namespace tfprof
