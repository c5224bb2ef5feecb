// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "analysis/intervals/interval_set.h"
#include "views/categories/tables.h"
#include "views/columns/fill_columns.h"
#include "views/columns/properties.h"

namespace tfprof {
namespace {

constexpr ColumnDef kThreadColumns[] = {
    category::kRank,
    TextDef("process", "process", "ID of the process, as recorded.").ForOriginal(),
    TextDef("process_name", "name", "Name of the process.").ForOriginal(),
    TextDef("process_labels", "labels", "Labels of the process.").ForOriginal(),
    TextDef("thread", "thread", "ID of the thread, as recorded.").ForOriginal(),
    TextDef("thread_name", "name", "Name of the thread.").ForOriginal(),
    TextDef("host_or_device", "side", "Host or Device.").ForOriginal(),
    CountDef("events", "events", "Events with a duration.").ForOriginal(),
    TimeDef("sum_us", "sum", "Sum of the durations.").ForOriginal(),
    TimeDef("busy_us", "busy", "Union of the activity: overlapping work counts once.")
        .ForOriginal(),
    TimeDef("span_us", "span", "From the first start to the last end.").ForOriginal(),
};
constexpr TableDef kThreadTable{"threads", "", kThreadColumns};

constexpr ColumnDef kCategoryColumns[] = {
    TextDef("phase", "phase", "Phase of the entries: a letter of the format.").ForOriginal(),
    TextDef("recorded_category", "category", "Category, as recorded.")
        .Was("category")
        .ForOriginal(),
    CountDef("events", "entries", "Entries of the file.").ForOriginal(),
    TimeDef("sum_us", "sum", "Sum of the durations.").ForOriginal(),
};
constexpr TableDef kCategoryTable{"categories", "", kCategoryColumns};

struct Thread {
  const Process* process = nullptr;
  const Lane* lane = nullptr;
  bool on_device = false;
  int64_t events = 0;
  int64_t sum_ps = 0;
  int64_t first_ps = kMaxPs;
  int64_t last_ps = kMinPs;
  IntervalSet busy = {};
};

bool IsOfRecorder(const Store& store, const Lane& lane) {
  return lane.rows.count > 0 && LabelOf(store, EventId(lane.rows.first)).of == EventClass::recorder;
}

// Lanes of one process and thread are one row, in file order.
std::vector<Thread> ThreadsOf(const Store& store) {
  std::vector<Thread> threads;
  std::map<std::tuple<SourceId, NameId, NameId>, size_t> row_of;
  for (const Lane& lane : store.lanes) {
    if (lane.role == LaneRole::instants || lane.rows.count == 0 || !lane.process.some()) continue;
    const Process& process = store.processes[lane.process.value];
    const auto [found, is_new] =
        row_of.try_emplace({process.source, process.text_id, lane.text_id}, threads.size());
    if (is_new) threads.push_back({&process, &lane});
    Thread& thread = threads[found->second];
    thread.on_device |= process.kind == ProcessKind::device;
    for (const uint32_t row : lane.PlacedRows()) {
      const int64_t start_ps = store.events.start_ps[row], end_ps = store.events.EndPs(row);
      ++thread.events;
      thread.sum_ps = SaturatingAdd(thread.sum_ps, store.events.duration_ps[row]);
      thread.first_ps = std::min(thread.first_ps, start_ps);
      thread.last_ps = std::max(thread.last_ps, end_ps);
      thread.busy.Add(start_ps, end_ps);
    }
  }
  return threads;
}

Table ThreadTable(const Store& store, std::vector<Thread> threads) {
  Table table = MakeTable(kThreadTable, threads.size());
  const auto text = [&](std::string_view id, auto name) {
    Fill(table, id, threads, [&](const Thread& t) { return TextOrNull(store, name(t)); });
  };
  const auto number = [&](std::string_view id, auto cell) { Fill(table, id, threads, cell); };
  number("global_rank", [&](const Thread& t) { return RankOf(store, t.process->source); });
  text("process", [](const Thread& t) { return t.process->text_id; });
  text("process_name", [](const Thread& t) { return t.process->own_name; });
  text("process_labels", [](const Thread& t) { return t.process->tags; });
  text("thread", [](const Thread& t) { return t.lane->text_id; });
  text("thread_name", [](const Thread& t) { return t.lane->own_name; });
  Fill(table, "host_or_device", threads,
       [](const Thread& t) { return std::string_view(t.on_device ? "Device" : "Host"); });
  number("events", [](const Thread& t) { return t.events; });
  number("sum_us", [](const Thread& t) { return t.sum_ps; });
  ReportColumn& busy = AddColumn(table, "busy_us");
  for (Thread& thread : threads) busy.integers.push_back(thread.busy.CoveredPs());
  number("span_us", [](const Thread& t) { return SpanOf(t.first_ps, t.last_ps); });
  return table;
}

Table CategoryTable(const Store& store) {
  std::vector<EntryCount> rows;
  for (const Source& source : store.sources) {
    for (const EntryCount& count : source.entries) {
      const auto same = std::ranges::find_if(rows, [&](const EntryCount& row) {
        return row.phase == count.phase && row.category == count.category;
      });
      if (same == rows.end()) {
        rows.push_back(count);
        continue;
      }
      same->entries += count.entries;
      same->complete += count.complete;
      if (count.sum_ps != kNoInt) AddPresent(count.sum_ps, &same->sum_ps);
    }
  }
  Table table = MakeTable(kCategoryTable, rows.size());
  Fill(table, "phase", rows, [&](const EntryCount& r) { return TextOrNull(store, r.phase); });
  Fill(table, "recorded_category", rows,
       [&](const EntryCount& r) { return TextOrNull(store, r.category); });
  Fill(table, "events", rows, [](const EntryCount& r) { return r.entries; });
  Fill(table, "sum_us", rows, [](const EntryCount& r) { return r.sum_ps; });
  return table;
}

void AddProperties(const Store& store, Report* report) {
  int64_t entries = 0, complete = 0, first_ps = kMaxPs, last_ps = kMinPs;
  for (const Source& source : store.sources) {
    for (const EntryCount& count : source.entries) {
      entries += count.entries;
      complete += count.complete;
    }
  }
  std::set<NameId> names;
  for (const Lane& lane : store.lanes) {
    if (lane.role == LaneRole::instants) continue;
    const bool has_span = !IsOfRecorder(store, lane);
    for (const uint32_t row : lane.PlacedRows()) {
      names.insert(LabelOf(store, EventId(row)).name);
      if (!has_span) continue;
      first_ps = std::min(first_ps, store.events.start_ps[row]);
      last_ps = std::max(last_ps, store.events.EndPs(row));
    }
  }
  const bool is_one = store.sources.size() == 1;
  AddIntegerProperty({"events", "", ""}, entries, Unit::count, report);
  AddIntegerProperty({"complete_events", "", ""}, complete, Unit::count, report);
  AddIntegerProperty({"distinct_names", "", ""}, static_cast<int64_t>(names.size()), Unit::count,
                     report);
  AddIntegerProperty({"span_us", "", ""}, last_ps < first_ps ? kNoInt : SpanOf(first_ps, last_ps),
                     Unit::ps_as_us, report);
  AddIntegerProperty({"global_rank", "", ""}, is_one ? store.sources[0].rank : kNoInt, Unit::none,
                     report);
  AddIntegerProperty({"world_size", "", ""}, is_one ? store.sources[0].world_size : kNoInt,
                     Unit::none, report);
}

}  // namespace

Result<void> AddThreadTables(const StorePtr& store, const Indexes&, Context& context,
                             Report* report) {
  TFPROF_TRY(Poll(context));
  report->tables.push_back(ThreadTable(*store, ThreadsOf(*store)));
  report->tables.push_back(CategoryTable(*store));
  AddProperties(*store, report);
  return {};
}

}  // namespace tfprof
