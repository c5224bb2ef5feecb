// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/intervals/lane_times.h"
#include "analysis/intervals/start_order.h"
#include "analysis/transfers/copies.h"
#include "analysis/wall_time.h"
#include "core/base/arith.h"
#include "core/base/sorting.h"
#include "core/store/note_catalogue.h"
#include "views/columns/fill_columns.h"
#include "views/columns/how_to_record.h"
#include "views/columns/percentiles.h"
#include "views/transfers/chosen_copies.h"

namespace tfprof {
namespace {

constexpr ColumnDef kTransfersColumns[] = {
    TextDef("host", "host", "Host name."),
    TextDef("device", "device", "Device that made the copy."),
    TextDef("direction", "direction", "Direction of the copy."),
    TextDef("from", "from", "Memory kind of the source: pageable, pinned, device, ..."),
    TextDef("to", "to", "Memory kind of the destination.").Droppable(),
    CountDef("count", "copies", "Number of copies.").Was("copies"),
    BytesDef("bytes", "bytes", "Sum over all of them."),
    TimeDef("busy_us", "busy", "Union of the copies: concurrent copies count once."),
    TimeDef("exposed_us", "exposed",
            "Part of the busy time in which the device did not compute. Rows are in its order."),
    RealDef("bandwidth_bytes_per_s", "bandwidth", Unit::gbytes_per_s, "Bytes divided by busy time.")
        .Was("bandwidth"),
    BytesDef("max_bytes", "largest", "Largest copy."),
    MedianDef("Median copy."),
    P95Def("95th percentile of the copies."),
    TimeDef("max_us", "longest", "Longest copy.").Was("max_time_us"),
    TimeDef("time_us", "total", "Sum of durations: concurrent copies count each."),
    TimeDef("overlapped_us", "overlapped",
            "Part of the busy time in which the device also computed.")
        .Was("hidden_us"),
    ShareDef("overlapped_pct", "overlapped %", "Overlapped time as a share of busy time.")
        .Was("hidden_share"),
};
constexpr TableDef kTransfersTable{"transfers", "", kTransfersColumns};

constexpr ColumnDef kCopiesColumns[] = {
    TextDef("host", "host", "Host name."),
    TextDef("device", "device", "Device that made the copy."),
    TextDef("direction", "direction", "Direction of the copy."),
    TextDef("from", "from", "Memory kind of the source: pageable, pinned, device, ..."),
    TextDef("to", "to", "Memory kind of the destination."),
    TextDef("stream", "line", "Stream or engine.").Was("line"),
    TimeDef("start_us", "start", "Start, from the first start of the profile.").Was("offset_us"),
    TimeDef("duration_us", "time", "Duration.").Was("time_us"),
    TimeDef("exposed_us", "exposed",
            "Time in which the device did not compute. Rows are in its order."),
    BytesDef("bytes", "bytes", "Bytes moved."),
    RealDef("bandwidth_bytes_per_s", "bandwidth", Unit::gbytes_per_s, "Bytes divided by time.")
        .Was("bandwidth"),
    TimeDef("overlapped_us", "overlapped", "Time in which the device also computed.")
        .Was("hidden_us"),
    TextDef("overlap", "overlap", "overlapped (wholly), partial or exposed (wholly).").Droppable(),
    RealDef("original_start_us", "wall start", Unit::us, "Start, wall time.")
        .Was("start_us")
        .ForOriginal(),
    TextDef("op", "operation", "Operation that the copy belongs to.").Was("op_name"),
};
constexpr TableDef kCopiesTable{"copies", "", kCopiesColumns};

// Returns a time without a part of it; kNoInt: the part is unknown.
int64_t Without(int64_t part_ps, int64_t ps) {
  return part_ps == kNoInt ? kNoInt : SaturatingAdd(ps, -part_ps);
}

// Copies with the same key.
struct Group {
  TransferRow any{};
  EventTimes times;           // of all copies
  EventTimes of_known_bytes;  // of copies with known bytes
  int64_t bytes = kNoInt;
  int64_t max_bytes = kNoInt;
  // The part of the copies' busy time that overlaps with kernels.
  int64_t overlapped_ps = kNoInt;
  int64_t last_end_ps = kNoTime;      // end of the last copy added
  int64_t kernels_until_ps = kNoInt;  // kernel time up to last_end_ps
  std::vector<TransferRow> copies = {};

  int64_t ExposedPs() const { return Without(overlapped_ps, times.busy_ps); }
};

// What a copy can cost: the time in which nothing else ran, else, if that is unknown, all of it.
int64_t CostOf(int64_t exposed_ps, int64_t all_ps) {
  return exposed_ps == kNoInt ? all_ps : exposed_ps;
}

int64_t ExposedPs(const TransferRow& row) {
  return Without(row.copy->OverlappedPs(), row.copy->duration_ps);
}

std::string_view OverlapOf(const TransferRow& row) {
  const int64_t exposed_ps = ExposedPs(row);
  if (exposed_ps == kNoInt) return {};
  if (exposed_ps == 0) return "overlapped";
  return exposed_ps == row.copy->duration_ps ? "exposed" : "partial";
}

double GigabytesPerSecond(int64_t bytes, int64_t ps) {
  if (bytes == kNoInt || ps <= 0) return kNoReal;
  return static_cast<double>(bytes) / static_cast<double>(ps) * 1e3;
}

// Adds the part of a copy that earlier copies do not cover: from its start, or the end of the last
// earlier one, to its end. REQUIRES: called in order of start.
void AddHidden(const Copy& copy, Group* group) {
  if (copy.kernels_before_ps == kNoInt) return;
  const int64_t end_ps = SaturatingAdd(copy.start_ps, copy.duration_ps);
  const bool first = group->last_end_ps == kNoTime;
  if (first) group->overlapped_ps = 0;
  if (!first && end_ps <= group->last_end_ps) return;
  const bool apart = first || copy.start_ps >= group->last_end_ps;
  const int64_t from_ps = apart ? copy.kernels_before_ps : group->kernels_until_ps;
  group->overlapped_ps =
      SaturatingAdd(group->overlapped_ps, SaturatingAdd(copy.kernels_until_ps, -from_ps));
  group->last_end_ps = end_ps;
  group->kernels_until_ps = copy.kernels_until_ps;
}

// REQUIRES: called in order of start.
void AddTo(Group& group, const Copy& copy) {
  AddByStart(copy.start_ps, copy.duration_ps, &group.times);
  AddHidden(copy, &group);
  if (copy.bytes == kNoInt) return;
  AddPresent(copy.bytes, &group.bytes);
  AddByStart(copy.start_ps, copy.duration_ps, &group.of_known_bytes);
  group.max_bytes = std::max(group.max_bytes, copy.bytes);
}

auto KindOf(const TransferRow& row) {
  return std::make_tuple(row.host(), row.device(), row.copy->direction, row.from(), row.to());
}

bool AreAlike(const TransferRow& one, const TransferRow& other) {
  const Copy &a = *one.copy, &b = *other.copy;
  return one.made_on == other.made_on && a.direction == b.direction && a.from == b.from &&
         a.to == b.to;
}

// Returns the groups by exposed time, then busy time, descending.
std::vector<Group> GroupCopies(const std::vector<TransferRow>& rows) {
  std::map<decltype(KindOf(rows[0])), std::vector<TransferRow>> by_kind;
  std::vector<TransferRow>* kind = nullptr;
  for (const TransferRow& row : rows) {
    if (kind == nullptr || !AreAlike(row, kind->back())) kind = &by_kind[KindOf(row)];
    kind->push_back(row);
  }
  std::vector<Group> groups;
  StartOrder order;
  for (auto& [key, alike] : by_kind) {
    order.SortBy(std::span(alike), [](const TransferRow& row) { return row.copy->start_ps; });
    Group& group = groups.emplace_back();
    group.any = alike[0];
    for (const TransferRow& row : alike) AddTo(group, *row.copy);
    group.copies = std::move(alike);
  }
  const auto cost = [](const Group& group) {
    const int64_t busy_ps = group.times.busy_ps;
    return std::pair(CostOf(group.ExposedPs(), busy_ps), busy_ps);
  };
  StableSort(groups, [&](const Group& a, const Group& b) { return cost(a) > cost(b); });
  return groups;
}

template <class Items, class OfItem>
void AddKind(const Store& store, const Items& items, const OfItem& of, Table* table) {
  const auto text = [&](std::string_view id, auto cell) {
    Fill(*table, id, items, [&](const auto& item) { return cell(of(item)); });
  };
  text("host", [](const TransferRow& r) { return r.host(); });
  table->columns.back().spec.human_readable = store.hosts.size() > 1;
  text("device", [](const TransferRow& r) { return r.device(); });
  text("direction", [](const TransferRow& r) { return DisplayName(r.copy->direction); });
  text("from", [](const TransferRow& r) { return r.from(); });
  text("to", [](const TransferRow& r) { return r.to(); });
}

std::vector<RowDuration> DurationsOf(const std::vector<Group>& groups) {
  std::vector<RowDuration> durations;
  for (uint32_t row = 0; row < groups.size(); ++row) {
    for (const TransferRow& copy : groups[row].copies) {
      durations.push_back({row, copy.copy->duration_ps});
    }
  }
  return durations;
}

Table TransfersTable(const Store& store, const std::vector<Group>& groups, const Display& display) {
  Table table = MakeTable(kTransfersTable, groups.size());
  AddKind(
      store, groups, [](const Group& g) -> const TransferRow& { return g.any; }, &table);
  Fill(table, "count", groups, [](const Group& g) { return g.times.events; });
  Fill(table, "bytes", groups, [](const Group& g) { return g.bytes; });
  Fill(table, "busy_us", groups, [](const Group& g) { return g.times.busy_ps; });
  Fill(table, "exposed_us", groups, [](const Group& g) { return g.ExposedPs(); });
  Fill(table, "bandwidth_bytes_per_s", groups,
       [](const Group& g) { return GigabytesPerSecond(g.bytes, g.of_known_bytes.busy_ps); });
  Fill(table, "max_bytes", groups, [](const Group& g) { return g.max_bytes; });
  if (HasPercentiles(kTransfersTable, display)) {
    AddPercentiles(DurationsOf(groups), display, &table);
  }
  Fill(table, "max_us", groups, [](const Group& g) { return g.times.max_ps; });
  Fill(table, "time_us", groups, [](const Group& g) { return g.times.sum_ps; });
  Fill(table, "overlapped_us", groups, [](const Group& g) { return g.overlapped_ps; });
  Fill(table, "overlapped_pct", groups,
       [](const Group& g) { return Quotient(g.overlapped_ps, g.times.busy_ps); });
  return table;
}

Table CopiesTable(const Store& store, int64_t first_ps, std::vector<TransferRow> rows) {
  StartOrder order;
  order.SortBy(std::span(rows), [](const TransferRow& row) { return -row.copy->duration_ps; });
  order.SortBy(std::span(rows), [](const TransferRow& row) {
    return -CostOf(ExposedPs(row), row.copy->duration_ps);
  });
  Table table = MakeTable(kCopiesTable, rows.size());
  AddKind(
      store, rows, [](const TransferRow& r) -> const TransferRow& { return r; }, &table);
  Fill(table, "stream", rows,
       [&](const TransferRow& r) { return store.Text(store.lanes[r.copy->lane.value].display); });
  Fill(table, "start_us", rows,
       [&](const TransferRow& r) { return SinceFirst(first_ps, r.copy->start_ps); });
  Fill(table, "duration_us", rows, [](const TransferRow& r) { return r.copy->duration_ps; });
  Fill(table, "exposed_us", rows, ExposedPs);
  Fill(table, "bytes", rows, [](const TransferRow& r) { return r.copy->bytes; });
  Fill(table, "bandwidth_bytes_per_s", rows,
       [](const TransferRow& r) { return GigabytesPerSecond(r.copy->bytes, r.copy->duration_ps); });
  Fill(table, "overlapped_us", rows, [](const TransferRow& r) { return r.copy->OverlappedPs(); });
  Fill(table, "overlap", rows, OverlapOf);
  Fill(table, "original_start_us", rows,
       [&](const TransferRow& r) { return WallMicros(store, r.copy->start_ps); });
  Fill(table, "op", rows, [](const TransferRow& r) { return r.op(); });
  return table;
}

Result<void> AddNotes(const std::vector<TransferRow>& rows, int64_t unfinished,
                      const Indexes& indexes, const Query& query, Context& context,
                      Report* report) {
  if (unfinished > 0) {
    report->notes.push_back({note::unfinished_copies, unfinished, "", kNoInt});
  }
  if (rows.empty()) {
    TFPROF_TRY(AddHowToRecord(note::no_copies, Transfers, indexes, query, context, report));
  }
  Note pageable{note::pageable_copies, 0, "", 0};
  for (const TransferRow& row : rows) {
    if (row.from() != "pageable" && row.to() != "pageable") continue;
    ++pageable.count;
    pageable.cost_ps = SaturatingAdd(pageable.cost_ps, row.copy->duration_ps);
  }
  if (pageable.count > 0) report->notes.push_back(std::move(pageable));
  return {};
}

}  // namespace

Result<Report> Transfers(const StorePtr& store, const Indexes& indexes, const Query& query,
                         Context& context) {
  Report report = NewReport("transfers", store);
  TFPROF_ASSIGN(ChosenCopies chosen,
                ChooseCopies(*store, indexes, query.place, *report.pool, context));
  std::vector<TransferRow>& rows = chosen.rows;
  const int64_t unfinished = chosen.unfinished;
  TFPROF_TRY(AddNotes(rows, unfinished, indexes, query, context, &report));
  report.tables.push_back(TransfersTable(*store, GroupCopies(rows), query.display));
  report.tables.push_back(CopiesTable(*store, FirstStart(*store), std::move(rows)));
  return report;
}

TableDefs TransfersTables() { return {&kTransfersTable, &kCopiesTable}; }

}  // namespace tfprof
