// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>

#include "analysis/contents.h"
#include "analysis/nodes/accounting.h"
#include "analysis/place.h"
#include "analysis/programs.h"
#include "analysis/steps/times.h"
#include "analysis/trace_nodes/trace_nodes.h"
#include "views/columns/fill_columns.h"
#include "views/columns/measure_rows.h"
#include "views/columns/properties.h"

namespace tfprof {
namespace {

constexpr ColumnDef kSourcesColumns[] = {
    TextDef("file", "file", "File that was read, in load order.").Was("path"),
    TextDef("format", "format", "Detected format."),
    BytesDef("file_bytes", "size", "Size of the file."),
    BytesDef("inflated_bytes", "inflated", "After decompression.").Was("bytes"),
    CountDef("covered_nodes", "covered",
             "Share of known nodes that were known before their record arrived."),
    CountDef("known_nodes", "known", "Nodes known after this file."),
};
constexpr TableDef kSourcesTable{"sources", "", kSourcesColumns};

constexpr ColumnDef kDevicesInfoColumns[] = {
    TextDef("host", "host", "Host name."),
    TextDef("process", "plane", "Process that the device belongs to.").Was("plane"),
    TextDef("device", "device", "Name, as recorded."),
    TextDef("role", "role", "Kind of its records."),
    TextDef("measures", "measures",
            "Measure to which its records count; some devices repeat another's records."),
    CountDef("count", "records", "Executions.").Was("records"),
    CountDef("unplaced", "no time", "Executions without a recorded time."),
    IntegerDef("time_us", "summed time", Unit::ps,
               "Sum of durations; nested and concurrent events count each time, so it can exceed "
               "the span.")
        .Was("time_ps"),
    IntegerDef("span_us", "span", Unit::ps, "From the first start to the last end.").Was("span_ps"),
};
constexpr TableDef kDevicesInfoTable{"devices", "", kDevicesInfoColumns};

constexpr ColumnDef kStepsInfoColumns[] = {
    TextDef("host", "host", "Host name."),
    IntegerDef("step", "step", Unit::none, "Step number, as -step takes it."),
    CountDef("count", "records", "Executions.").Was("records"),
    CountDef("unplaced", "no time", "Executions without a recorded time."),
    IntegerDef("time_us", "summed time", Unit::ps,
               "Sum of durations; nested and concurrent events count each time, so it can exceed "
               "the span.")
        .Was("time_ps"),
    IntegerDef("span_us", "span", Unit::ps, "Duration.").Was("span_ps"),
};
constexpr TableDef kStepsInfoTable{"steps", "", kStepsInfoColumns};

constexpr ColumnDef kContentsColumns[] = {
    TextDef("kind", "kind", "Kind of data."),
    CountDef("count", "count", "Number in the profile."),
    TextDef("of", "of", "Unit of the count."),
    TextDef("to_record", "how to record it", "How to record it.").Below("not recorded"),
};
constexpr TableDef kContentsTable{"contents", "", kContentsColumns};

constexpr ColumnDef kProcessesColumns[] = {
    TextDef("host", "host", "Host name."),
    TextDef("executable", "executable", "File name of the program."),
    IntegerDef("pid", "pid", Unit::none, "Process ID on its host."),
    TextDef("process_state", "state",
            "running: when its trace was made; truncated: it was killed or called _exit, and its "
            "last second may be missing; complete: it ended, and all of it was recorded."),
    TextDef("file", "file", "File with its trace; absent where none was read.").Was("path"),
};
constexpr TableDef kProcessesTable{"processes", "processes", kProcessesColumns};

constexpr ColumnDef kNotesColumns[] = {
    TextDef("text", "note", "What was found, skipped or dropped.").Was("what"),
    CountDef("count", "count", "Number of times."),
    IntegerDef("cost_us", "time", Unit::ps, "Time of the dropped records.").Was("cost_ps"),
    TextDef("first_place", "first at", "File and position of the first occurrence."),
};
constexpr TableDef kNotesTable{"notes", "", kNotesColumns};

// In the store, -1 means no run records.
int64_t OrAbsent(int64_t nodes) { return nodes < 0 ? kNoInt : nodes; }

Table SourcesOf(const Store& store) {
  const std::vector<Source>& sources = store.sources;
  Table table = MakeTable(kSourcesTable, sources.size());
  Fill(table, "file", sources,
       [](const Source& source) -> std::string_view { return source.path; });
  Fill(table, "format", sources,
       [](const Source& source) -> std::string_view { return source.format; });
  Fill(table, "file_bytes", sources,
       [](const Source& source) { return static_cast<int64_t>(source.file_bytes); });
  Fill(table, "inflated_bytes", sources,
       [](const Source& source) { return static_cast<int64_t>(source.bytes); });
  // Only files of run records have these values: in other files they do not exist, rather than
  // being unknown.
  const bool has_runs = std::ranges::any_of(
      sources, [](const Source& source) { return OrAbsent(source.known_nodes) != kNoInt; });
  Fill(table, "covered_nodes", sources, [](const Source& source) {
    return OrAbsent(source.covered_nodes);
  }).spec.human_readable = has_runs;
  Fill(table, "known_nodes", sources, [](const Source& source) {
    return OrAbsent(source.known_nodes);
  }).spec.human_readable = has_runs;
  return table;
}

std::string_view DisplayName(LaneRole role) {
  switch (role) {
    case LaneRole::executor: return "executor";
    case LaneRole::stream: return "stream";
    case LaneRole::sum_of_streams: return "all streams";
    case LaneRole::copies: return "copies";
    case LaneRole::thread:
    case LaneRole::input_thread: return "thread";
    case LaneRole::steps: return "steps";
    case LaneRole::modules: return "programs";
    case LaneRole::ops:
    case LaneRole::framework_ops: return "operations";
    case LaneRole::instants: return "instants";
    case LaneRole::other: break;
  }
  return "other";
}

std::string_view DisplayName(Measures measures) {
  switch (measures) {
    case Measures::host_time: return "cpu time";
    case Measures::accelerator_time: return "accelerator time";
    case Measures::nothing: break;
  }
  return "not counted";
}

// Adds the counts that lanes and steps share.
void AddActivity(const std::vector<Activity>& activities, Table& table) {
  Fill(table, "count", activities, [](const Activity& activity) { return activity.events; });
  Fill(table, "unplaced", activities, [](const Activity& activity) { return activity.unplaced; });
  Fill(table, "time_us", activities, [](const Activity& activity) {
    return activity.events == activity.unplaced ? kNoInt : activity.time_ps;
  });
  Fill(table, "span_us", activities, [](const Activity& activity) { return activity.SpanPs(); });
}

// In a trace, threads and streams of several hosts or devices may have the same names.
void AddPlaces(const Store& store, Table* table) {
  if (!store.IsTrace()) return;
  const auto of_process = [&](auto text) {
    return [&store, text](const Lane& lane) {
      return lane.process.some() ? text(store.processes[lane.process.value]) : std::string_view();
    };
  };
  Fill(*table, "host", store.lanes, of_process([&](const Process& process) {
    return HostName(store, process.host);
  })).spec.human_readable = store.hosts.size() > 1;
  Fill(*table, "process", store.lanes,
       of_process([&](const Process& process) { return store.Text(process.name); }));
}

Table DevicesOf(const Store& store, const Activities& activities) {
  Table table = MakeTable(kDevicesInfoTable, store.lanes.size());
  AddPlaces(store, &table);
  Fill(table, "device", store.lanes, [&](const Lane& lane) { return store.Text(lane.display); });
  Fill(table, "role", store.lanes, [](const Lane& lane) { return DisplayName(lane.role); });
  Fill(table, "measures", store.lanes, [](const Lane& lane) { return DisplayName(lane.measures); });
  AddActivity(activities.lanes, table);
  return table;
}

Table StepsOf(const Store& store, const Activities& activities) {
  Table table = MakeTable(kStepsInfoTable, store.steps.size());
  Fill(table, "step", store.steps, [](const Step& step) { return step.number; });
  AddActivity(activities.steps, table);
  return table;
}

// Makes the table of a trace's steps: the steps of every host that -step selects, with the
// durations in `steps`.
Result<Table> StepsOfTrace(const Store& store, const Indexes& indexes, bool exact,
                           Context& context) {
  TFPROF_ASSIGN(const std::vector<HostSteps> hosts,
                MeasureSteps(store, indexes, {.exact = exact}, context));
  struct Row {
    HostId host;
    int64_t number;
    int64_t duration_ps;
  };
  std::vector<Row> rows;
  for (const HostSteps& host : hosts) {
    for (const StepTime& step : host.steps) {
      rows.push_back({host.host, step.number, step.duration_ps});
    }
  }
  Table table = MakeTable(kStepsInfoTable, rows.size());
  FillHost(
      store, rows, [](const Row& row) { return row.host; }, &table);
  Fill(table, "step", rows, [](const Row& row) { return row.number; });
  Fill(table, "span_us", rows, [](const Row& row) { return row.duration_ps; });
  return table;
}

Table ContentsTable(const std::vector<Content>& contents) {
  Table table = MakeTable(kContentsTable, contents.size());
  Fill(table, "kind", contents, [](const Content& content) { return content.id; });
  Fill(table, "count", contents, [](const Content& content) { return content.count; });
  Fill(table, "of", contents, [](const Content& content) { return content.what; });
  ReportColumn& advice = AddColumn(table, "to_record");
  Fill(advice, contents, [](const Content& content) {
    return content.count > 0 ? std::string_view("") : content.how;
  });
  return table;
}

std::string_view StateOf(const CapturedProcess& process) {
  if (process.is_running) return "running";
  return process.is_complete ? "complete" : "truncated";
}

Table ProcessesOf(const std::vector<CapturedProcess>& processes) {
  Table table = MakeTable(kProcessesTable, processes.size());
  const auto fill = [&](std::string_view id, std::string CapturedProcess::*text) {
    Fill(table, id, processes, [&](const CapturedProcess& process) {
      const std::string& value = process.*text;
      return value.empty() ? std::string_view() : std::string_view(value);
    });
  };
  fill("host", &CapturedProcess::host);
  fill("executable", &CapturedProcess::program);
  Fill(table, "pid", processes, [](const CapturedProcess& process) { return process.pid; });
  Fill(table, "process_state", processes, StateOf);
  fill("file", &CapturedProcess::trace);
  return table;
}

// Makes the table of all notes from loading the files.
Table NotesTable(const Report& report) {
  const std::vector<Note>& notes = report.notes;
  Table table = MakeTable(kNotesTable, notes.size());
  Fill(table, "text", notes, [&](const Note& note) { return report.pool->Keep(note.what.Text()); });
  Fill(table, "count", notes, [](const Note& note) { return note.count; });
  Fill(table, "cost_us", notes, [](const Note& note) { return note.cost_ps; });
  Fill(table, "first_place", notes, [&](const Note& note) {
    const std::string& place = note.first_place;
    return place.empty() ? std::string_view() : report.pool->Keep(place);
  });
  return table;
}

// Adds what the recorder of the first file was told to record.
void AddRecorder(const Store& store, Report* report) {
  const auto of = std::ranges::find_if(
      store.sources, [](const Source& source) { return source.recorder.has_value(); });
  if (of == store.sources.end()) return;
  const RecorderOptions& options = *of->recorder;
  const auto add = [&](std::string_view id, std::string_view title, int64_t level) {
    Property& property =
        AddIntegerProperty({id, "recorded with", title}, level, Unit::none, report);
    if (level == 0) property.display_text = "off";
  };
  add("host_tracer_level", "host_tracer_level", options.host_level);
  add("device_tracer_level", "device_tracer_level", options.device_level);
  add("python_tracer_level", "python_tracer_level", options.python_level);
}

}  // namespace

Result<Report> ProfileInfo(const StorePtr& store, const Indexes& indexes, const Query& query,
                           Context& context) {
  TFPROF_ASSIGN(const auto accounts, indexes.Get<NodeAccounts>(context));
  TFPROF_ASSIGN(const Activities activities, ActivitiesOf(*store, context));
  Report report = StartReport("info", store, *accounts, query.place);
  report.properties.clear();  // no step was selected
  AddRecorder(*store, &report);
  report.tables.push_back(SourcesOf(*store));
  if (store->capture) report.tables.push_back(ProcessesOf(store->capture->processes));
  report.tables.push_back(DevicesOf(*store, activities));
  TFPROF_ASSIGN(const auto nodes, NodesIfTrace(store, indexes, context));
  if (nodes == nullptr) {
    report.tables.push_back(StepsOf(*store, activities));
  } else {
    TFPROF_ASSIGN(Table steps, StepsOfTrace(*store, indexes, query.place.exact, context));
    report.tables.push_back(std::move(steps));
  }
  report.tables.push_back(ContentsTable(nodes == nullptr ? ContentsOf(*store)
                                                         : ContentsOfTrace(*store, *nodes->store)));
  if (!store->modules.empty()) {
    TFPROF_ASSIGN(const auto programs, indexes.Get<CompiledPrograms>(context));
    report.notes.insert(report.notes.end(), programs->notes.begin(), programs->notes.end());
  }
  if (!report.notes.empty()) report.tables.push_back(NotesTable(report));
  return report;
}

TableDefs ProfileInfoTables() {
  return {&kSourcesTable,   &kProcessesTable, &kDevicesInfoTable,
          &kStepsInfoTable, &kContentsTable,  &kNotesTable};
}

}  // namespace tfprof
