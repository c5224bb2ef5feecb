// SPDX-License-Identifier: Apache-2.0
#include "views/explore/info.h"

#include <algorithm>

#include "analysis/contents.h"
#include "analysis/place.h"
#include "analysis/steps/times.h"
#include "analysis/trace_nodes/trace_nodes.h"
#include "views/columns/fill_columns.h"
#include "views/columns/measure_rows.h"

namespace tfprof {
namespace {

// -1 is the store's "no run records".
int64_t OrAbsent(int64_t nodes) { return nodes < 0 ? kNoInt : nodes; }

Table SourcesOf(const Store& store) {
  const std::vector<Source>& sources = store.sources;
  Table table;
  table.name = "sources";
  table.rows = sources.size();
  Texts(table, "path", "file", "What was read, in this order.", sources,
        [](const Source& source) -> std::string_view { return source.path; });
  Texts(table, "format", "format", "What it was taken for.", sources,
        [](const Source& source) -> std::string_view { return source.format; });
  Numbers(table, "file_bytes", "size", Unit::bytes, "Size of the file.", sources,
          [](const Source& source) { return static_cast<int64_t>(source.file_bytes); });
  Numbers(table, "bytes", "inflated", Unit::bytes, "After decompression.", sources,
          [](const Source& source) { return static_cast<int64_t>(source.bytes); });
  // Only files of run records have them: elsewhere they are not unknown, but do not exist.
  const bool has_runs = std::any_of(sources.begin(), sources.end(), [](const Source& source) {
    return OrAbsent(source.known_nodes) != kNoInt;
  });
  Numbers(table, "covered_nodes", "covered", Unit::count,
          "Of the nodes known after this run: those that were known when a record of "
          "theirs arrived.",
          sources, [](const Source& source) { return OrAbsent(source.covered_nodes); })
      .spec.people = has_runs;
  Numbers(table, "known_nodes", "known", Unit::count, "Nodes known after this run.", sources,
          [](const Source& source) { return OrAbsent(source.known_nodes); })
      .spec.people = has_runs;
  return table;
}

std::string_view Told(LaneRole role) {
  switch (role) {
    case LaneRole::executor:
      return "executor";
    case LaneRole::stream:
      return "stream";
    case LaneRole::sum_of_streams:
      return "all streams";
    case LaneRole::copies:
      return "copies";
    case LaneRole::thread:
      return "thread";
    case LaneRole::steps:
      return "steps";
    case LaneRole::modules:
      return "programs";
    case LaneRole::ops:
      return "operations";
    case LaneRole::other:
      break;
  }
  return "other";
}

std::string_view Told(Measures measures) {
  switch (measures) {
    case Measures::host_time:
      return "cpu time";
    case Measures::accelerator_time:
      return "accelerator time";
    case Measures::nothing:
      break;
  }
  return "not counted";
}

// The numbers that lanes and steps share.
void AddActivity(const std::vector<Activity>& activities, Table& table) {
  Numbers(table, "records", "records", Unit::count, "Executions.", activities,
          [](const Activity& activity) { return activity.events; });
  Numbers(table, "unplaced", "no time", Unit::count,
          "Executions of which it is not known when they ran.", activities,
          [](const Activity& activity) { return activity.unplaced; });
  Numbers(table, "time_ps", "summed time", Unit::ps,
          "Durations added up: what runs within or beside others counts each time, so that it may "
          "be more than the span.",
          activities, [](const Activity& activity) {
            return activity.events == activity.unplaced ? kNoInt : activity.time_ps;
          });
  Numbers(table, "span_ps", "span", Unit::ps, "From the first start to the last end.", activities,
          [](const Activity& activity) { return activity.SpanPs(); });
}

// Of a trace: threads and streams of several hosts or devices may have the same names.
void AddPlaces(const Store& store, Table* table) {
  if (store.processes.empty()) return;
  const auto of_process = [&](auto text) {
    return [&store, text](const Lane& lane) {
      return lane.process.some() ? text(store.processes[lane.process.value]) : std::string_view();
    };
  };
  Texts(*table, "host", "host", "The machine.", store.lanes,
        of_process([&](const Process& process) { return HostName(store, process.host); }))
      .spec.people = store.hosts.size() > 1;
  Texts(*table, "plane", "plane", "What it is part of.", store.lanes,
        of_process([&](const Process& process) { return store.Text(process.name); }));
}

Table DevicesOf(const Store& store, const Activities& activities) {
  Table table;
  table.name = "devices";
  table.rows = store.lanes.size();
  AddPlaces(store, &table);
  Texts(table, "device", "device", "As the file names it.", store.lanes,
        [&](const Lane& lane) { return store.Text(lane.display); });
  Texts(table, "role", "role", "What its records are.", store.lanes,
        [](const Lane& lane) { return Told(lane.role); });
  Texts(table, "measures", "measures",
        "What its records count as; some repeat those of another device.", store.lanes,
        [](const Lane& lane) { return Told(lane.measures); });
  AddActivity(activities.lanes, table);
  return table;
}

Table StepsOf(const Store& store, const Activities& activities) {
  Table table;
  table.name = "steps";
  table.rows = store.steps.size();
  Numbers(table, "step", "step", Unit::none, "What -step asks for.", store.steps,
          [](const Step& step) { return step.number; });
  AddActivity(activities.steps, table);
  return table;
}

// The same of a trace: what -step asks for on every host, as long as `steps` tells.
Result<Table> StepsOfTrace(const Store& store, const Indexes& indexes, Context& context) {
  TFPROF_ASSIGN(const std::vector<HostSteps> hosts, MeasureSteps(store, indexes, {}, context));
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
  Table table;
  table.name = "steps";
  table.rows = rows.size();
  Texts(table, "host", "host", "The machine.", rows, [&](const Row& row) {
    return HostName(store, row.host);
  }).spec.people = store.hosts.size() > 1;
  Numbers(table, "step", "step", Unit::none, "What -step asks for.", rows,
          [](const Row& row) { return row.number; });
  Numbers(table, "span_ps", "span", Unit::ps, "Its duration.", rows,
          [](const Row& row) { return row.duration_ps; });
  return table;
}

Table ContentsTable(const std::vector<Content>& contents) {
  Table table;
  table.name = "contents";
  table.rows = contents.size();
  Texts(table, "kind", "kind", "A kind of facts.", contents,
        [](const Content& content) { return content.id; });
  Numbers(table, "count", "count", Unit::count, "How many the profile has.", contents,
          [](const Content& content) { return content.count; });
  Texts(table, "of", "of", "What is counted.", contents,
        [](const Content& content) { return content.what; });
  ReportColumn& advice = Texts(table, "to_record", "to record it", "How to get what is absent.");
  advice.spec.below = "missing";
  FillTexts(advice, contents, [](const Content& content) {
    return content.count > 0 ? std::string_view("") : content.how;
  });
  return table;
}

// Everything that the reading of the files had to note.
Table NotesTable(const Report& report) {
  const std::vector<Note>& notes = report.notes;
  Table table;
  table.name = "notes";
  table.rows = notes.size();
  Texts(table, "what", "note", "What was met, skipped or left out.", notes,
        [&](const Note& note) { return report.pool->Keep(note.what); });
  Numbers(table, "count", "count", Unit::count, "How often.", notes,
          [](const Note& note) { return note.count; });
  Numbers(table, "cost_ps", "time", Unit::ps, "The time of what was left out.", notes,
          [](const Note& note) { return note.cost_ps; });
  Texts(table, "first_place", "first at", "File and place of the first one.", notes,
        [&](const Note& note) {
          const std::string& place = note.first_place;
          return place.empty() ? std::string_view() : report.pool->Keep(place);
        });
  return table;
}

}  // namespace

Result<Report> ProfileInfo(const StorePtr& store, const Indexes& indexes, const Query& query,
                           Context& context) {
  TFPROF_ASSIGN(const auto accounts, indexes.Accounts(context));
  TFPROF_ASSIGN(const Activities activities, ActivitiesOf(*store, context));
  Report report = StartReport("info", store, *accounts, query);
  report.properties.clear();  // no step was asked for
  report.tables.push_back(SourcesOf(*store));
  report.tables.push_back(DevicesOf(*store, activities));
  TFPROF_ASSIGN(const auto nodes, NodesIfTrace(store, indexes, context));
  if (nodes == nullptr) {
    report.tables.push_back(StepsOf(*store, activities));
  } else {
    TFPROF_ASSIGN(Table steps, StepsOfTrace(*store, indexes, context));
    report.tables.push_back(std::move(steps));
  }
  report.tables.push_back(ContentsTable(nodes == nullptr ? ContentsOf(*store)
                                                         : ContentsOfTrace(*store, *nodes->store)));
  if (!report.notes.empty()) report.tables.push_back(NotesTable(report));
  return report;
}

}  // namespace tfprof
