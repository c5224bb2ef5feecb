// SPDX-License-Identifier: Apache-2.0
#include "views/reports/planes.h"

#include "analysis/place.h"
#include "analysis/wall_time.h"
#include "views/columns/fill_columns.h"
#include "views/columns/properties.h"

namespace tfprof {
namespace {

// What the tables are about: the processes that the query lets through, and their lanes.
struct Shown {
  const Store& store;
  std::vector<ProcessId> processes = {};
  std::vector<LaneId> lanes = {};

  const Process& Of(ProcessId id) const { return store.processes[id.value]; }
  const Lane& Of(LaneId id) const { return store.lanes[id.value]; }
};

Shown Choose(const Store& store, const Query& query) {
  Shown shown{store};
  for (size_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    if (!InPlace(store, process, query)) continue;
    shown.processes.emplace_back(i);
    for (uint32_t k = 0; k < process.lanes.count; ++k) {
      shown.lanes.emplace_back(process.lanes.first + k);
    }
  }
  return shown;
}

void AddPlace(const Shown& shown, const std::vector<ProcessId>& rows, Table* table) {
  const Store& store = shown.store;
  Texts(*table, "host", "host", "The machine.", rows, [&](ProcessId id) {
    return HostName(store, shown.Of(id).host);
  }).spec.people = store.hosts.size() > 1;
  Texts(*table, "plane", "plane", "As the file names it.", rows,
        [&](ProcessId id) { return store.Text(shown.Of(id).name); });
  Numbers(*table, "plane_index", "plane nr", Unit::none, "Its place in the file, from 0.", rows,
          [&](ProcessId id) { return int64_t{shown.Of(id).index}; })
      .spec.spare = true;
}

Table PlanesTable(const Shown& shown) {
  Table table;
  table.name = "planes";
  table.rows = shown.processes.size();
  AddPlace(shown, shown.processes, &table);
  const auto add = [&](std::string id, std::string title, Unit unit, std::string meaning,
                       auto cell) {
    Numbers(table, std::move(id), std::move(title), unit, std::move(meaning), shown.processes,
            [&](ProcessId p) { return int64_t{cell(shown.Of(p))}; });
  };
  add("plane_id", "id", Unit::none, "As the file numbers it.",
      [](const Process& p) { return p.id; });
  add("lines", "lines", Unit::count, "Threads, streams and the like.",
      [](const Process& p) { return p.lanes.count; });
  add("events", "events", Unit::count, "Events of its lines.", [&](const Process& p) {
    int64_t events = 0;
    for (uint32_t k = 0; k < p.lanes.count; ++k) {
      events += shown.store.lanes[p.lanes.first + k].rows.count;
    }
    return events;
  });
  add("event_metadata", "names", Unit::count, "What its events can be called.",
      [](const Process& p) { return p.names; });
  add("stat_metadata", "attributes", Unit::count, "Attributes its events can have.",
      [](const Process& p) { return p.keys; });
  return table;
}

void AddTimes(const std::vector<EventTimes>& rows, int64_t first_ps, const Store& store,
              Table* table) {
  const auto add = [&](std::string id, std::string title, bool spare, std::string meaning,
                       auto cell) {
    Numbers(*table, std::move(id), std::move(title), Unit::ps_as_us, std::move(meaning), rows, cell)
        .spec.spare = spare;
  };
  add("sum_us", "sum", false, "Durations added up.", [](const EventTimes& t) { return t.sum_ps; });
  add("min_us", "least", true, "The shortest event.", [](const EventTimes& t) { return t.min_ps; });
  add("max_us", "most", true, "The longest event.", [](const EventTimes& t) { return t.max_ps; });
  add("busy_us", "busy", false, "Time in which any event runs.",
      [](const EventTimes& t) { return t.busy_ps; });
  add("span_us", "span", false, "From the first start to the last end.",
      [](const EventTimes& t) { return t.SpanPs(); });
  add("offset_us", "start", true, "First start, from the first start of the profile.",
      [&](const EventTimes& t) { return SinceFirst(first_ps, t.start_ps); });
  for (const bool start : {true, false}) {
    ReportColumn& column =
        Reals(*table, start ? "start_us" : "end_us", start ? "start_us" : "end_us", Unit::us,
              start ? "First start, us of wall time." : "Last end, us of wall time.");
    column.spec.people = false;
    FillReals(column, rows, [&](const EventTimes& t) {
      return WallMicros(store, start ? t.start_ps : t.end_ps);
    });
  }
}

Table LinesTable(const Shown& shown, const LaneTimes& times) {
  Table table;
  table.name = "lines";
  table.rows = shown.lanes.size();
  std::vector<ProcessId> processes;
  std::vector<EventTimes> rows;
  for (const LaneId lane : shown.lanes) {
    processes.push_back(shown.Of(lane).process);
    rows.push_back(times.lanes[lane.value]);
  }
  AddPlace(shown, processes, &table);
  Texts(table, "line", "line", "As the file names it.", shown.lanes,
        [&](LaneId lane) { return shown.store.Text(shown.Of(lane).name); });
  Numbers(table, "line_index", "line nr", Unit::none, "Its place in the plane, from 0.",
          shown.lanes, [&](LaneId lane) { return int64_t{shown.Of(lane).index}; })
      .spec.spare = true;
  Numbers(table, "line_id", "id", Unit::none, "As the file numbers it.", shown.lanes,
          [&](LaneId lane) { return shown.Of(lane).id; })
      .spec.spare = true;
  Numbers(table, "events", "events", Unit::count, "Stored events; an aggregate is one.",
          shown.lanes, [&](LaneId lane) { return times.lanes[lane.value].events; });
  Numbers(table, "aggregated", "aggregated", Unit::count,
          "Of them, those that stand for several without a place in time.", shown.lanes,
          [&](LaneId lane) { return times.lanes[lane.value].aggregated; })
      .spec.spare = true;
  Numbers(table, "distinct_names", "names", Unit::count, "What its events are called.", shown.lanes,
          [&](LaneId lane) { return times.distinct_labels[lane.value]; })
      .spec.spare = true;
  AddTimes(rows, FirstStart(shown.store), shown.store, &table);
  return table;
}

// A device on which nothing ran has no times.
int64_t IfAny(const EventTimes& times, int64_t value) { return times.events > 0 ? value : kNoInt; }

Table DevicesTable(const Shown& shown, const std::vector<EventTimes>& times) {
  Table table;
  table.name = "devices";
  std::vector<ProcessId> processes;
  std::vector<EventTimes> rows;
  for (const ProcessId id : shown.processes) {
    const DeviceId device = shown.Of(id).device;
    if (!device.some()) continue;
    if (shown.store.devices[device.value].kind == DeviceKind::other) continue;
    processes.push_back(id);
    rows.push_back(times[id.value]);
  }
  table.rows = rows.size();
  AddPlace(shown, processes, &table);
  Numbers(table, "op_events", "events", Unit::count, "Events of its work.", rows,
          [](const EventTimes& t) { return t.events; });
  const auto add = [&](std::string id, std::string title, std::string meaning, auto cell) {
    Numbers(table, std::move(id), std::move(title), Unit::ps_as_us, std::move(meaning), rows, cell);
  };
  add("sum_us", "sum", "Durations added up.",
      [](const EventTimes& t) { return IfAny(t, t.sum_ps); });
  add("busy_us", "busy", "Time in which any event runs.",
      [](const EventTimes& t) { return t.busy_ps; });
  add("span_us", "span", "From the first start to the last end.",
      [](const EventTimes& t) { return t.SpanPs(); });
  add("idle_us", "idle", "Of the span, the time in which none runs, of operations or not.",
      [](const EventTimes& t) { return IfAny(t, t.SpanPs() - t.busy_ps); });
  return table;
}

void AddProperties(const Shown& shown, Report* report) {
  const Store& store = shown.store;
  const auto count = [&](std::string_view id, std::string_view noun, size_t number) {
    TellInteger({id, "contents", noun}, static_cast<int64_t>(number), Unit::count, report);
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

Result<Report> Planes(const StorePtr& store, const Indexes& indexes, const Query& query,
                      Context& context) {
  TFPROF_ASSIGN(const auto times, indexes.Times(context));
  TFPROF_ASSIGN(const auto of_devices, indexes.DeviceTimes(context));
  const Shown shown = Choose(*store, query);
  Report report;
  report.view = "planes";
  report.store = store;
  report.notes = store->notes;
  if (store->processes.empty()) {
    report.notes.push_back(
        {"the profile has devices but no planes: info lists them", 1, "", kNoInt});
  }
  report.tables.push_back(PlanesTable(shown));
  report.tables.push_back(LinesTable(shown, *times));
  report.tables.push_back(DevicesTable(shown, *of_devices));
  AddProperties(shown, &report);
  return report;
}

}  // namespace tfprof
