// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "analysis/contents.h"
#include "analysis/nodes/scope_tree.h"
#include "analysis/ops/async_done.h"
#include "analysis/place.h"
#include "analysis/steps/times.h"
#include "analysis/trace_nodes/trace_nodes.h"
#include "core/query/query.h"
#include "core/report/keep_rows.h"
#include "core/report/refine.h"
#include "core/store/sources_text.h"
#include "core/text/units.h"
#include "core/text/wording.h"
#include "views/advice/checker.h"
#include "views/classic/node_tables.h"
#include "views/columns/properties.h"
#include "views/explore/idle_lines.h"
#include "views/explore/wall_screen.h"
#include "views/steps/notes.h"

namespace tfprof {
namespace {

constexpr int32_t kTopRows = 6;

// Adds a suggested next command.
void AddCommandLine(std::string_view id, std::string command, Report& report) {
  AddTextProperty({id, "next"}, std::move(command), &report).command = true;
}

// Returns a command about that name; empty: the name cannot be typed.
std::string CommandAbout(std::string_view command, std::string_view name) {
  const std::string word = WordFor(name);
  return word.empty() ? word : std::string(command) + " " + word;
}

void AddSourceFiles(const Store& store, Report& report) {
  std::vector<std::string> files;
  for (const Source& source : store.sources) {
    files.push_back(source.path + " (" + source.format + ", " +
                    Human(static_cast<int64_t>(source.file_bytes), Unit::bytes) + ")");
  }
  // Opening a profile prints the name of a single file, and those of a trace.
  const bool shown = files.size() > 1 && !store.IsTrace();
  AddTextProperty({"read", shown ? "read" : ""}, Listed(files, files.size()), &report)
      .display_text = SourcesText(store, &Source::file_bytes);
}

// Returns "/device:GPU:0 (Tesla V100)"; with several hosts, "worker-1 /device:GPU:0 (Tesla V100)".
std::string DeviceText(const Store& store, const Process& process) {
  const std::string text = PlaceName(store, process);
  if (!process.device.some()) return text;
  const std::string_view model = store.Text(store.devices[process.device.value].model);
  return model.empty() ? text : text + " (" + std::string(model) + ")";
}

// Adds the processes of a trace that ran anything.
void AddDeviceCounts(const Store& store, Report& report) {
  std::vector<std::string> devices;
  for (const Process& process : store.processes) {
    if (process.kind == ProcessKind::metadata) continue;
    if (HasEvents(store, process)) devices.push_back(DeviceText(store, process));
  }
  for (const Lane& lane : store.lanes) {
    if (lane.process.some()) break;
    if (lane.measures != Measures::nothing) devices.emplace_back(store.Text(lane.display));
  }
  if (!devices.empty()) AddNamesProperty({"devices", "devices"}, std::move(devices), &report);
}

// Reports that the figures of a trace cover all of its hosts, even hosts of different runs. Each
// process of a capture has a trace, which counts as a host.
void AddHostCounts(const Store& store, Report& report) {
  if (!store.IsTrace() || store.hosts.size() < 2) return;
  const auto hosts = static_cast<int64_t>(store.hosts.size());
  const std::string_view head = store.capture ? "processes" : "hosts";
  AddIntegerProperty({"hosts", head}, hosts, Unit::count, &report).display_text =
      fmt::format("{}, summed here; `op -host NAME` selects one", hosts);
}

void AddStepNumbers(const Store& store, Report& report) {
  std::vector<std::string> numbers;
  for (const Step& step : store.steps) numbers.push_back(std::to_string(step.number));
  if (!numbers.empty()) AddTextProperty({"recorded_steps", "steps"}, Listed(numbers, 10), &report);
}

// Adds the recorded steps of all hosts of a trace.
Result<void> AddTraceSteps(const Store& store, const Indexes& indexes, Context& context,
                           Report& report) {
  TFPROF_ASSIGN(const std::vector<HostSteps> hosts, MeasureSteps(store, indexes, {}, context));
  std::set<int64_t> numbers;  // each host numbers its steps independently
  std::vector<int64_t> durations_ps;
  __extension__ __int128 sum_ps = 0;
  for (const HostSteps& host : hosts) {
    for (const StepTime& step : host.steps) {
      numbers.insert(step.number);
      durations_ps.push_back(step.duration_ps);
      sum_ps += step.duration_ps;
    }
  }
  if (durations_ps.empty()) return {};
  const auto [min, max] = std::minmax_element(durations_ps.begin(), durations_ps.end());
  std::vector<std::string> number_texts;
  for (const int64_t number : numbers) number_texts.push_back(std::to_string(number));
  AddTextProperty({"recorded_steps", "steps"}, Listed(number_texts, 10), &report);
  const auto count = static_cast<int64_t>(durations_ps.size());
  AddStepRange(static_cast<int64_t>(sum_ps / count), *min, *max, &report);
  AddTimesOf("step_times_of", TimesOf::all_hosts, hosts, "step time", &report);
  return {};
}

void AddContents(const std::vector<Content>& contents, Report& report) {
  std::string has, lacks;
  for (const Content& content : contents) {
    if (content.how.empty()) continue;  // not worth reporting as missing
    std::string& list = content.count > 0 ? has : lacks;
    list += (list.empty() ? "" : " ") + std::string(content.id);
  }
  if (!has.empty()) AddTextProperty({"recorded", "recorded", "", "has"}, has, &report);
  if (lacks.empty()) return;
  AddTextProperty({"not_recorded", "not recorded", "", "missing"},
                  lacks + " (`info` shows how to record it)", &report);
}

// Returns a command about the scope or node directly below the root that has the largest total of
// `by`.
Result<std::string> LargestCommand(const Store& store, const Indexes& indexes,
                                   const PlaceFilter& place, Measure by, Context& context) {
  TFPROF_ASSIGN(const auto tree, indexes.Get<ScopeTree>(context));
  TFPROF_ASSIGN(const auto totals, indexes.Get<ScopeTotals>(place, context));
  uint32_t largest = 0;
  for (uint32_t row = 1; row < tree->end.size(); row = tree->end[row]) {
    const bool larger =
        largest == 0 || At(totals->values[row], by) > At(totals->values[largest], by);
    if (larger) largest = row;
  }
  if (largest == 0) return std::string();
  const ScopeTree::Name name = tree->names[largest];
  const bool leaf = tree->end[largest] == largest + 1;
  // Operations of a trace have no graph neighbors for peek to show.
  const std::string_view about_leaf = store.IsTrace() ? "why" : "peek";
  return CommandAbout(leaf ? about_leaf : "ls", store.Text(name.name).substr(0, name.length));
}

// Returns the query for the op view: by time if recorded, else by what the graph alone has.
Query TopQuery(const std::vector<Content>& contents, const PlaceFilter& place) {
  const auto has = [&](std::string_view id) {
    return std::ranges::any_of(
        contents, [&](const Content& content) { return content.id == id && content.count > 0; });
  };
  Query top;
  top.place.step = place.step;
  top.place.last_step = place.last_step;
  top.place.sum_steps = place.sum_steps;
  top.place.exact = place.exact;
  top.tree = HidesNone();
  top.display.select = {Attribute::micros, Attribute::occurrence};
  top.display.order_by = OrderBy::micros;
  if (!has("time")) {
    top.display.select = {Attribute::occurrence};
    top.display.order_by = OrderBy::occurrence;
    if (has("params")) {
      top.display.select.insert(top.display.select.begin(), Attribute::params);
      top.display.order_by = OrderBy::params;
    }
  }
  return top;
}

// Returns the type for the suggested command: by time, the first one that does not only stall on
// async work.
std::string_view TypeToInspect(const Table& operations, Attribute by) {
  const std::vector<std::string_view>& types = operations.Find("name")->texts;
  if (by != Attribute::micros) return types[0];
  const ReportColumn& times = *operations.Find("micros");
  for (size_t i = 0; i < types.size(); ++i) {
    if (times.Integer(i) > 0 && !IsAsyncDone({}, types[i])) return types[i];
  }
  return types[0];
}

Result<void> AddNextCommands(const Store& store, const Indexes& indexes, const Query& top,
                             Context& context, Report& report) {
  const Table& operations = report.tables[0];
  if (operations.PrintedRows() == 0) return {};
  const Attribute first = top.display.select.front();
  const Measure measure = MeasureOf(top.display.order_by).value_or(Measure::definition_count);
  TFPROF_ASSIGN(const std::string scope,
                LargestCommand(store, indexes, top.place, measure, context));
  const std::string type =
      CommandAbout(first == Attribute::micros ? "why" : "peek", TypeToInspect(operations, first));
  const std::string step = top.place.SelectsSteps() ? " -step " + top.place.StepText() : "";
  if (!type.empty()) AddCommandLine("next_1", type + step, report);
  if (!scope.empty()) AddCommandLine("next_2", scope + step, report);
  return {};
}

// Makes the first rows of the op view's answer the table of this view.
Result<void> Adopt(const Query& query, const Display& display, Report& report) {
  Table& table = report.tables[0];
  Display asked = query.display;
  asked.select = display.select;
  asked.order_by = display.order_by;
  AddShare(report, asked, table);
  report.view = "summary";
  table.def = &OperationsTableDef();
  table.name = table.def->name;
  if (std::exchange(table.synthetic_root, false)) KeepRows({}, &table);
  for (ReportColumn& column : table.columns) {
    const bool no_run =
        column.spec.id == Info(Measure::run_count).column && display.order_by != OrderBy::micros;
    if (column.spec.role == ColumnRole::remainder || no_run) column.spec.shown = false;
  }
  Display first;
  first.rows = kTopRows;
  return Refine(report, first);
}

// Returns the next view for a trace: why its steps are slow, else its compiled programs, with the
// time of an execution, else device activity, or its memory, or the steps that were inferred.
std::string NextView(const Store& store, const std::vector<Content>& contents,
                     const Report& report) {
  if (report.Find("recorded_steps") != nullptr) return "input";
  if (CountOf(contents, "programs") > 0) return "hlo";
  for (const Device& device : store.devices) {
    if (!HasEvents(store, store.processes[device.process.value])) continue;
    if (device.kind == DeviceKind::gpu) return "kernels";
    if (device.kind == DeviceKind::tpu) return "hlo";
  }
  if (CountOf(contents, "memory") > 0) return "memory";
  const Property* steps = report.Find("wall_steps");
  return steps != nullptr && steps->integer > 0 ? "steps" : "planes";
}

// The operations are second to the wall time: a line instead of the table.
void AddOperations(Report* report) {
  constexpr size_t kShown = 4;
  Table& table = report->tables[0];
  const ReportColumn* names = table.Find("name");
  const ReportColumn* times = table.Find("micros");
  table.human_readable = false;
  if (names == nullptr || times == nullptr || table.PrintedRows() == 0) return;
  int64_t all_ps = ZeroIfAbsent(times->omitted_sum);
  for (size_t row = 0; row < table.rows; ++row) {
    all_ps = SaturatingAdd(all_ps, ZeroIfAbsent(times->Integer(row)));
  }
  std::string text;
  for (size_t row = 0; row < std::min(kShown, table.rows); ++row) {
    const double share = 100 * Quotient(ZeroIfAbsent(times->Integer(row)), all_ps);
    if (!(share >= 1)) break;
    text += fmt::format("{}{} {}", row == 0 ? "" : ", ", names->texts[row], PercentText(share, 0));
  }
  if (!text.empty()) AddTextProperty({"top_operations", "op time"}, std::move(text), report);
}

// Leaves a property to machines.
void HideProperty(std::string_view id, Report* report) {
  for (Property& property : report->properties) {
    if (property.id == id) property.head.clear();
  }
}

// Summary of a trace. Its nodes include only the events that -step selected.
Result<Report> SummaryOfTrace(const StorePtr& store, const Indexes& indexes, const Query& query,
                              Context& context) {
  TFPROF_TRY(ReadFacts(*store, indexes, {}, context));
  TFPROF_ASSIGN(
      const auto nodes,
      indexes.Get<TraceNodes>({query.place.OfPlaces(), NodeGranularity::one_per_name}, context));
  const std::vector<Content> contents = ContentsOfTrace(*store, *nodes->store);
  Query top = TopQuery(contents, query.place);
  top.place.step = -1;
  TFPROF_ASSIGN(Report report, Op(nodes->store, *nodes->indexes, top, context));
  TFPROF_TRY(Adopt(query, top.display, report));
  AddSourceFiles(*store, report);
  AddDeviceCounts(*store, report);
  AddHostCounts(*store, report);
  TFPROF_ASSIGN(const bool has_wall,
                AddWallTime(*store, indexes, WallForm::table, context, &report));
  if (!has_wall) TFPROF_TRY(AddTraceSteps(*store, indexes, context, report));
  TFPROF_TRY(AddFindings(store, indexes, context, &report));
  if (has_wall) {
    AddOperations(&report);
    Report machines;  // the same facts of steps, for machines only
    TFPROF_TRY(AddTraceSteps(*store, indexes, context, machines));
    for (Property& property : machines.properties) {
      property.head.clear();
      report.properties.push_back(std::move(property));
    }
  }
  AddContents(contents, report);
  if (has_wall) {
    HideProperty("recorded", &report);
    HideProperty("not_recorded", &report);
  }
  if (!has_wall) {
    TFPROF_TRY(AddNextCommands(*nodes->store, *nodes->indexes, top, context, report));
    AddCommandLine("next_3", NextView(*store, contents, report), report);
    return report;
  }
  AddCommandLine("next_1", "advise", report);
  const Table& operations = report.tables[0];
  const std::string why =
      operations.PrintedRows() == 0
          ? std::string()
          : CommandAbout("why", TypeToInspect(operations, top.display.select.front()));
  if (!why.empty()) AddCommandLine("next_2", why, report);
  AddCommandLine("next_3", NextView(*store, contents, report), report);
  return report;
}

}  // namespace

// Of the options it reads -step only.
Result<Report> Summary(const StorePtr& store, const Indexes& indexes, const Query& query,
                       Context& context) {
  if (LacksNodes(*store)) return SummaryOfTrace(store, indexes, query, context);
  const std::vector<Content> contents = ContentsOf(*store);
  const Query top = TopQuery(contents, query.place);
  TFPROF_ASSIGN(Report report, Op(store, indexes, top, context));
  TFPROF_TRY(Adopt(query, top.display, report));
  AddSourceFiles(*store, report);
  AddDeviceCounts(*store, report);
  AddHostCounts(*store, report);
  TFPROF_TRY(AddWallOfSteps(*store, indexes, context, &report));
  AddStepNumbers(*store, report);
  TFPROF_TRY(AddFindings(store, indexes, context, &report));
  AddContents(contents, report);
  HideProperty("recorded", &report);  // the answers show it
  TFPROF_TRY(AddNextCommands(*store, indexes, top, context, report));
  return report;
}

TableDefs SummaryTables() {
  return {&OperationsTableDef(), &IdleTableDef(), &WallTableDef(), &StepFindingsTableDef()};
}

}  // namespace tfprof
