// SPDX-License-Identifier: Apache-2.0
#include "views/columns/measure_rows.h"

#include "core/store/note_catalogue.h"
#include "core/store/store.h"
#include "views/classic/node_tables.h"
#include "views/columns/measure_meaning.h"
#include "views/columns/properties.h"
#include "views/view.h"

namespace tfprof {
void SetStep(const PlaceFilter& place, Report* report) {
  for (Property& property : report->properties) {
    if (property.id != "step") continue;
    const bool is_range = place.last_step >= 0;
    property.type = is_range ? CellType::text : CellType::integer;
    property.text = is_range ? place.StepText() : std::string();
    property.integer = is_range ? kNoInt : place.step;
  }
}

Report StartReport(std::string_view view, const StorePtr& store, const NodeAccounts& accounts,
                   const PlaceFilter& place) {
  Report report = NewReport(view, store, accounts.notes);
  if (store->nodes.empty() && !store->IsTrace() && store->EventCount() > 0) {
    report.notes.push_back(
        {note::events_without_node, static_cast<int64_t>(store->EventCount()), "", kNoInt});
  }
  // Times of trace nodes are sums of events, over the whole trace unless a step is selected.
  const bool is_trace = store->IsTrace();
  AddTextProperty({"step"}, is_trace ? "all" : "average", &report);
  if (place.SelectsSteps()) SetStep(place, &report);
  const int64_t steps = is_trace ? kNoInt : static_cast<int64_t>(store->steps.size());
  AddIntegerProperty({"steps"}, steps, Unit::count, &report);
  return report;
}

void AddTotals(Report& report, const MeasureValues& sums, uint8_t present) {
  const MeasureValues values = MarkAbsent(sums, present);
  for (const MeasureInfo& info : AllMeasures()) {
    Property& total = AddIntegerProperty({}, At(values, info.measure),
                                         UnitOf(*report.store, info.measure), &report);
    total.id = "total_" + std::string(info.column);
    total.original = OriginalId(info.measure, ColumnRole::total);
  }
}

void FillTree(Table& table, const ShownRows& shown, const OwnValues& own,
              std::span<const uint8_t> accounted) {
  table.tree = true;
  table.rows = shown.row.size();
  table.parent = shown.parent;
  table.depth = shown.depth;
  ReportColumn& column = AddColumn(table, "accounted");
  column.spec.shown = false;
  column.integers.reserve(table.rows);
  table.self_values.Reserve(table.rows);
  table.total_values.Reserve(table.rows);
  for (size_t i = 0; i < table.rows; ++i) {
    const uint32_t row = shown.row[i];
    MeasureValues self = MarkAbsent(own.Values(row), own.Presence(row));
    if (row == 0) At(self, Measure::definition_count) = 0;  // the root is not a node
    table.self_values.Push(self);
    table.total_values.Push(MarkAbsent(shown.totals[i], shown.present[i]));
    column.integers.push_back(row != 0 && (accounted.empty() || accounted[row] != 0));
  }
}

void AddMeasureColumn(const Store& store, Table& table, Measure measure, ColumnRole role,
                      bool shown) {
  const bool total = role == ColumnRole::total;
  const std::string_view id = total ? Info(measure).inclusive : Info(measure).column;
  if (table.Find(id) != nullptr) return;
  ReportColumn& column = AddColumn(table, id);
  column.spec.meaning = MeaningIn(store, measure, total);
  column.spec.unit = UnitOf(store, measure);
  column.spec.role = role;
  column.spec.shown = shown;
  const Column<MeasureValues>& values = total ? table.total_values : table.self_values;
  column.stride = kMeasures;
  if (!values.empty()) column.first = values[0].data() + static_cast<size_t>(measure);
}

void AddMeasureColumns(const Store& store, Table& table, Attribute attribute, bool shown) {
  for (const MeasureInfo& info : MeasuresOf(attribute)) {
    AddMeasureColumn(store, table, info.measure, ColumnRole::self, shown);
    AddMeasureColumn(store, table, info.measure, ColumnRole::total, shown);
  }
}

void AddHiddenMeasures(const Store& store, Table& table) {
  for (const MeasureInfo& info : AllMeasures()) {
    AddMeasureColumn(store, table, info.measure, ColumnRole::self, false);
    AddMeasureColumn(store, table, info.measure, ColumnRole::total, false);
  }
}

}  // namespace tfprof
