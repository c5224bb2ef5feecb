// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/chosen_events.h"
#include "analysis/intervals/lane_times.h"
#include "analysis/intervals/nesting.h"
#include "analysis/place.h"
#include "core/base/arith.h"
#include "core/base/sorting.h"
#include "core/store/note_catalogue.h"
#include "views/columns/fill_columns.h"
#include "views/columns/how_to_record.h"
#include "views/columns/percentiles.h"

namespace tfprof {
namespace {

constexpr ColumnDef kSyncColumns[] = {
    TextDef("call", "call", "Call or event that waits."),
    TextDef("waits_for", "waits for", "Device, stream or event that it waits for."),
    TextDef("host", "host", "Host name.").ForMachines(),
    TextDef("process", "plane", "Process or device that waits.").Was("plane").Droppable(),
    TextDef("thread", "line", "Thread or stream that waits.").Was("line").Droppable(),
    CountDef("count", "count", "Number of times."),
    TimeDef("time_us", "time", "Time spent waiting, without waits within it."),
    TimeDef("inclusive_us", "total time", "Time spent waiting, with waits within it.").Droppable(),
    MedianDef("Median wait."),
    P95Def("95th percentile of the waits."),
    TimeDef("max_us", "longest", "Longest wait.").Was("longest_us"),
    ShareDef("share_pct", "share of span", "Waiting time as a share of the track's span.")
        .Was("share"),
};
constexpr TableDef kSyncTable{"sync", "", kSyncColumns};

constexpr ColumnDef kLinesSyncColumns[] = {
    TextDef("host", "host", "Host name.").ForMachines(),
    TextDef("process", "plane", "Process or device that waits.").Was("plane").Droppable(),
    TextDef("thread", "line", "Thread or stream that waits.").Was("line"),
    CountDef("count", "waits", "Number of waits."),
    TimeDef("waiting_us", "waiting", "Union of the waits."),
    TimeDef("span_us", "span", "From the first start to the last end of its events."),
    ShareDef("share_pct", "share of span", "Waiting time as a share of the span.").Was("share"),
};
constexpr TableDef kLinesSyncTable{"lines", "", kLinesSyncColumns};

// Returns what it waits for; empty: it does not wait.
std::string_view NameOfWait(EventRole role) {
  switch (role) {
    case EventRole::wait_for_device: return "device";
    case EventRole::wait_for_stream: return "stream";
    case EventRole::wait_for_event: return "event";
    case EventRole::wait_for_copy: return "copy";
    case EventRole::array_freed:
    case EventRole::wait_for_result: return "result";
    default: return {};
  }
}

// Events of one name on one line.
struct Wait {
  LaneId lane;
  LabelId label;
  EventRole wait = EventRole::none;
  int64_t count = 0;
  int64_t time_ps = 0;  // time in which at least one of them runs
  int64_t self_ps = 0;  // part of it without the waits within them
  int64_t longest_ps = 0;
  int64_t end_ps = kNoTime;  // end of the events added
  uint32_t number = 0;       // position in Found::waits
};

// All waits of a line.
struct SyncWait {
  LaneId lane;
  int64_t count = 0;
  int64_t time_ps = 0;
  int64_t span_ps = 0;  // span of all its events
  int64_t end_ps = kNoTime;
};

// Adds the part of an event that earlier events do not cover. REQUIRES: called in order of start.
template <class Sum>
void AddTime(int64_t start_ps, int64_t end_ps, Sum* sum) {
  ++sum->count;
  if (sum->end_ps == kNoTime || start_ps > sum->end_ps) sum->end_ps = start_ps;
  if (end_ps <= sum->end_ps) return;
  sum->time_ps = SaturatingAdd(sum->time_ps, SaturatingAdd(end_ps, -sum->end_ps));
  sum->end_ps = end_ps;
}

struct Found {
  std::vector<Wait> waits;  // by lane
  std::vector<SyncWait> lanes;
  std::vector<RowDuration> durations;  // of single waits, by position in `waits`
};

// The kind of wait of each label of a process, and the row of the label.
struct Labels {
  uint32_t first = 0;
  std::vector<EventRole> wait;  // by label - first; none: it does not wait
  std::vector<size_t> row;      // index into Found::waits, if that row is of the lane
  bool any = false;
};

Labels LabelsOf(const Store& store, const Process& process) {
  Labels labels{process.labels.first, {}, std::vector<size_t>(process.labels.count, 0)};
  for (uint32_t i = 0; i < process.labels.count; ++i) {
    const EventRole role = store.labels[labels.first + i].role;
    labels.wait.push_back(NameOfWait(role).empty() ? EventRole::none : role);
    labels.any |= labels.wait.back() != EventRole::none;
  }
  return labels;
}

// A call that waits may make others that wait: time counts for the innermost one.
void AddSelfTimes(const Store& store, const Labels& labels, std::vector<uint32_t> waits,
                  Found* found) {
  LaneNesting nesting;
  NestRows(store, std::move(waits), &nesting);
  EachInnermost(
      store, nesting, [](uint32_t) {},
      [&](uint32_t row, int64_t start_ps, int64_t end_ps) {
        const LabelId label = store.events.label[row];
        found->waits[labels.row[label.value - labels.first]].self_ps += end_ps - start_ps;
      });
}

Result<void> AddLane(const Store& store, LaneId id, const ChosenEvents& selected, Labels* labels,
                     Found* found, Context& context) {
  const Lane& lane = store.lanes[id.value];
  const size_t first = found->waits.size();
  SyncWait all{id};
  std::vector<uint32_t> waits;
  const uint32_t end = lane.rows.first + lane.rows.count;
  for (uint32_t row = lane.rows.first + lane.unplaced; row < end; ++row) {
    if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const LabelId label = store.events.label[row];
    const uint32_t at = label.value - labels->first;
    if (labels->wait[at] == EventRole::none || !selected.Takes(row)) continue;
    size_t& place = labels->row[at];
    if (place < first || place >= found->waits.size() || found->waits[place].label != label) {
      place = found->waits.size();
      found->waits.push_back({id, label, labels->wait[at]});
      found->waits.back().number = static_cast<uint32_t>(place);
    }
    Wait& wait = found->waits[place];
    const int64_t start_ps = store.events.start_ps[row];
    const int64_t duration_ps = store.events.duration_ps[row];
    wait.longest_ps = std::max(wait.longest_ps, duration_ps);
    AddTime(start_ps, SaturatingAdd(start_ps, duration_ps), &wait);
    AddTime(start_ps, SaturatingAdd(start_ps, duration_ps), &all);
    waits.push_back(row);
    found->durations.push_back({static_cast<uint32_t>(place), duration_ps});
  }
  AddSelfTimes(store, *labels, std::move(waits), found);
  if (all.count > 0) found->lanes.push_back(all);
  return {};
}

Result<Found> FindWaits(const Store& store, const PlaceFilter& place, const ChosenEvents& selected,
                        Context& context) {
  Found found;
  for (const Process& process : store.processes) {
    const bool can_wait = process.kind == ProcessKind::host || process.kind == ProcessKind::device;
    if (!can_wait || !MatchesPlace(store, process, place)) continue;
    Labels labels = LabelsOf(store, process);
    for (uint32_t k = 0; labels.any && k < process.lanes.count; ++k) {
      const LaneId lane(process.lanes.first + k);
      if (store.lanes[lane.value].derived) continue;
      TFPROF_TRY(AddLane(store, lane, selected, &labels, &found, context));
    }
  }
  return found;
}

template <class Items>
void AddPlace(const Store& store, const Items& items, Table* table) {
  const auto lane = [&](const auto& item) -> const Lane& { return store.lanes[item.lane.value]; };
  FillProcess(
      store, "process", items, [&](const auto& item) { return lane(item).process; }, table);
  Fill(*table, "thread", items, [&](const auto& item) { return store.Text(lane(item).display); });
}

Table SyncTable(const Store& store, const LaneTimes& times, const Found& found,
                const Display& display) {
  std::vector<Wait> rows = found.waits;
  StableSort(rows, std::greater(), &Wait::self_ps);
  Table table = MakeTable(kSyncTable, rows.size());
  Fill(table, "call", rows,
       [&](const Wait& w) { return store.Text(store.labels[w.label.value].name); });
  Fill(table, "waits_for", rows, [](const Wait& w) { return NameOfWait(w.wait); });
  AddPlace(store, rows, &table);
  Fill(table, "count", rows, [](const Wait& w) { return w.count; });
  Fill(table, "time_us", rows, [](const Wait& w) { return w.self_ps; });
  Fill(table, "inclusive_us", rows, [](const Wait& w) { return w.time_ps; });
  const auto number = [](const Wait& w) { return w.number; };
  AddPercentiles(DurationsOfRows(found.durations, rows, number), display, &table);
  Fill(table, "max_us", rows, [](const Wait& w) { return w.longest_ps; });
  Fill(table, "share_pct", rows,
       [&](const Wait& w) { return Quotient(w.self_ps, times.lanes[w.lane.value].SpanPs()); });
  return table;
}

Table LinesTable(const Store& store, const LaneTimes& times, std::vector<SyncWait> rows) {
  StableSort(rows, std::greater(), &SyncWait::time_ps);
  Table table = MakeTable(kLinesSyncTable, rows.size());
  AddPlace(store, rows, &table);
  Fill(table, "count", rows, [](const SyncWait& w) { return w.count; });
  Fill(table, "waiting_us", rows, [](const SyncWait& w) { return w.time_ps; });
  Fill(table, "span_us", rows,
       [&](const SyncWait& w) { return times.lanes[w.lane.value].SpanPs(); });
  Fill(table, "share_pct", rows,
       [&](const SyncWait& w) { return Quotient(w.time_ps, times.lanes[w.lane.value].SpanPs()); });
  return table;
}

}  // namespace

Result<Report> Sync(const StorePtr& store, const Indexes& indexes, const Query& query,
                    Context& context) {
  TFPROF_ASSIGN(const auto times, indexes.Get<LaneTimes>(context));
  TFPROF_ASSIGN(const ChosenEvents selected, ChooseEvents(*store, indexes, query.place, context));
  TFPROF_ASSIGN(Found found, FindWaits(*store, query.place, selected, context));
  Report report = NewReport("sync", store);
  if (found.waits.empty()) {
    TFPROF_TRY(AddHowToRecord(note::no_device_waits, Sync, indexes, query, context, &report));
  }
  report.tables.push_back(SyncTable(*store, *times, found, query.display));
  report.tables.push_back(LinesTable(*store, *times, std::move(found.lanes)));
  return report;
}

TableDefs SyncTables() { return {&kSyncTable, &kLinesSyncTable}; }

}  // namespace tfprof
