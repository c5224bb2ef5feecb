// SPDX-License-Identifier: Apache-2.0
#include "views/columns/measure_rows.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "analysis/place.h"
#include "core/report/column_names.h"
#include "core/store/note_catalogue.h"
#include "core/store/store.h"
#include "core/text/units.h"
#include "views/classic/node_tables.h"
#include "views/columns/fill_columns.h"
#include "views/columns/measure_meaning.h"
#include "views/columns/properties.h"
#include "views/view.h"

namespace tfprof {
namespace {

// The devices of step records whose times a row adds up: accelerators, if the profile has their
// time.
int64_t SummedDevices(const Report& report, const PlaceFilter& place) {
  const Store& store = *report.store;
  if (store.IsTrace()) return 1;
  const std::vector<uint32_t> device = DeviceLanes(store);
  const std::vector<bool> in_place = LanesMatchingPlace(store, place);
  const Measures what = report.scale.accelerated ? Measures::accelerator_time : Measures::host_time;
  std::set<uint32_t> devices;
  for (size_t i = 0; i < store.lanes.size(); ++i) {
    const Lane& lane = store.lanes[i];
    if (in_place[i] && lane.rows.count > 0 && lane.measures == what) devices.insert(device[i]);
  }
  return static_cast<int64_t>(devices.size());
}

std::string TextOf(const SummedOver& over) {
  std::string text;
  const auto add = [&](int64_t count, std::string_view what) {
    if (count > 1) text += (text.empty() ? "sum of " : ", ") + Counted(count, what);
  };
  add(over.devices, "device");
  add(over.hosts, "host");
  add(over.steps, "step");
  return text;
}

// Times of trace nodes are sums of events, over the whole trace unless a step is selected.
void AddStep(const PlaceFilter& place, Report* report) {
  const Store& store = *report->store;
  std::string what = DescribeScale(store, report->scale, place);
  Property& step = AddTextProperty({"step", what.empty() ? "" : "values"},
                                   store.IsTrace() ? "all" : "average", report);
  if (report->scale.exact && !store.IsTrace()) step.text = what.empty() ? "all" : what;
  if (place.SelectsSteps()) SetStep(place, report);
  step.display_text = std::move(what);
  if (report->scale.exact) AddSummedOver({.devices = SummedDevices(*report, place)}, &step);
}

// Counts the executions that take no time in the unit of their file.
void NoteResolution(const Store& store, Report* report) {
  if (store.IsTrace() || store.has_nanoseconds) return;
  int64_t placed = 0, shorter = 0;
  for (const Lane& lane : store.lanes) {
    const uint32_t end = lane.rows.first + lane.rows.count;
    placed += lane.rows.count - lane.unplaced;
    for (uint32_t row = lane.rows.first + lane.unplaced; row < end; ++row) {
      if (store.events.duration_ps[row] == 0) ++shorter;
    }
  }
  const bool rounds_up = std::any_of(store.sources.begin(), store.sources.end(),
                                     [](const Source& source) { return source.rounds_up; });
  if (shorter > 0) {
    report->notes.push_back({note::shorter_than_resolution, shorter, "", kNoInt});
  } else if (rounds_up && placed > 0) {
    report->notes.push_back({note::whole_microseconds, 1, "", kNoInt});
  }
}

Measure FirstMeasure(const Display& display) {
  for (const Attribute attribute : display.select) {
    if (Info(attribute).measures > 0) return Info(attribute).first_measure;
  }
  return Measure::micros;
}

}  // namespace

std::string DescribeScale(const Store& store, const MeasureScale& scale, const PlaceFilter& place) {
  if (!scale.exact || store.IsTrace() || store.steps.size() < 2) return {};
  if (scale.steps == 1) {
    for (const Step& step : store.steps) {
      if (place.TakesStep(step.number)) return fmt::format("step {}", step.number);
    }
  }
  return fmt::format("{} of {} steps", place.sum_steps ? "sum" : "mean", scale.steps);
}

void AddSummedOver(const SummedOver& over, Property* step) {
  const std::string text = TextOf(over);
  if (text.empty()) return;
  step->head = "values";
  step->display_text += (step->display_text.empty() ? "" : ", ") + text;
}

void SetStep(const PlaceFilter& place, Report* report) {
  for (Property& property : report->properties) {
    if (property.id != "step") continue;
    const bool is_range = place.last_step >= 0;
    property.type = is_range ? CellType::text : CellType::integer;
    if (is_range && report->scale.exact && !report->store->IsTrace()) continue;
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
  report.scale = ScaleOf(*store, place);
  report.scale.accelerated = place.exact && IsAccelerated(*store);
  AddStep(place, &report);
  const int64_t steps = store->IsTrace() ? kNoInt : static_cast<int64_t>(store->steps.size());
  AddIntegerProperty({"steps"}, steps, Unit::count, &report);
  if (place.exact) NoteResolution(*store, &report);
  return report;
}

void AddNotesOf(const NodeSums& sums, Report* report) {
  report->notes.insert(report->notes.end(), sums.notes.begin(), sums.notes.end());
}

void AddTotals(Report& report, const MeasureValues& totals) {
  for (const MeasureInfo& info : AllMeasures()) {
    if (!report.scale.Offers(info.measure)) continue;
    Property& total = AddIntegerProperty({}, At(totals, info.measure),
                                         report.scale.UnitOf(info.measure), &report);
    total.divisor = report.scale.DivisorOf(info.measure);
    total.id = "total_" + std::string(info.column);
    total.original = OriginalId(info.measure, ColumnRole::total);
  }
}

void FillTree(Table& table, ShownRows* shown, const OwnValues& own,
              std::span<const uint8_t> accounted) {
  table.tree = true;
  table.rows = shown->row.size();
  table.parent = shown->parent;
  table.depth = shown->depth;
  table.total_values = std::move(shown->totals);
  ReportColumn& column = AddColumn(table, "accounted");
  column.spec.shown = false;
  column.integers.reserve(table.rows);
  table.self_values.Reserve(table.rows);
  for (size_t i = 0; i < table.rows; ++i) {
    const uint32_t row = shown->row[i];
    own.Prefetch(row + OwnValues::kAhead);
    MeasureValues self = MarkAbsent(own.Values(row), own.Presence(row));
    if (row == 0) At(self, Measure::definition_count) = 0;  // the root is not a node
    table.self_values.Push(self);
    MeasureValues& total = table.total_values[i];
    total = MarkAbsent(total, shown->present[i]);
    column.integers.push_back(row != 0 && (accounted.empty() || accounted[row] != 0));
  }
}

void SetScale(const MeasureScale& scale, Measure measure, ReportColumn* column) {
  column->spec.unit = scale.UnitOf(measure);
  column->spec.divisor = scale.DivisorOf(measure);
}

void AddMeasureColumn(const Report& report, Table& table, Measure measure, ColumnRole role,
                      bool shown) {
  if (!report.scale.Offers(measure)) return;
  const bool total = role == ColumnRole::total;
  const std::string_view id = total ? Info(measure).inclusive : Info(measure).column;
  if (table.Find(id) != nullptr) return;
  ReportColumn& column = AddColumn(table, id);
  column.spec.meaning = MeaningIn(*report.store, report.scale, measure, total);
  SetScale(report.scale, measure, &column);
  column.spec.role = role;
  column.spec.beside_time =
      report.scale.accelerated && measure == Measure::cpu_micros && role == ColumnRole::self;
  column.spec.shown = shown;
  const Column<MeasureValues>& values = total ? table.total_values : table.self_values;
  column.stride = kMeasures;
  if (!values.empty()) column.first = values[0].data() + static_cast<size_t>(measure);
}

void AddMeasureColumns(const Report& report, Table& table, Attribute attribute, bool shown) {
  for (const MeasureInfo& info : MeasuresOf(attribute)) {
    AddMeasureColumn(report, table, info.measure, ColumnRole::self, shown);
    AddMeasureColumn(report, table, info.measure, ColumnRole::total, shown);
  }
}

void AddHiddenMeasures(const Report& report, Table& table) {
  for (const MeasureInfo& info : AllMeasures()) {
    AddMeasureColumn(report, table, info.measure, ColumnRole::self, false);
    AddMeasureColumn(report, table, info.measure, ColumnRole::total, false);
  }
}

void AddShare(const Report& report, const Display& display, Table& table) {
  const ColumnDef* const def = table.def->Find("share_pct");
  if (def == nullptr || !def->on_request || !IsRequested(*def, display)) return;
  const Measure by = MeasureOf(display.order_by).value_or(FirstMeasure(display));
  const Property* const total = report.Find("total_" + std::string(Info(by).column));
  const int64_t whole = total == nullptr || total->integer <= 0 ? kNoInt : total->integer;
  const Column<MeasureValues>& values = table.tree ? table.total_values : table.self_values;
  ReportColumn& column = Fill(table, def->id, values, [&](const MeasureValues& row) {
    return Quotient(At(row, by), whole);
  });
  Display selected = display;
  selected.where = {};
  selected.order_column.clear();
  column.spec.human_readable = IsRequested(*def, selected);
}

void AddBothTimes(const Report& report, const Display& display, Table& table) {
  if (!display.sums_times || !report.scale.accelerated) return;
  ReportColumn& column = AddColumn(table, "device_host_us");
  SetScale(report.scale, Measure::micros, &column);
  column.spec.beside_time = true;
  const Column<MeasureValues>& values = table.tree ? table.total_values : table.self_values;
  for (const MeasureValues& row : values) {
    int64_t sum = At(row, Measure::accelerator_micros);
    if (At(row, Measure::cpu_micros) != kNoInt) AddPresent(At(row, Measure::cpu_micros), &sum);
    column.integers.push_back(sum);
  }
}

}  // namespace tfprof
