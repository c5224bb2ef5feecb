// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "analysis/indexes.h"
#include "analysis/intervals/span_statistics.h"
#include "analysis/place.h"
#include "analysis/steps/lane_steps.h"
#include "analysis/steps/step_selection.h"
#include "analysis/steps/trace_steps.h"
#include "core/base/arith.h"
#include "core/report/table_def.h"
#include "views/columns/fill_columns.h"
#include "views/steps/notes.h"
#include "views/steps/step_tables.h"
#include "views/steps/steps.h"

namespace tfprof {
namespace {

struct StepRow {
  const Store& store;
  HostId of_host;
  std::string_view host;
  StepTime step;
  int64_t since_first_ps = 0;
  int64_t records = 0;
  int64_t host_ps = kNoInt;
  int64_t accelerator_ps = kNoInt;
  int64_t SpanPs() const { return step.duration_ps; }
  std::string Name() const { return StepName(store, of_host, step.number); }
};

struct DeviceRow {
  std::string_view host;
  int64_t step = 0;
  int64_t step_ps = 0;  // of the host
  PlaneStep of;

  // What cannot be told of threads that work for a step of devices.
  int64_t IfIdle(int64_t value) const { return of.HasIdle() ? value : kNoInt; }
  bool LastsAsElsewhere() const { return of.step_ps == kNoInt || of.step_ps == step_ps; }
};

struct Rows {
  std::vector<StepRow> steps;
  std::vector<DeviceRow> devices;
};

void AddHost(const Store& store, const HostSteps& host, std::string_view name,
             const std::vector<PlaneStep>& planes, const PlaceFilter& place, Rows* out) {
  std::vector<StepRow> steps;
  for (const StepTime& step : host.steps) steps.push_back({store, host.host, name, step});
  for (const PlaneStep& plane : planes) {
    StepRow& row = steps[plane.step];
    const bool is_host = store.processes[plane.process.value].kind == ProcessKind::host;
    row.records += plane.records;
    AddPresent(plane.time_ps, is_host ? &row.host_ps : &row.accelerator_ps);
    const bool asked = place.TakesStep(row.step.number);
    if (asked) out->devices.push_back({name, row.step.number, row.SpanPs(), plane});
  }
  for (StepRow& row : steps) {
    if (place.TakesStep(row.step.number)) out->steps.push_back(std::move(row));
  }
}

// From the first step that was recorded, whichever -step asks for.
void CountFromFirst(const std::vector<HostSteps>& hosts, std::vector<StepRow>* rows) {
  int64_t first_ps = kMaxPs;
  for (const HostSteps& host : hosts) {
    for (const StepTime& step : host.steps) first_ps = std::min(first_ps, step.start_ps);
  }
  for (StepRow& row : *rows) row.since_first_ps = SpanOf(first_ps, row.step.start_ps);
}

// By host. One is compared with itself: others may do other work, or be other machines.
std::vector<SpanStatistics> StatisticsOfHosts(const Store& store,
                                              const std::vector<StepRow>& rows) {
  struct Span {
    int64_t ps;
    int64_t SpanPs() const { return ps; }
  };
  std::vector<std::vector<Span>> of_hosts(store.hosts.size());
  for (const StepRow& row : rows) of_hosts[row.of_host.value].push_back({row.SpanPs()});
  std::vector<SpanStatistics> found;
  for (const std::vector<Span>& of_host : of_hosts) found.push_back(StatisticsOf(of_host));
  return found;
}

Table StepsTable(const std::vector<StepRow>& rows, const std::vector<SpanStatistics>& of_hosts,
                 bool hosts, TextPool* pool) {
  Table table = MakeTable(kStepsStepsTable, rows.size());
  ReportColumn& host = AddColumn(table, "host");
  Fill(host, rows, [](const StepRow& row) { return row.host; });
  host.spec.people = hosts;
  Fill(table, "step", rows, [](const StepRow& row) { return row.step.number; });
  ReportColumn& name = AddColumn(table, "name");
  Fill(name, rows, [&](const StepRow& row) { return pool->Keep(row.step.name); });
  name.spec.people = std::any_of(rows.begin(), rows.end(), [](const StepRow& row) {
    return row.step.name != std::to_string(row.step.number);
  });
  Fill(table, "offset_us", rows, [](const StepRow& row) { return row.since_first_ps; });
  Fill(table, "duration_us", rows, [](const StepRow& row) { return row.SpanPs(); });
  AddOfMedian(
      rows,
      [&](const StepRow& row) -> const SpanStatistics& { return of_hosts[row.of_host.value]; },
      &table);
  Fill(table, "host_us", rows, [](const StepRow& row) { return row.host_ps; });
  Fill(table, "device_us", rows, [](const StepRow& row) { return row.accelerator_ps; });
  Fill(table, "count", rows, [](const StepRow& row) { return row.records; });
  return table;
}

Table DevicesTable(const Store& store, const std::vector<DeviceRow>& rows, bool hosts) {
  Table table = MakeTable(kDevicesStepsTable, rows.size());
  ReportColumn& host = AddColumn(table, "host");
  Fill(host, rows, [](const DeviceRow& row) { return row.host; });
  host.spec.people = hosts;
  Fill(table, "step", rows, [](const DeviceRow& row) { return row.step; });
  Fill(table, "device", rows, [&](const DeviceRow& row) {
    return store.Text(store.processes[row.of.process.value].name);
  });
  Fill(table, "step_us", rows, [](const DeviceRow& row) { return row.of.step_ps; }).spec.people =
      !std::all_of(rows.begin(), rows.end(),
                   [](const DeviceRow& row) { return row.LastsAsElsewhere(); });
  Fill(table, "count", rows, [](const DeviceRow& row) { return row.of.records; });
  Fill(table, "time_us", rows, [](const DeviceRow& row) { return row.of.time_ps; });
  Fill(table, "busy_us", rows, [](const DeviceRow& row) { return row.of.busy_ps; });
  const auto where_some = [&](std::string_view id, auto cell) {
    ReportColumn& column = Fill(table, id, rows, cell);
    column.spec.people = std::any_of(column.integers.begin(), column.integers.end(),
                                     [](int64_t ps) { return ps > 0; });
  };
  where_some("stalled_us", [](const DeviceRow& row) { return row.of.waiting_ps; });
  where_some("exposed_us", [](const DeviceRow& row) { return row.of.exchange_ps; });
  where_some("other_steps_us", [&](const DeviceRow& row) {
    const auto kind = store.processes[row.of.process.value].kind;
    return kind == ProcessKind::device ? row.IfIdle(row.of.others_ps) : kNoInt;
  });
  Fill(table, "idle_us", rows, [](const DeviceRow& row) { return row.of.IdlePs(); });
  Fill(table, "gaps", rows, [](const DeviceRow& row) { return row.IfIdle(row.of.gaps); });
  Fill(table, "gap_us", rows, [](const DeviceRow& row) {
    return row.of.gaps == 0 ? kNoInt : row.IfIdle(row.of.longest_gap_ps);
  });
  Fill(table, "gap_before", rows, [&](const DeviceRow& row) {
    return row.of.HasIdle() ? GapBefore(store, row.of) : std::string_view();
  });
  return table;
}

constexpr std::string_view kNoIdle =
    "steps are marked by devices: hosts work for a step before and after it, so their idle time in "
    "it is unknown; -device host:CPU shows their own steps, if they marked any";

void NoteWithoutStep(const Store& store, const std::vector<DeviceRow>& rows, Report* report) {
  const bool any = std::any_of(rows.begin(), rows.end(), [&](const DeviceRow& row) {
    return store.processes[row.of.process.value].kind == ProcessKind::host &&
           row.of.step_ps == kNoInt;
  });
  if (any) report->notes.push_back({std::string(kNoIdle), 1, "", kNoInt});
}

using PlaneSteps = std::vector<std::vector<PlaneStep>>;  // by host

constexpr std::string_view kHeld =
    "busy time counts events with a duration; `overview`, `input` and `pod`, like xprof, extend an "
    "event without one to the start of the next event of its kind";

// Where threads that tell the steps report moments, whose time `busy` cannot have.
void NoteMoments(const std::vector<HostSteps>& hosts, const PlaneSteps& planes,
                 const PlaceFilter& place, Report* report) {
  constexpr double kWorthAWord = 0.01;  // of the steps
  double steps_ps = 0, held_ps = 0;
  for (size_t i = 0; i < hosts.size(); ++i) {
    if (hosts[i].has_device()) continue;
    for (const StepTime& step : hosts[i].steps) {
      if (!place.TakesStep(step.number)) continue;
      steps_ps += static_cast<double>(step.duration_ps);
      held_ps += static_cast<double>(step.duration_ps - step.OtherPs());
    }
    for (const PlaneStep& row : planes[i]) {
      const bool asked = place.TakesStep(hosts[i].steps[row.step].number);
      if (asked) held_ps -= static_cast<double>(row.busy_ps);
    }
  }
  if (steps_ps == 0 || held_ps < kWorthAWord * steps_ps) return;
  report->notes.push_back({std::string(kHeld), 1, "", static_cast<int64_t>(held_ps)});
}

// Of all places they are kept.
Result<IndexPtr<PlaneSteps>> PlaneStepsOfHosts(const Store& store, const Indexes& indexes,
                                               const std::vector<HostSteps>& hosts,
                                               const PlaceFilter& place, Context& context) {
  if (place.host.empty() && place.device.empty()) return indexes.StepsOfPlanes(context);
  TFPROF_ASSIGN(const auto groups, indexes.Groups(context));
  PlaneSteps by_host;
  for (const HostSteps& host : hosts) {
    TFPROF_ASSIGN(by_host.emplace_back(),
                  PlaneStepsOf(store, indexes, *groups, host, place, context));
  }
  return std::make_shared<const PlaneSteps>(std::move(by_host));
}

}  // namespace

Result<Report> StepsOfTrace(const StorePtr& store, const Indexes& indexes, const Query& query,
                            Context& context) {
  TFPROF_ASSIGN(const auto hosts, MeasureSteps(*store, indexes, query.place, context));
  TFPROF_ASSIGN(const auto planes, PlaneStepsOfHosts(*store, indexes, hosts, query.place, context));
  Report report;
  report.view = "steps";
  report.store = store;
  report.notes = store->notes;
  Rows rows;
  size_t longest = 0;
  for (size_t i = 0; i < hosts.size(); ++i) {
    const HostSteps& host = hosts[i];
    longest = std::max(longest, host.steps.size());
    AddHost(*store, host, HostName(*store, host.host), (*planes)[i], query.place, &rows);
  }
  if (query.place.step >= 0 && rows.steps.empty()) {
    std::set<int64_t> numbers;
    for (const HostSteps& host : hosts) {
      for (const StepTime& step : host.steps) numbers.insert(step.number);
    }
    return NoSuchStep(query.place, {numbers.begin(), numbers.end()});
  }
  CountFromFirst(hosts, &rows.steps);
  NoteSteps(*store, hosts, query.place, longest, false, &report);
  NoteWithoutStep(*store, rows.devices, &report);
  NoteMoments(hosts, *planes, query.place, &report);
  TellDurations(StatisticsOf(rows.steps), &report);
  TellWhose("step_times_of", TimesOf::all_hosts, hosts, "duration", &report);
  const std::vector<SpanStatistics> of_hosts = StatisticsOfHosts(*store, rows.steps);
  TellOutliers(
      rows.steps,
      [&](const StepRow& row) -> const SpanStatistics& { return of_hosts[row.of_host.value]; },
      &report);
  report.tables.push_back(StepsTable(rows.steps, of_hosts, hosts.size() > 1, report.pool.get()));
  report.tables.push_back(DevicesTable(*store, rows.devices, hosts.size() > 1));
  return report;
}

}  // namespace tfprof
