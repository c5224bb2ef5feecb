// SPDX-License-Identifier: Apache-2.0
#include "views/columns/measure_rows.h"

#include "core/store/time_unit.h"
#include "views/columns/measure_meaning.h"
#include "views/columns/properties.h"

namespace tfprof {
namespace {

std::span<const Measure> MeasuresOf(Attribute attribute) {
  static constexpr Measure kBytes[] = {Measure::bytes};
  static constexpr Measure kPeak[] = {Measure::peak_bytes};
  static constexpr Measure kResidual[] = {Measure::residual_bytes};
  static constexpr Measure kOutput[] = {Measure::output_bytes};
  static constexpr Measure kTimes[] = {Measure::micros, Measure::accelerator_micros,
                                       Measure::cpu_micros};
  static constexpr Measure kAccelerator[] = {Measure::accelerator_micros};
  static constexpr Measure kCpu[] = {Measure::cpu_micros};
  static constexpr Measure kParams[] = {Measure::params};
  static constexpr Measure kFlops[] = {Measure::float_ops};
  static constexpr Measure kCounts[] = {Measure::run_count, Measure::definition_count};
  switch (attribute) {
    case Attribute::bytes:
      return kBytes;
    case Attribute::peak_bytes:
      return kPeak;
    case Attribute::residual_bytes:
      return kResidual;
    case Attribute::output_bytes:
      return kOutput;
    case Attribute::micros:
      return kTimes;
    case Attribute::accelerator_micros:
      return kAccelerator;
    case Attribute::cpu_micros:
      return kCpu;
    case Attribute::params:
      return kParams;
    case Attribute::float_ops:
      return kFlops;
    case Attribute::occurrence:
      return kCounts;
    case Attribute::tensor_value:
    case Attribute::device:
    case Attribute::op_types:
    case Attribute::input_shapes:
      break;
  }
  return {};
}

std::string ColumnId(Measure measure, ColumnRole role) {
  const std::string id(Info(measure).id);
  return role == ColumnRole::total ? "total_" + id : id;
}

}  // namespace

void SetStep(const Query& query, Report* report) {
  for (Property& property : report->properties) {
    if (property.id != "step") continue;
    const bool is_range = query.last_step >= 0;
    property.type = is_range ? CellType::text : CellType::integer;
    property.text = is_range ? query.StepText() : std::string();
    property.integer = is_range ? kNoInt : query.step;
  }
}

Report StartReport(std::string_view view, const StorePtr& store, const NodeAccounts& accounts,
                   const Query& query) {
  Report report;
  report.view = view;
  report.store = store;
  report.notes = store->notes;
  report.notes.insert(report.notes.end(), accounts.notes.begin(), accounts.notes.end());
  if (store->nodes.empty() && store->processes.empty() && store->EventCount() > 0) {
    report.notes.push_back({"events that no graph node is known of, `planes` tells of them",
                            static_cast<int64_t>(store->EventCount()), "", kNoInt});
  }
  // What nodes of a trace took are sums of its events, in all of it where no step is asked for.
  const bool is_trace = !store->processes.empty();
  TellText({"step"}, is_trace ? "all" : "average", &report);
  if (query.AsksSteps()) SetStep(query, &report);
  const int64_t steps = is_trace ? kNoInt : static_cast<int64_t>(store->steps.size());
  TellInteger({"steps"}, steps, Unit::count, &report);
  return report;
}

void AddWholes(Report& report, const MeasureValues& whole, uint8_t present) {
  const MeasureValues values = MarkAbsent(whole, present);
  for (const MeasureInfo& info : AllMeasures()) {
    TellInteger({ColumnId(info.measure, ColumnRole::total)}, At(values, info.measure),
                UnitOf(*report.store, info.measure), &report);
  }
}

void FillTree(Table& table, const ShownRows& shown, const OwnValues& own,
              std::span<const uint8_t> accounted) {
  table.tree = true;
  table.rows = shown.row.size();
  table.parent = shown.parent;
  table.depth = shown.depth;
  ReportColumn& column = AddColumn(table, "accounted", "accounted", CellType::boolean,
                                   "The row itself counts, not only what is below it.");
  column.spec.shown = false;
  column.spec.folds = Folds::same;
  column.integers.reserve(table.rows);
  table.self_values.Reserve(table.rows);
  table.total_values.Reserve(table.rows);
  for (size_t i = 0; i < table.rows; ++i) {
    const uint32_t row = shown.row[i];
    MeasureValues self = MarkAbsent(own.Values(row), own.Presence(row));
    if (row == 0) At(self, Measure::definition_count) = 0;  // the root is no node
    table.self_values.Push(self);
    table.total_values.Push(MarkAbsent(shown.totals[i], shown.present[i]));
    column.integers.push_back(row != 0 && (accounted.empty() || accounted[row] != 0));
  }
}

ReportColumn& AddColumn(Table& table, std::string id, std::string title, CellType type,
                        std::string meaning) {
  ReportColumn& column = table.columns.emplace_back();
  column.spec.id = std::move(id);
  column.spec.title = std::move(title);
  column.spec.type = type;
  column.spec.meaning = std::move(meaning);
  return column;
}

void AddMeasureColumn(const Store& store, Table& table, Measure measure, ColumnRole role,
                      bool shown) {
  const MeasureInfo& info = Info(measure);
  if (table.Find(ColumnId(measure, role)) != nullptr) return;
  const bool total = role == ColumnRole::total;
  ReportColumn& column =
      AddColumn(table, ColumnId(measure, role), (total ? "total " : "") + std::string(info.title),
                CellType::integer,
                (total ? "Of the row and of all that counts below it. " : "Of the row itself. ") +
                    MeaningIn(store, measure));
  column.spec.unit = UnitOf(store, measure);
  column.spec.role = role;
  column.spec.shown = shown;
  column.spec.folds = Folds::sum;
  const Column<MeasureValues>& values = total ? table.total_values : table.self_values;
  column.stride = kMeasures;
  if (!values.empty()) column.first = values[0].data() + static_cast<size_t>(measure);
}

void AddMeasureColumns(const Store& store, Table& table, Attribute attribute, bool shown) {
  for (const Measure measure : MeasuresOf(attribute)) {
    AddMeasureColumn(store, table, measure, ColumnRole::self, shown);
    AddMeasureColumn(store, table, measure, ColumnRole::total, shown);
  }
}

void AddHiddenMeasures(const Store& store, Table& table) {
  for (const MeasureInfo& info : AllMeasures()) {
    AddMeasureColumn(store, table, info.measure, ColumnRole::self, false);
    AddMeasureColumn(store, table, info.measure, ColumnRole::total, false);
  }
}

}  // namespace tfprof
