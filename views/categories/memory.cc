// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "analysis/categories/device_work.h"
#include "core/store/details.h"
#include "views/categories/tables.h"
#include "views/columns/fill_columns.h"

namespace tfprof {
namespace {

constexpr ColumnDef kUsageColumns[] = {
    category::kRank,
    TextDef("device_type", "device type", "Kind of the device whose memory it is.").ForOriginal(),
    IntegerDef("device_id", "device", Unit::none, "Number of that device.").ForOriginal(),
    CountDef("allocations", "allocations", "Number of allocations.").ForOriginal(),
    BytesDef("given_bytes", "allocated", "Bytes of the allocations.")
        .Was("allocated_bytes")
        .ForOriginal(),
    CountDef("deallocations", "frees", "Number of frees.").ForOriginal(),
    BytesDef("deallocated_bytes", "freed", "Bytes of the frees.").ForOriginal(),
    BytesDef("net_bytes", "net", "Bytes allocated minus bytes freed.").ForOriginal(),
    BytesDef("peak_allocated_bytes", "peak", "Most bytes in use.").ForOriginal(),
    BytesDef("peak_reserved_bytes", "peak held", "Most bytes that the allocator held.")
        .ForOriginal(),
};
constexpr TableDef kUsageTable{"usage", "", kUsageColumns};

constexpr ColumnDef kCopyColumns[] = {
    category::kRank,
    category::kDevice,
    TextDef("operation", "operation", "Name, as recorded.").ForOriginal(),
    category::kOccurrences,
    BytesDef("bytes", "bytes", "Bytes moved.").ForOriginal(),
    category::kTotal,
    category::kMin,
    category::kMax,
};
constexpr TableDef kCopyTable{"copies", "", kCopyColumns};

struct Usage {
  int64_t rank = kNoInt;
  std::string type = {};
  int64_t device = kNoInt;
  int64_t allocations = 0, allocated = 0, frees = 0, freed = 0;
  int64_t peak = kNoInt, peak_held = kNoInt;
};

using UsageRows = std::map<std::tuple<SourceId, std::string, int64_t>, Usage>;

Result<void> AddUsage(const Store& store, ProcessId id, UsageRows* rows, Context& context) {
  const Process& process = store.processes[id.value];
  std::vector<EventId> events;
  for (const Lane& lane : store.LanesOf(process)) {
    if (lane.role != LaneRole::instants) continue;
    for (const uint32_t row : lane.PlacedRows()) events.emplace_back(row);
  }
  if (events.empty()) return {};
  constexpr DetailKey kKeys[] = {AttributeKey::device_type, AttributeKey::device_id,
                                 AttributeKey::allocation_bytes, AttributeKey::bytes_in_use,
                                 AttributeKey::bytes_held};
  TFPROF_ASSIGN(const auto columns, ReadColumns(store, id, events, kKeys, context));
  if (columns[0].rows.count == 0) return {};
  const auto integer = [&](size_t key, uint32_t i) {
    return columns[key].rows.count > 0 ? columns[key].Integer(i) : kNoInt;
  };
  for (uint32_t i = 0; i < events.size(); ++i) {
    if (!columns[0].Has(i)) continue;
    const std::string type(columns[0].Text(i));
    Usage& usage = (*rows)[{process.source, type, integer(1, i)}];
    usage.rank = RankOf(store, process.source);
    usage.type = type;
    usage.device = integer(1, i);
    const EventRole role = LabelOf(store, events[i]).role;
    const int64_t bytes = std::max<int64_t>(0, integer(2, i));
    if (role == EventRole::allocation) ++usage.allocations, usage.allocated += bytes;
    if (role == EventRole::deallocation) ++usage.frees, usage.freed += bytes;
    usage.peak = std::max(usage.peak, integer(3, i));
    usage.peak_held = std::max(usage.peak_held, integer(4, i));
  }
  return {};
}

Table UsageTable(const UsageRows& found, TextPool& pool) {
  std::vector<Usage> rows;
  for (const auto& [key, usage] : found) rows.push_back(usage);
  Table table = MakeTable(kUsageTable, rows.size());
  const auto add = [&](std::string_view id, auto cell) { Fill(table, id, rows, cell); };
  add("global_rank", [](const Usage& u) { return u.rank; });
  add("device_type", [&](const Usage& u) { return pool.Keep(u.type); });
  add("device_id", [](const Usage& u) { return u.device; });
  add("allocations", [](const Usage& u) { return u.allocations; });
  add("given_bytes", [](const Usage& u) { return u.allocated; });
  add("deallocations", [](const Usage& u) { return u.frees; });
  add("deallocated_bytes", [](const Usage& u) { return u.freed; });
  add("net_bytes", [](const Usage& u) { return u.allocated - u.freed; });
  add("peak_allocated_bytes", [](const Usage& u) { return u.peak; });
  add("peak_reserved_bytes", [](const Usage& u) { return u.peak_held; });
  return table;
}

struct CopyRow {
  int64_t rank = kNoInt, device = kNoInt;
  NameId name;
  int64_t bytes = kNoInt;
  Durations times = {};
};

using CopyRows = std::map<std::tuple<SourceId, int64_t, NameId>, CopyRow>;

Result<void> AddCopies(const Store& store, std::span<const WorkEvent> copies, CopyRows* rows,
                       Context& context) {
  std::vector<EventId> events;
  for (const WorkEvent& of : copies) events.push_back(of.event);
  constexpr DetailKey kKeys[] = {AttributeKey::copy_bytes};
  TFPROF_ASSIGN(const auto columns, ReadColumns(store, copies[0].device, events, kKeys, context));
  for (uint32_t i = 0; i < copies.size(); ++i) {
    const WorkEvent& of = copies[i];
    const NameId name = LabelOf(store, of.event).name;
    const int64_t device = DeviceNumber(store, of.device);
    CopyRow& row = (*rows)[{of.source, device, name}];
    row.rank = RankOf(store, of.source);
    row.device = device;
    row.name = name;
    row.times.Add(store.events.duration_ps[of.event.value]);
    const int64_t bytes = columns[0].rows.count > 0 ? columns[0].Integer(i) : kNoInt;
    if (bytes != kNoInt) AddPresent(bytes, &row.bytes);
  }
  return {};
}

Table CopyTable(const Store& store, const CopyRows& found) {
  std::vector<CopyRow> rows;
  for (const auto& [key, row] : found) rows.push_back(row);
  Table table = MakeTable(kCopyTable, rows.size());
  const auto add = [&](std::string_view id, auto cell) { Fill(table, id, rows, cell); };
  add("global_rank", [](const CopyRow& r) { return r.rank; });
  add("device_number", [](const CopyRow& r) { return r.device; });
  add("operation", [&](const CopyRow& r) { return store.Text(r.name); });
  add("occurrences", [](const CopyRow& r) { return r.times.count; });
  add("bytes", [](const CopyRow& r) { return r.bytes; });
  add("total_duration_us", [](const CopyRow& r) { return r.times.total_ps; });
  add("min_duration_us", [](const CopyRow& r) { return r.times.min_ps; });
  add("max_duration_us", [](const CopyRow& r) { return r.times.max_ps; });
  return table;
}

}  // namespace

Result<void> AddMemoryTables(const StorePtr& store, const Indexes& indexes, Context& context,
                             Report* report) {
  UsageRows usage;
  for (uint32_t i = 0; i < store->processes.size(); ++i) {
    TFPROF_TRY(AddUsage(*store, ProcessId(i), &usage, context));
  }
  TFPROF_ASSIGN(const auto work, indexes.Get<LaunchedWork>(context));
  CopyRows copies;
  std::vector<WorkEvent> of_device;
  for (const WorkEvent& of : work->events) {
    if (LabelOf(*store, of.event).of == EventClass::kernel) continue;
    if (!of_device.empty() && of_device.back().device != of.device) {
      TFPROF_TRY(AddCopies(*store, of_device, &copies, context));
      of_device.clear();
    }
    of_device.push_back(of);
  }
  if (!of_device.empty()) TFPROF_TRY(AddCopies(*store, of_device, &copies, context));
  report->tables.push_back(UsageTable(usage, *report->pool));
  report->tables.push_back(CopyTable(*store, copies));
  return {};
}

}  // namespace tfprof
