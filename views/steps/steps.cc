// SPDX-License-Identifier: Apache-2.0
#include "views/steps/steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/intervals/span_statistics.h"
#include "analysis/place.h"
#include "analysis/steps/lane_steps.h"
#include "analysis/steps/step_selection.h"
#include "core/base/arith.h"
#include "core/report/table_def.h"
#include "views/columns/fill_columns.h"
#include "views/columns/measure_rows.h"
#include "views/steps/notes.h"
#include "views/steps/step_tables.h"

namespace tfprof {
namespace {

// A step with the sums of its lanes.
struct ProfileStep {
  int64_t number = 0;
  StepSpan span;
  int64_t since_first_ps = kNoInt;
  int64_t records = 0;
  int64_t host_ps = kNoInt;
  int64_t accelerator_ps = kNoInt;

  int64_t SpanPs() const { return span.SpanPs(); }
  std::string Name() const { return fmt::format("step {}", number); }
};

// Leaves the rows that -device, -host and -step let through.
Result<void> KeepAsked(const Store& store, const PlaceFilter& place, LaneSteps* lanes) {
  const std::vector<bool> in_place = LanesInPlace(store, place);
  std::erase_if(lanes->rows, [&](const LaneStep& row) {
    const bool asked = place.TakesStep(store.steps[row.step.value].number);
    return !asked || !in_place[row.lane.value];
  });
  return CheckStepOfProfile(store, place);
}

std::vector<ProfileStep> StepRows(const Store& store, const LaneSteps& lanes,
                                  const PlaceFilter& place) {
  std::vector<ProfileStep> rows(store.steps.size());
  int64_t first_ps = kNoTime;
  for (size_t i = 0; i < rows.size(); ++i) {
    rows[i].number = store.steps[i].number;
    rows[i].span = lanes.steps[i];
    const int64_t start_ps = lanes.steps[i].start_ps;
    if (start_ps == kNoTime) continue;
    first_ps = first_ps == kNoTime ? start_ps : std::min(first_ps, start_ps);
  }
  for (ProfileStep& row : rows) {
    if (row.span.start_ps != kNoTime) row.since_first_ps = SpanOf(first_ps, row.span.start_ps);
  }
  for (const LaneStep& lane : lanes.rows) {
    ProfileStep& row = rows[lane.step.value];
    row.records += lane.records;
    if (lane.records == lane.unplaced) continue;
    const Measures measures = store.lanes[lane.lane.value].measures;
    if (measures == Measures::host_time) AddPresent(lane.time_ps, &row.host_ps);
    if (measures == Measures::accelerator_time) AddPresent(lane.time_ps, &row.accelerator_ps);
  }
  std::erase_if(rows, [&](const ProfileStep& row) { return !place.TakesStep(row.number); });
  return rows;
}

Table ProfileStepsTable(const std::vector<ProfileStep>& rows, const SpanStatistics& spans) {
  Table table = MakeTable(kStepsStepsTable, rows.size());
  Fill(table, "step", rows, [](const ProfileStep& row) { return row.number; });
  Fill(table, "offset_us", rows, [](const ProfileStep& row) { return row.since_first_ps; });
  Fill(table, "duration_us", rows, [](const ProfileStep& row) { return row.SpanPs(); });
  AddOfMedian(
      rows, [&](const ProfileStep&) -> const SpanStatistics& { return spans; }, &table);
  Fill(table, "host_us", rows, [](const ProfileStep& row) { return row.host_ps; });
  Fill(table, "device_us", rows, [](const ProfileStep& row) { return row.accelerator_ps; });
  Fill(table, "count", rows, [](const ProfileStep& row) { return row.records; });
  return table;
}

void AddDeviceNames(const Store& store, const std::vector<LaneStep>& rows, Table& table) {
  ReportColumn& device = AddColumn(table, "device");
  for (const LaneStep& row : rows) {
    device.texts.push_back(store.Text(store.lanes[row.lane.value].display));
  }
}

Table DevicesTable(const Store& store, const std::vector<LaneStep>& rows) {
  Table table = MakeTable(kDevicesStepsTable, rows.size());
  Fill(table, "step", rows,
       [&](const LaneStep& row) { return store.steps[row.step.value].number; });
  AddDeviceNames(store, rows, table);
  Fill(table, "count", rows, [](const LaneStep& row) { return row.records; });
  const auto placed = [](const LaneStep& row, int64_t value) {
    return row.start_ps == kNoTime ? kNoInt : value;
  };
  Fill(table, "time_us", rows, [&](const LaneStep& row) { return placed(row, row.time_ps); });
  Fill(table, "busy_us", rows, [&](const LaneStep& row) { return placed(row, row.busy_ps); });
  Fill(table, "idle_us", rows, [](const LaneStep& row) { return row.IdlePs(); });
  Fill(table, "gaps", rows, [&](const LaneStep& row) { return placed(row, row.gaps); });
  Fill(table, "gap_us", rows,
       [](const LaneStep& row) { return row.gaps == 0 ? kNoInt : row.longest_gap_ps; });
  ReportColumn& after = AddColumn(table, "gap_before");
  for (const LaneStep& row : rows) after.texts.push_back(GapBefore(store, row));
  return table;
}

}  // namespace

Result<Report> Steps(const StorePtr& store, const Indexes& indexes, const Query& query,
                     Context& context) {
  if (!store->processes.empty()) return StepsOfTrace(store, indexes, query, context);
  TFPROF_ASSIGN(const auto accounts, indexes.Accounts(context));
  TFPROF_ASSIGN(LaneSteps lanes, LaneStepsOf(*store, context));
  TFPROF_TRY(KeepAsked(*store, query.place, &lanes));
  Report report = StartReport("steps", store, *accounts, query.place);
  report.properties.clear();  // every step is told
  const std::vector<ProfileStep> rows = StepRows(*store, lanes, query.place);
  const SpanStatistics spans = StatisticsOf(rows);
  TellDurations(spans, &report);
  TellOutliers(
      rows, [&](const ProfileStep&) -> const SpanStatistics& { return spans; }, &report);
  report.tables.push_back(ProfileStepsTable(rows, spans));
  report.tables.push_back(DevicesTable(*store, lanes.rows));
  if (store->steps.empty()) {
    report.notes.push_back(
        {"no step was recorded: trace one with "
         "RunOptions(trace_level=RunOptions.FULL_TRACE)",
         1, "", kNoInt});
  }
  return report;
}

TableDefs StepsTables() {
  static constexpr const TableDef* kAll[] = {&kStepsStepsTable, &kDevicesStepsTable};
  return kAll;
}

}  // namespace tfprof
