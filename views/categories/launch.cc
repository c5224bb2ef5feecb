// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/categories/device_work.h"
#include "core/store/note_catalogue.h"
#include "core/text/short_name.h"
#include "views/categories/tables.h"
#include "views/columns/fill_columns.h"
#include "views/columns/properties.h"
#include "views/views.h"

namespace tfprof {
namespace {

constexpr ColumnDef kLaunchColumns[] = {
    TextDef("short_kernel", "work",
            "Kernel name without return type, namespaces, parameters and most template arguments, "
            "but unlike that of any other kernel here.")
        .Folded(Folds::names),
    TextDef("work", "full name", "Name of the kernel, copy or fill.")
        .Was("kernel_name")
        .Folded(Folds::names)
        .ForMachines(),
    IntegerDef("global_rank", "rank", Unit::none, "Rank of the process in its job."),
    IntegerDef("device_number", "device", Unit::none, "Number of the device.").Was("device"),
    TextDef("recorded_category", "category", "Category, as recorded.").Was("type").Droppable(),
    CountDef("launches", "launches", "Kernels and copies launched.")
        .Was("occurrences")
        .Folded(Folds::sum),
    RealDef("avg_launch_delay_us", "mean delay", Unit::us,
            "Mean time from the end of the call to the start of the work; 0 where the work starts "
            "before the call ends.")
        .Folded(Folds::mean, "launches"),
    TimeDef("min_launch_delay_us", "min delay", "Shortest such time.").Droppable(),
    TimeDef("max_launch_delay_us", "max delay", "Longest such time."),
    RealDef("avg_start_delay_us", "mean start", Unit::us,
            "Mean time from the start of the call to the start of the work.")
        .Folded(Folds::mean, "launches"),
    TimeDef("min_start_delay_us", "min start", "Shortest such time.").Droppable(),
    TimeDef("max_start_delay_us", "max start", "Longest such time.").Droppable(),
};
constexpr TableDef kLaunchTable{"launches", "", kLaunchColumns};

constexpr ColumnDef kQueueColumns[] = {
    IntegerDef("global_rank", "rank", Unit::none, "Rank of the process in its job."),
    IntegerDef("device_number", "device", Unit::none, "Number of the device.").Was("device"),
    IntegerDef("stream_number", "stream", Unit::none, "Number of the stream.").Was("stream"),
    CountDef("launches", "launches", "Kernels and copies launched."),
    CountDef("max_queue_length", "max queue", "Most work that was launched and had not started."),
    RealDef("avg_queue_length", "mean queue", Unit::none,
            "Mean of the queue length after each launch and each start."),
};
constexpr TableDef kQueueTable{"queues", "", kQueueColumns};

struct LaunchRow {
  int64_t rank = kNoInt, device = kNoInt;
  const Label* label = nullptr;
  Durations launch = {}, start = {};
};

struct QueueRow {
  int64_t rank = kNoInt, device = kNoInt, stream = kNoInt;
  struct Change {
    int64_t at_ps;
    int64_t by;
  };
  std::vector<Change> changes = {};
  int64_t max = 0, sum = 0;

  void Measure() {
    std::ranges::sort(changes, [](const Change& a, const Change& b) {
      return a.at_ps != b.at_ps ? a.at_ps < b.at_ps : a.by > b.by;
    });
    int64_t length = 0;
    for (const Change& change : changes) {
      length += change.by;
      max = std::max(max, length);
      sum += length;
    }
  }
};

struct Launched {
  std::vector<LaunchRow> launches;
  std::vector<QueueRow> queues;
  int64_t linked = 0, unlinked = 0;
};

Launched LaunchedOf(const Store& store, const LaunchedWork& work) {
  Launched found;
  std::map<std::tuple<SourceId, int64_t, NameId, NameId>, size_t> row_of;
  std::map<std::tuple<SourceId, int64_t, int64_t>, size_t> queue_of;
  const Events& events = store.events;
  for (const WorkEvent& of : work.events) {
    ++(of.call.some() ? found.linked : found.unlinked);
    if (!of.call.some()) continue;
    const int64_t rank = RankOf(store, of.source), device = DeviceNumber(store, of.device);
    const int64_t stream = store.lanes[of.stream.value].id;
    const Label& label = LabelOf(store, of.event);
    const auto [row, is_new] =
        row_of.try_emplace({of.source, device, label.category, label.name}, found.launches.size());
    if (is_new) found.launches.push_back({rank, device, &label});
    const int64_t start_ps = events.start_ps[of.event.value];
    const int64_t call_ps = events.start_ps[of.call.value];
    LaunchRow& launch = found.launches[row->second];
    launch.launch.Add(std::max<int64_t>(0, SaturatingAdd(start_ps, -events.EndPs(of.call.value))));
    launch.start.Add(SaturatingAdd(start_ps, -call_ps));
    const auto [queue, is_first] =
        queue_of.try_emplace({of.source, device, stream}, found.queues.size());
    if (is_first) found.queues.push_back({rank, device, stream});
    found.queues[queue->second].changes.push_back({call_ps, 1});
    found.queues[queue->second].changes.push_back({start_ps, -1});
  }
  for (QueueRow& queue : found.queues) queue.Measure();
  return found;
}

Table LaunchTable(const Store& store, const std::vector<LaunchRow>& rows, TextPool* pool) {
  Table table = MakeTable(kLaunchTable, rows.size());
  const auto add = [&](std::string_view id, auto cell) { Fill(table, id, rows, cell); };
  std::vector<std::string_view> names;
  for (const LaunchRow& row : rows) names.push_back(store.Text(row.label->name));
  Fill(table, "short_kernel", ShortNames(names),
       [&](const std::string& name) { return pool->Keep(name); });
  Fill(table, "work", names, [](std::string_view name) { return name; });
  add("global_rank", [](const LaunchRow& r) { return r.rank; });
  add("device_number", [](const LaunchRow& r) { return r.device; });
  add("recorded_category",
      [&](const LaunchRow& r) { return TextOrNull(store, r.label->category); });
  add("launches", [](const LaunchRow& r) { return r.launch.count; });
  const auto average = [](const Durations& of) { return AverageUs(of.total_ps, of.count); };
  add("avg_launch_delay_us", [&](const LaunchRow& r) { return average(r.launch); });
  add("min_launch_delay_us", [](const LaunchRow& r) { return r.launch.min_ps; });
  add("max_launch_delay_us", [](const LaunchRow& r) { return r.launch.max_ps; });
  add("avg_start_delay_us", [&](const LaunchRow& r) { return average(r.start); });
  add("min_start_delay_us", [](const LaunchRow& r) { return r.start.min_ps; });
  add("max_start_delay_us", [](const LaunchRow& r) { return r.start.max_ps; });
  table.ordered_by = "launches";
  return table;
}

Table QueueTable(const std::vector<QueueRow>& rows) {
  Table table = MakeTable(kQueueTable, rows.size());
  const auto add = [&](std::string_view id, auto cell) { Fill(table, id, rows, cell); };
  add("global_rank", [](const QueueRow& r) { return r.rank; });
  add("device_number", [](const QueueRow& r) { return r.device; });
  add("stream_number", [](const QueueRow& r) { return r.stream; });
  add("launches", [](const QueueRow& r) { return static_cast<int64_t>(r.changes.size() / 2); });
  add("max_queue_length", [](const QueueRow& r) { return r.max; });
  add("avg_queue_length", [](const QueueRow& r) {
    return r.changes.empty() ? kNoReal
                             : static_cast<double>(r.sum) / static_cast<double>(r.changes.size());
  });
  table.ordered_by = "launches";
  return table;
}

}  // namespace

Result<void> AddLaunchTables(const StorePtr& store, const Indexes& indexes, Context& context,
                             Report* report) {
  TFPROF_ASSIGN(const auto work, indexes.Get<LaunchedWork>(context));
  Launched found = LaunchedOf(*store, *work);
  std::ranges::stable_sort(found.launches, std::ranges::greater(),
                           [](const LaunchRow& row) { return row.launch.count; });
  std::ranges::stable_sort(found.queues, std::ranges::greater(),
                           [](const QueueRow& row) { return row.changes.size(); });
  report->tables.push_back(LaunchTable(*store, found.launches, report->pool.get()));
  report->tables.push_back(QueueTable(found.queues));
  AddIntegerProperty({"linked", "device work", "linked event"}, found.linked, Unit::count, report);
  AddIntegerProperty({"unlinked", "device work", "unlinked event"}, found.unlinked, Unit::count,
                     report);
  return {};
}

Result<Report> Launch(const StorePtr& store, const Indexes& indexes, const Query&,
                      Context& context) {
  Report report = NewReport("launch", store);
  TFPROF_TRY(AddLaunchTables(store, indexes, context, &report));
  TFPROF_ASSIGN(const auto work, indexes.Get<LaunchedWork>(context));
  const auto unlinked = static_cast<int64_t>(work->events.size());
  if (unlinked == 0) {
    report.notes.push_back({note::no_device_work, 1, "", kNoInt});
  } else if (report.tables[0].rows == 0) {
    report.notes.push_back({note::unattributed_work, unlinked, "", kNoInt});
  }
  return report;
}

TableDefs LaunchTables() { return {&kLaunchTable, &kQueueTable}; }
}  // namespace tfprof
