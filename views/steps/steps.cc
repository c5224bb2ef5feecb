// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/intervals/span_statistics.h"
#include "analysis/nodes/accounting.h"
#include "analysis/place.h"
#include "analysis/steps/step_selection.h"
#include "analysis/steps/step_table.h"
#include "core/base/arith.h"
#include "core/store/note_catalogue.h"
#include "core/text/short_name.h"
#include "views/columns/fill_columns.h"
#include "views/columns/measure_rows.h"
#include "views/steps/notes.h"

namespace tfprof {
namespace {

constexpr ColumnDef kStepsStepsColumns[] = {
    TextDef("host", "host", "Host of the step."),
    IntegerDef("step", "step", Unit::none, "Step number, as -step takes it."),
    TextDef("name", "name", "Step name."),
    IntegerDef("offset_us", "start", Unit::ps, "Start, from the start of the earliest step.")
        .Was("start_ps"),
    IntegerDef("wall_us", "wall time", Unit::ps, kWallTimeMeaning),
    IntegerDef("duration_us", "duration", Unit::ps,
               "From the first start to the last end of its records.")
        .Was("duration_ps"),
    RealDef("of_median_pct", "% of median", Unit::percent,
            "Duration relative to the median step of the same host."),
    IntegerDef("host_us", "cpu time", Unit::ps,
               "Sum of cpu durations; concurrent executions count each.")
        .Was("cpu_ps"),
    IntegerDef("device_us", "accelerator time", Unit::ps, "Sum of accelerator durations.")
        .Was("accelerator_ps"),
    CountDef("count", "records", "Executions.").Was("records").Droppable(),
};
constexpr TableDef kStepsStepsTable{"steps", "", kStepsStepsColumns};

constexpr ColumnDef kDevicesStepsColumns[] = {
    TextDef("host", "host", "Host of the step."),
    IntegerDef("step", "step", Unit::none, "Step number, as -step takes it."),
    TextDef("device", "device", "Name, as recorded."),
    IntegerDef("step_us", "device step", Unit::ps,
               "Length of the step on the device: its event on the Steps line; else, where most of "
               "its work ran outside the host's step, from its first to its last event.")
        .Was("step_ps")
        .ForMachines(),
    CountDef("count", "records", "Executions.").Was("records").Droppable(),
    IntegerDef("time_us", "time", Unit::ps, "Sum of durations; concurrent executions count each.")
        .Was("time_ps"),
    IntegerDef("busy_us", "busy", Unit::ps, "Union of the activity.").Was("busy_ps"),
    IntegerDef("stalled_us", "stalled", Unit::ps,
               "Part of the busy time in which a TPU is stalled on async copies, collectives and "
               "the like; other devices do not record it.")
        .Was("waiting_ps"),
    IntegerDef("exposed_us", "exposed comm", Unit::ps,
               "Part of the busy time in which only collectives run: exchanging data or waiting "
               "for other devices. Absent where none ran.")
        .Was("exchange_ps"),
    IntegerDef("other_steps_us", "other steps", Unit::ps,
               "Time of the step in which the device ran only work of other steps or of none. Not "
               "computed for hosts.")
        .Was("others_ps")
        .ForMachines(),
    IntegerDef("idle_us", "idle", Unit::ps, "Time of the step in which nothing ran on the device.")
        .Was("idle_ps"),
    CountDef("gaps", "gaps", "Number of idle gaps."),
    IntegerDef("gap_us", "longest gap", Unit::ps, "Longest idle gap.").Was("longest_gap_ps"),
    TextDef("gap_before", "full name of gap before", "Event that ended the longest gap.")
        .ForMachines(),
    TextDef("short_gap_before", "gap before",
            "Event that ended the longest gap; names of kernels as in `kernels`.")
        .Droppable(),
};
constexpr TableDef kDevicesStepsTable{"devices", "", kDevicesStepsColumns};

// A row of table steps, or of table devices, with its step.
struct StepCells {
  const Store& store;
  const StepRow& step;

  int64_t SpanPs() const { return step.SpanPs(); }
  std::string Name() const { return StepName(store, step.host, step.number); }
  std::string_view Host() const {
    return step.host.some() ? HostName(store, step.host) : std::string_view();
  }
};
struct DeviceCells : StepCells {
  const DeviceStep& row;

  int64_t IfPlaced(int64_t value) const { return row.IsPlaced() ? value : kNoInt; }
  // Absent for threads that work for a step of devices: the value is unknown.
  int64_t IfIdle(int64_t value) const { return row.HasIdle() ? value : kNoInt; }
  bool HasUsualDuration() const { return !row.HasIdle() || row.step_ps == SpanPs(); }
  bool IsDeviceOfTrace() const {
    return row.process.some() && MeasuresOf(store, row) == Measures::accelerator_time;
  }
};

std::vector<StepCells> SelectedSteps(const Store& store, const StepTables& tables,
                                     const PlaceFilter& place) {
  std::vector<StepCells> selected;
  for (const StepRow& step : tables.steps) {
    if (place.TakesStep(step.number)) selected.push_back({store, step});
  }
  return selected;
}

std::vector<DeviceCells> SelectedDevices(const Store& store, const StepTables& tables,
                                         const PlaceFilter& place) {
  std::vector<DeviceCells> selected;
  for (const DeviceStep& row : tables.devices) {
    const StepRow& step = tables.steps[row.step];
    if (place.TakesStep(step.number)) selected.push_back({{store, step}, row});
  }
  return selected;
}

// Statistics by host; steps without a host are last. A host is compared only with itself: others
// may do other work, or be other machines.
class HostStatistics {
 public:
  HostStatistics(const Store& store, const std::vector<StepCells>& rows) {
    std::vector<std::vector<StepCells>> by_host(store.hosts.size() + 1);
    for (const StepCells& row : rows) by_host[Place(row)].push_back(row);
    for (const auto& of_host : by_host) found_.push_back(StatisticsOf(of_host));
  }
  const SpanStatistics& operator()(const StepCells& row) const { return found_[Place(row)]; }

 private:
  static size_t Place(const StepCells& row) {
    const size_t none = row.store.hosts.size();
    return row.step.host.some() ? row.step.host.value : none;
  }
  std::vector<SpanStatistics> found_;
};

// Returns the earliest start of all steps, whichever -step selects.
int64_t FirstStartOf(const StepTables& tables) {
  int64_t first_ps = kMaxPs;
  for (const StepRow& step : tables.steps) {
    if (step.start_ps != kNoTime) first_ps = std::min(first_ps, step.start_ps);
  }
  return first_ps;
}

Table StepsTable(const StepTables& tables, const std::vector<StepCells>& rows,
                 const HostStatistics& of_hosts, TextPool* pool) {
  const int64_t first_ps = FirstStartOf(tables);
  Table table = MakeTable(kStepsStepsTable, rows.size());
  Fill(table, "host", rows, [](const StepCells& c) { return c.Host(); }).spec.human_readable =
      tables.hosts.size() > 1;
  Fill(table, "step", rows, [](const StepCells& c) { return c.step.number; });
  Fill(table, "name", rows, [&](const StepCells& c) {
    return pool->Keep(c.step.name);
  }).spec.human_readable = std::any_of(rows.begin(), rows.end(), [](const StepCells& c) {
    return c.step.name != std::to_string(c.step.number);
  });
  Fill(table, "offset_us", rows, [&](const StepCells& c) {
    return c.step.start_ps == kNoTime ? kNoInt : SpanOf(first_ps, c.step.start_ps);
  });
  FillWallTime(
      rows, [](const StepCells& c) -> const StepRow& { return c.step; }, &table);
  Fill(table, "duration_us", rows, [](const StepCells& c) { return c.SpanPs(); });
  AddOfMedian(rows, of_hosts, &table);
  Fill(table, "host_us", rows, [](const StepCells& c) { return c.step.host_ps; });
  Fill(table, "device_us", rows, [](const StepCells& c) { return c.step.accelerator_ps; });
  Fill(table, "count", rows, [](const StepCells& c) { return c.step.records; });
  return table;
}

// Readers see kernels by their short names; those of host events stay.
void AddGapBefore(const std::vector<DeviceCells>& rows, const Query& query, Report* report,
                  Table* table) {
  const auto full = [](const DeviceCells& c) { return GapBefore(c.store, c.row); };
  std::vector<std::string_view> names = Fill(*table, "gap_before", rows, full).texts;
  if (query.display.original_ids) return;
  const std::vector<std::string> short_names = ShortNames(names);
  for (size_t i = 0; i < rows.size(); ++i) {
    if (!names[i].empty() && rows[i].IsDeviceOfTrace()) {
      names[i] = report->pool->Keep(short_names[i]);
    }
  }
  Fill(*table, "short_gap_before", names, [](std::string_view name) { return name; });
}

Table DevicesTable(const std::vector<DeviceCells>& rows, bool hosts, const Query& query,
                   Report* report) {
  Table table = MakeTable(kDevicesStepsTable, rows.size());
  Fill(table, "host", rows, [](const DeviceCells& c) { return c.Host(); }).spec.human_readable =
      hosts;
  Fill(table, "step", rows, [](const DeviceCells& c) { return c.step.number; });
  Fill(table, "device", rows, [](const DeviceCells& c) { return DeviceName(c.store, c.row); });
  Fill(table, "step_us", rows, [](const DeviceCells& c) {
    return c.row.step_ps;
  }).spec.human_readable = !std::all_of(rows.begin(), rows.end(), [](const DeviceCells& c) {
    return c.HasUsualDuration();
  });
  Fill(table, "count", rows, [](const DeviceCells& c) { return c.row.records; });
  Fill(table, "time_us", rows, [](const DeviceCells& c) { return c.IfPlaced(c.row.time_ps); });
  Fill(table, "busy_us", rows, [](const DeviceCells& c) { return c.IfPlaced(c.row.busy_ps); });
  const auto where_some = [&](std::string_view id, auto cell) {
    ReportColumn& column = Fill(table, id, rows, cell);
    column.spec.human_readable =
        std::ranges::any_of(column.integers, [](int64_t ps) { return ps > 0; });
  };
  where_some("stalled_us", [](const DeviceCells& c) { return c.row.stalled_ps; });
  where_some("exposed_us", [](const DeviceCells& c) { return c.row.exchange_ps; });
  where_some("other_steps_us", [](const DeviceCells& c) {
    return c.IsDeviceOfTrace() ? c.IfIdle(c.row.others_ps) : kNoInt;
  });
  Fill(table, "idle_us", rows, [](const DeviceCells& c) { return c.row.IdlePs(); });
  Fill(table, "gaps", rows, [](const DeviceCells& c) { return c.IfIdle(c.row.gaps); });
  Fill(table, "gap_us", rows, [](const DeviceCells& c) {
    return c.row.gaps == 0 ? kNoInt : c.IfIdle(c.row.longest_gap_ps);
  });
  AddGapBefore(rows, query, report, &table);
  return table;
}

void NoteWithoutStep(const std::vector<DeviceCells>& rows, Report* report) {
  const bool any = std::any_of(rows.begin(), rows.end(), [](const DeviceCells& c) {
    return c.row.process.some() && !c.row.HasIdle() &&
           MeasuresOf(c.store, c.row) == Measures::host_time;
  });
  if (any) report->notes.push_back({note::host_idle_not_known, 1, "", kNoInt});
}

// Adds a note if threads that mark the steps recorded events without a duration, whose time `busy`
// cannot include.
void NoteMoments(const StepTables& tables, const PlaceFilter& place, Report* report) {
  constexpr double kMinMentionedFraction = 0.01;  // fraction of the steps
  double steps_ps = 0, held_ps = 0;
  std::vector<bool> of_threads;  // by step: threads mark it, and -step selects it
  for (const HostSteps& host : tables.hosts) {
    for (const StepTime& step : host.steps) {
      of_threads.push_back(!host.has_device() && place.TakesStep(step.number));
      if (!of_threads.back()) continue;
      steps_ps += static_cast<double>(step.duration_ps);
      held_ps += static_cast<double>(step.duration_ps - step.OtherPs());
    }
  }
  if (steps_ps == 0) return;
  for (const DeviceStep& row : tables.devices) {
    if (of_threads[row.step]) held_ps -= static_cast<double>(row.busy_ps);
  }
  if (held_ps < kMinMentionedFraction * steps_ps) return;
  report->notes.push_back({note::moments_are_not_busy, 1, "", static_cast<int64_t>(held_ps)});
}

void NoteAllSteps(const Store& store, const StepTables& tables, const PlaceFilter& place,
                  Report* report) {
  if (!store.IsTrace()) {
    if (tables.steps.empty()) report->notes.push_back({note::no_step_recorded, 1, "", kNoInt});
    return;
  }
  size_t longest = 0;
  for (const HostSteps& host : tables.hosts) longest = std::max(longest, host.steps.size());
  NoteSteps(store, tables.hosts, place, longest, false, report);
}

Result<Report> StartSteps(const StorePtr& store, const Indexes& indexes, const PlaceFilter& place,
                          Context& context) {
  Report report = NewReport("steps", store);
  if (store->IsTrace()) return report;
  TFPROF_ASSIGN(const auto accounts, indexes.Get<NodeAccounts>(context));
  report = StartReport("steps", store, *accounts, place);
  report.properties.clear();  // the table has a row for every step
  return report;
}

}  // namespace

Result<Report> Steps(const StorePtr& store, const Indexes& indexes, const Query& query,
                     Context& context) {
  TFPROF_ASSIGN(const StepTables tables,
                StepTablesOf(*store, indexes, query.place, StepPlanes::all, context));
  const std::vector<StepCells> steps = SelectedSteps(*store, tables, query.place);
  if (query.place.SelectsSteps() && steps.empty()) {
    std::set<int64_t> numbers;
    for (const StepRow& step : tables.steps) numbers.insert(step.number);
    return NoSuchStep(query.place, {numbers.begin(), numbers.end()});
  }
  TFPROF_ASSIGN(Report report, StartSteps(store, indexes, query.place, context));
  const std::vector<DeviceCells> devices = SelectedDevices(*store, tables, query.place);
  NoteAllSteps(*store, tables, query.place, &report);
  NoteWithoutStep(devices, &report);
  NoteMoments(tables, query.place, &report);
  AddDurationStatistics(StatisticsOf(steps), query.display, &report);
  AddTimesOf("step_times_of", TimesOf::all_hosts, tables.hosts, "duration", &report);
  const HostStatistics of_hosts(*store, steps);
  AddOutliers(steps, of_hosts, &report);
  report.tables.push_back(StepsTable(tables, steps, of_hosts, report.pool.get()));
  report.tables.push_back(DevicesTable(devices, tables.hosts.size() > 1, query, &report));
  return report;
}

TableDefs StepsTables() { return {&kStepsStepsTable, &kDevicesStepsTable}; }

}  // namespace tfprof
