// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include "analysis/intervals/lane_times.h"
#include "analysis/place.h"
#include "analysis/steps/device_idle.h"
#include "analysis/wall_time.h"
#include "core/store/note_catalogue.h"
#include "views/columns/fill_columns.h"
#include "views/columns/percentiles.h"
#include "views/columns/properties.h"

namespace tfprof {
namespace {

constexpr ColumnDef kPlanesColumns[] = {
    TextDef("host", "host", "Host name.").ForMachines(),
    TextDef("plane", "plane", "Name, as recorded."),
    IntegerDef("plane_index", "plane #", Unit::none, "Position in the file, from 0.").Droppable(),
    IntegerDef("plane_id", "id", Unit::none, "ID, as recorded."),
    CountDef("lines", "lines", "Lines of the plane: threads, streams and the like."),
    CountDef("events", "events", "Events on its lines."),
    CountDef("event_metadata", "names", "Event names defined."),
    CountDef("stat_metadata", "attributes", "Attributes defined."),
};
constexpr TableDef kPlanesTable{"planes", "", kPlanesColumns};

constexpr ColumnDef kLinesPlanesColumns[] = {
    TextDef("host", "host", "Host name.").ForMachines(),
    TextDef("plane", "plane", "Name, as recorded."),
    IntegerDef("plane_index", "plane #", Unit::none, "Position in the file, from 0.").Droppable(),
    TextDef("line", "line", "Name, as recorded."),
    IntegerDef("line_index", "line #", Unit::none, "Position in the plane, from 0.").Droppable(),
    IntegerDef("line_id", "id", Unit::none, "ID, as recorded.").Droppable(),
    CountDef("events", "events", "Stored events; an aggregate counts once."),
    CountDef("aggregated", "aggregated",
             "Aggregates: events that sum several executions, without a start.")
        .Droppable(),
    CountDef("distinct_names", "names", "Distinct event names.").Droppable(),
    TimeDef("time_us", "total", "Sum of durations.").Was("sum_us"),
    TimeDef("min_us", "min", "Shortest event.").Droppable(),
    MedianDef("Median event."),
    P95Def("95th percentile of the events."),
    TimeDef("max_us", "max", "Longest event.").Droppable(),
    TimeDef("busy_us", "busy", "Union of the events."),
    TimeDef("span_us", "span", "From the first start to the last end."),
    TimeDef("start_us", "start", "First start, from time 0 of the profile.")
        .Was("offset_us")
        .Droppable(),
    RealDef("original_start_us", "start_us", Unit::us, "First start, us of wall time.")
        .Was("start_us")
        .ForOriginal(),
    RealDef("end_us", "end_us", Unit::us, "Last end, us of wall time.").ForOriginal(),
};
constexpr TableDef kLinesPlanesTable{"lines", "", kLinesPlanesColumns};

constexpr ColumnDef kDevicesPlanesColumns[] = {
    TextDef("host", "host", "Host name.").ForMachines(),
    TextDef("device", "device", "Name, as recorded.").Was("plane"),
    IntegerDef("plane_index", "plane #", Unit::none, "Position in the file, from 0.").Droppable(),
    CountDef("count", "events", "Events of device work.").Was("op_events"),
    TimeDef("time_us", "total", "Sum of durations.").Was("sum_us"),
    TimeDef("busy_us", "busy", "Union of the events."),
    TimeDef("span_us", "span", "From the first start to the last end."),
    TimeDef(
        "idle_us", "idle",
        "Time within the steps of its host (where steps are inferred, between its first and last "
        "work; without steps, within the recording) in which "
        "no event runs."),
};
constexpr TableDef kDevicesPlanesTable{"devices", "", kDevicesPlanesColumns};

// The processes that the query selects, and their lanes.
struct Shown {
  const Store& store;
  std::vector<ProcessId> processes = {};
  std::vector<LaneId> lanes = {};

  const Process& Of(ProcessId id) const { return store.processes[id.value]; }
  const Lane& Of(LaneId id) const { return store.lanes[id.value]; }
};

Shown Choose(const Store& store, const PlaceFilter& place) {
  Shown shown{store};
  for (size_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    if (!MatchesPlace(store, process, place)) continue;
    shown.processes.emplace_back(i);
    for (uint32_t k = 0; k < process.lanes.count; ++k) {
      shown.lanes.emplace_back(process.lanes.first + k);
    }
  }
  return shown;
}

// `plane`: the column of its name.
void AddPlace(const Shown& shown, const std::vector<ProcessId>& rows, std::string_view plane,
              Table* table) {
  FillProcess(
      shown.store, plane, rows, [](ProcessId id) { return id; }, table);
  Fill(*table, "plane_index", rows, [&](ProcessId id) { return int64_t{shown.Of(id).index}; });
}

Table PlanesTable(const Shown& shown) {
  Table table = MakeTable(kPlanesTable, shown.processes.size());
  AddPlace(shown, shown.processes, "plane", &table);
  const auto add = [&](std::string_view id, auto cell) {
    Fill(table, id, shown.processes, [&](ProcessId p) { return int64_t{cell(shown.Of(p))}; });
  };
  add("plane_id", [](const Process& p) { return p.id; });
  add("lines", [](const Process& p) { return p.lanes.count; });
  add("events", [&](const Process& p) {
    int64_t events = 0;
    for (uint32_t k = 0; k < p.lanes.count; ++k) {
      events += shown.store.lanes[p.lanes.first + k].rows.count;
    }
    return events;
  });
  add("event_metadata", [](const Process& p) { return p.names; });
  add("stat_metadata", [](const Process& p) { return p.keys; });
  return table;
}

void AddTimes(const std::vector<EventTimes>& rows, int64_t first_ps, const Store& store,
              Table* table) {
  const auto add = [&](std::string_view id, auto cell) { Fill(*table, id, rows, cell); };
  add("time_us", [](const EventTimes& t) { return t.sum_ps; });
  add("min_us", [](const EventTimes& t) { return t.min_ps; });
  add("max_us", [](const EventTimes& t) { return t.max_ps; });
  add("busy_us", [](const EventTimes& t) { return t.busy_ps; });
  add("span_us", [](const EventTimes& t) { return t.SpanPs(); });
  add("start_us", [&](const EventTimes& t) { return SinceFirst(first_ps, t.start_ps); });
  add("original_start_us", [&](const EventTimes& t) { return WallMicros(store, t.start_ps); });
  add("end_us", [&](const EventTimes& t) { return WallMicros(store, t.end_ps); });
}

std::vector<RowDuration> DurationsOf(const Shown& shown) {
  std::vector<RowDuration> durations;
  for (uint32_t row = 0; row < shown.lanes.size(); ++row) {
    for (const uint32_t event : shown.Of(shown.lanes[row]).PlacedRows()) {
      durations.push_back({row, shown.store.events.duration_ps[event]});
    }
  }
  return durations;
}

Table LinesTable(const Shown& shown, const LaneTimes& times, const Display& display) {
  Table table = MakeTable(kLinesPlanesTable, shown.lanes.size());
  std::vector<ProcessId> processes;
  std::vector<EventTimes> rows;
  for (const LaneId lane : shown.lanes) {
    processes.push_back(shown.Of(lane).process);
    rows.push_back(times.lanes[lane.value]);
  }
  AddPlace(shown, processes, "plane", &table);
  Fill(table, "line", shown.lanes,
       [&](LaneId lane) { return shown.store.Text(shown.Of(lane).name); });
  Fill(table, "line_index", shown.lanes,
       [&](LaneId lane) { return int64_t{shown.Of(lane).index}; });
  Fill(table, "line_id", shown.lanes, [&](LaneId lane) { return shown.Of(lane).id; });
  Fill(table, "events", shown.lanes, [&](LaneId lane) { return times.lanes[lane.value].events; });
  Fill(table, "aggregated", shown.lanes,
       [&](LaneId lane) { return times.lanes[lane.value].aggregated; });
  Fill(table, "distinct_names", shown.lanes,
       [&](LaneId lane) { return times.distinct_labels[lane.value]; });
  AddTimes(rows, FirstStart(shown.store), shown.store, &table);
  if (HasPercentiles(kLinesPlanesTable, display)) {
    AddPercentiles(DurationsOf(shown), display, &table);
  }
  return table;
}

// A device on which nothing ran has no times.
int64_t IfAny(const EventTimes& times, int64_t value) { return times.events > 0 ? value : kNoInt; }

// `idle`: by process; empty: idle time is within the span, as in schema version 1.
Table DevicesTable(const Shown& shown, const std::vector<EventTimes>& times,
                   const std::vector<DeviceIdle>& idle) {
  std::vector<ProcessId> processes;
  std::vector<EventTimes> rows;
  for (const ProcessId id : shown.processes) {
    if (DeviceKindOf(shown.store, shown.Of(id)) == DeviceKind::other) continue;
    processes.push_back(id);
    rows.push_back(times[id.value]);
  }
  Table table = MakeTable(kDevicesPlanesTable, rows.size());
  AddPlace(shown, processes, "device", &table);
  Fill(table, "count", rows, [](const EventTimes& t) { return t.events; });
  const auto add = [&](std::string_view id, auto cell) { Fill(table, id, rows, cell); };
  add("time_us", [](const EventTimes& t) { return IfAny(t, t.sum_ps); });
  add("busy_us", [](const EventTimes& t) { return t.busy_ps; });
  add("span_us", [](const EventTimes& t) { return t.SpanPs(); });
  ReportColumn& idle_us = AddColumn(table, "idle_us");
  for (size_t i = 0; i < rows.size(); ++i) {
    idle_us.integers.push_back(idle.empty() ? IfAny(rows[i], rows[i].SpanPs() - rows[i].busy_ps)
                                            : idle[processes[i].value].idle_ps);
  }
  return table;
}

void AddProperties(const Shown& shown, Report* report) {
  const Store& store = shown.store;
  const auto count = [&](std::string_view id, std::string_view noun, size_t number) {
    AddIntegerProperty({id, "contents", noun}, static_cast<int64_t>(number), Unit::count, report);
  };
  size_t events = 0;
  for (const LaneId lane : shown.lanes) events += shown.Of(lane).rows.count;
  count("hosts", "host", store.hosts.size());
  count("planes", "plane", shown.processes.size());
  count("lines", "line", shown.lanes.size());
  count("events", "event", events);
  Property errors, warnings;
  errors.id = errors.head = "errors";
  warnings.id = warnings.head = "warnings";
  errors.type = warnings.type = CellType::texts;
  for (const Source& source : store.sources) {
    errors.texts.insert(errors.texts.end(), source.errors.begin(), source.errors.end());
    warnings.texts.insert(warnings.texts.end(), source.warnings.begin(), source.warnings.end());
  }
  report->properties.push_back(std::move(errors));
  report->properties.push_back(std::move(warnings));
}

}  // namespace

// All tables are in file order; (host, plane_index) and line_index identify a row.
Result<Report> Planes(const StorePtr& store, const Indexes& indexes, const Query& query,
                      Context& context) {
  TFPROF_ASSIGN(const auto times, indexes.Get<LaneTimes>(context));
  TFPROF_ASSIGN(const auto of_devices, indexes.Get<DeviceTimes>(context));
  std::vector<DeviceIdle> idle;
  if (!query.display.original_ids) {
    TFPROF_ASSIGN(idle, IdleOfDevices(*store, indexes, PlaceFilter::Exact(), context));
  }
  const Shown shown = Choose(*store, query.place);
  Report report = NewReport("planes", store);
  if (!store->IsTrace()) {
    report.notes.push_back({note::no_planes, 1, "", kNoInt});
  }
  report.tables.push_back(PlanesTable(shown));
  report.tables.push_back(LinesTable(shown, *times, query.display));
  report.tables.push_back(DevicesTable(shown, *of_devices, idle));
  AddProperties(shown, &report);
  return report;
}

TableDefs PlanesTables() { return {&kPlanesTable, &kLinesPlanesTable, &kDevicesPlanesTable}; }

}  // namespace tfprof
