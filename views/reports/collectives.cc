// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/chosen_events.h"
#include "analysis/ops/collectives.h"
#include "analysis/place.h"
#include "core/base/arith.h"
#include "core/base/sorting.h"
#include "core/store/note_catalogue.h"
#include "views/columns/fill_columns.h"
#include "views/columns/how_to_record.h"
#include "views/columns/percentiles.h"

namespace tfprof {
namespace {

constexpr ColumnDef kCollectivesColumns[] = {
    TextDef("host", "host", "Host name.").ForMachines(),
    TextDef("device", "device", "Device name; of a host that exchanges data itself, its process."),
    TextDef("name", "operation", "Instruction of a compiled program, else the kernel."),
    TextDef("collective", "collective", "Kind of collective: all-reduce, all-gather, ..."),
    TextDef("replica_groups", "groups",
            "Devices that exchange data: ranks, or the groups that XLA prints.")
        .ForMachines(),
    CountDef("group_size", "group size", "Devices that exchange data.").Droppable(),
    TextDef("element_type", "type", "Element type."),
    CountDef("count", "calls", "Executions."),
    BytesDef("bytes", "bytes",
             "Sum over all calls of the larger of the device's input and output."),
    TimeDef("time_us", "time",
            "Sum of durations, including the time spent waiting for other devices."),
    MedianDef("Median call."),
    P95Def("95th percentile of the calls."),
    RealDef("bandwidth_bytes_per_s", "algbw", Unit::gbytes_per_s,
            "Algorithm bandwidth: bytes over time."),
    RealDef("bus_bandwidth_bytes_per_s", "busbw", Unit::gbytes_per_s,
            "Bus bandwidth, as nccl-tests defines it: traffic on the links of a device over time."),
    TimeDef("overlapped_us", "overlapped",
            "Part of the time in which something else computes on the device.")
        .Droppable(),
    TimeDef("exposed_us", "exposed",
            "Part of the time in which nothing else computes on the device."),
    ShareDef("exposed_pct", "exposed %", "Exposed time over time."),
};
constexpr TableDef kCollectivesTable{"collectives", "", kCollectivesColumns};

constexpr ColumnDef kWaitsCollectivesColumns[] = {
    TextDef("host", "host", "Host name.").ForMachines(),
    TextDef("device", "device", "Device name."),
    CountDef("count", "calls", "Calls that every device of the group recorded."),
    TimeDef("time_us", "time", "Sum of the durations of these calls."),
    TimeDef("waiting_us", "waiting", "Time beyond that of the fastest device in the same call."),
    ShareDef("waiting_pct", "waiting %", "Waiting over time."),
    CountDef("last", "last",
             "Calls in which it came last: it was the fastest, and the others waited for it."),
    TimeDef("caused_us", "caused", "Time that the others waited for it in these calls."),
};
constexpr TableDef kWaitsCollectivesTable{"waits", "", kWaitsCollectivesColumns};

// An operation on one device.
struct CollectiveRow {
  const DeviceCollectives* found;
  const CollectiveOp* op;
  std::vector<const CollectiveCall*> calls = {};  // by start
  int64_t time_ps = 0;
  int64_t overlapped_ps = 0;

  int64_t Bytes() const {
    int64_t sum = 0;
    for (const CollectiveCall* call : calls) {
      if (call->bytes == kNoInt) return kNoInt;
      sum = SaturatingAdd(sum, call->bytes);
    }
    return sum;
  }
  int64_t ExposedPs() const { return SaturatingAdd(time_ps, -overlapped_ps); }
  double Bandwidth() const {  // GB/s
    const int64_t bytes = Bytes();
    return bytes == kNoInt || time_ps <= 0 ? kNoReal : Quotient(bytes, time_ps) * 1e3;
  }
};

struct WaitRow {
  ProcessId device;
  int64_t calls = 0;
  int64_t time_ps = 0;
  int64_t waiting_ps = 0;
  int64_t last = 0;
  int64_t caused_ps = 0;
};

std::vector<CollectiveRow> CollectiveRows(const std::vector<DeviceCollectives>& devices) {
  std::vector<CollectiveRow> rows;
  for (const DeviceCollectives& device : devices) {
    const size_t first = rows.size();
    for (const CollectiveOp& op : device.ops) rows.push_back({&device, &op});
    for (const CollectiveCall& call : device.calls) {
      CollectiveRow& row = rows[first + call.op];
      row.calls.push_back(&call);
      row.time_ps = SaturatingAdd(row.time_ps, call.duration_ps);
      row.overlapped_ps = SaturatingAdd(row.overlapped_ps, call.overlapped_ps);
    }
  }
  std::erase_if(rows, [](const CollectiveRow& row) { return row.calls.empty(); });
  StableSort(rows, std::greater(), &CollectiveRow::time_ps);
  return rows;
}

int64_t EndOf(const CollectiveCall& call) { return SaturatingAdd(call.start_ps, call.duration_ps); }

// An exchange of a host.
struct HostOp {
  CollectiveOp* op = nullptr;
  int64_t time_ps = 0;
  std::vector<int64_t> ends_ps = {};
};

std::vector<HostOp> HostOpsOf(DeviceCollectives* of) {
  std::vector<HostOp> ops;
  for (CollectiveOp& op : of->ops) ops.push_back({&op});
  for (const CollectiveCall& call : of->calls) {
    ops[call.op].time_ps = SaturatingAdd(ops[call.op].time_ps, call.duration_ps);
    ops[call.op].ends_ps.push_back(EndOf(call));
  }
  return ops;
}

// True if the ends of the k-th calls differ by less than the calls last. REQUIRES: equally many.
bool EndTogether(const HostOp& a, const HostOp& b) {
  double sum = 0;
  for (size_t k = 0; k < a.ends_ps.size(); ++k) {
    sum += std::abs(static_cast<double>(SaturatingAdd(a.ends_ps[k], -b.ends_ps[k])));
  }
  return sum <= static_cast<double>(std::min(a.time_ps, b.time_ps));
}

// The group of an exchange between hosts is not recorded: it has the hosts that ran the operation
// equally often, if all end together.
void SetGroupsOfHosts(const Store& store, std::vector<DeviceCollectives>* devices) {
  using Key = std::tuple<std::string, std::string, size_t>;  // name, element type, calls
  std::map<Key, std::vector<HostOp>> same;
  for (DeviceCollectives& of : *devices) {
    if (store.processes[of.device.value].kind != ProcessKind::host) continue;
    for (HostOp& host : HostOpsOf(&of)) {
      const CollectiveOp& op = *host.op;
      const size_t calls = host.ends_ps.size();
      if (op.group_size == kNoInt)
        same[{op.name, op.element_type, calls}].push_back(std::move(host));
    }
  }
  for (const auto& [key, ops] : same) {
    const HostOp& first = ops[0];
    const bool together =
        std::ranges::all_of(ops, [&](const HostOp& op) { return EndTogether(first, op); });
    if (ops.size() < 2 || !together) continue;
    for (const HostOp& of : ops) of.op->group_size = static_cast<int64_t>(ops.size());
  }
}

// The calls of a row that all devices of its group ran.
struct SharedCalls {
  const CollectiveRow* row;
  std::span<const CollectiveCall* const> calls;
};

// Keeps the calls that are those of `fewest`: the ends of one call differ least. False: they differ
// by more than calls last.
bool KeepCallsOf(const SharedCalls& fewest, SharedCalls* kept) {
  size_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (size_t before = 0; before + fewest.calls.size() <= kept->calls.size(); ++before) {
    double sum = 0;
    for (size_t k = 0; k < fewest.calls.size(); ++k) {
      const int64_t end_ps = EndOf(*kept->calls[before + k]);
      sum += std::abs(static_cast<double>(SaturatingAdd(end_ps, -EndOf(*fewest.calls[k]))));
    }
    if (sum < least) best = before, least = sum;
  }
  kept->calls = kept->calls.subspan(best, fewest.calls.size());
  return least <= static_cast<double>(fewest.row->time_ps);
}

// Keeps the calls that all rows have, so that the k-th call of each is the same one. False: the
// rows are not all devices of a group, or their calls do not fit: without a recorded group, kernels
// of several groups may be alike.
bool MatchCalls(std::vector<SharedCalls>* rows) {
  constexpr size_t kMaxPairs = size_t{1} << 24;
  const int64_t group_size = rows->front().row->op->group_size;
  if (rows->size() < 2) return false;
  if (group_size != kNoInt && group_size != static_cast<int64_t>(rows->size())) return false;
  const bool is_known = group_size != kNoInt || rows->front().row->op->program_id != 0;
  const SharedCalls fewest =
      *std::ranges::min_element(*rows, {}, [](const SharedCalls& row) { return row.calls.size(); });
  for (SharedCalls& row : *rows) {
    const size_t more = row.calls.size() - fewest.calls.size();
    if (more * fewest.calls.size() > kMaxPairs) return false;
    if ((more > 0 || !is_known) && !KeepCallsOf(fewest, &row)) return false;
  }
  return true;
}

using WaitsByDevice = std::map<uint32_t, WaitRow>;  // by ProcessId

void AddWaits(const std::vector<SharedCalls>& rows, WaitsByDevice* waits) {
  for (size_t k = 0; k < rows[0].calls.size(); ++k) {
    const auto ps = [&](const SharedCalls& row) { return row.calls[k]->duration_ps; };
    const SharedCalls& last = *std::ranges::min_element(rows, {}, ps);
    int64_t caused_ps = 0;
    for (const SharedCalls& row : rows) {
      WaitRow& wait = (*waits)[row.row->found->device.value];
      wait.device = row.row->found->device;
      ++wait.calls;
      wait.time_ps = SaturatingAdd(wait.time_ps, ps(row));
      wait.waiting_ps = SaturatingAdd(wait.waiting_ps, ps(row) - ps(last));
      caused_ps = SaturatingAdd(caused_ps, ps(row) - ps(last));
    }
    WaitRow& of_last = (*waits)[last.row->found->device.value];
    if (caused_ps > 0) ++of_last.last;
    of_last.caused_ps = SaturatingAdd(of_last.caused_ps, caused_ps);
  }
}

// By waiting; `unmatched` counts operations.
std::vector<WaitRow> WaitRows(const std::vector<CollectiveRow>& rows, int64_t* unmatched) {
  std::map<std::tuple<std::string_view, uint64_t, std::string_view, std::string_view>,
           std::vector<SharedCalls>>
      same;
  for (const CollectiveRow& row : rows) {
    const CollectiveOp& op = *row.op;
    same[{op.name, op.program_id, op.groups, op.element_type}].push_back({&row, row.calls});
  }
  WaitsByDevice by_device;
  for (auto& [key, of_devices] : same) {
    StableSort(of_devices, {}, [](const SharedCalls& row) { return row.row->found->device.value; });
    if (MatchCalls(&of_devices)) {
      AddWaits(of_devices, &by_device);
    } else {
      ++*unmatched;
    }
  }
  std::vector<WaitRow> waits;
  for (const auto& [device, wait] : by_device) waits.push_back(wait);
  StableSort(waits, std::greater(), &WaitRow::waiting_ps);
  return waits;
}

void AddNamesOf(const std::vector<CollectiveRow>& rows, TextPool* pool, Table* table) {
  Fill(*table, "name", rows,
       [&](const CollectiveRow& r) -> std::string_view { return pool->Keep(r.op->name); });
  Fill(*table, "collective", rows,
       [](const CollectiveRow& r) { return CollectiveName(r.op->kind); });
  Fill(*table, "replica_groups", rows, [&](const CollectiveRow& r) -> std::string_view {
    return r.op->groups.empty() ? std::string_view() : pool->Keep(r.op->groups);
  });
}

std::vector<RowDuration> DurationsOf(const std::vector<CollectiveRow>& rows) {
  std::vector<RowDuration> durations;
  for (uint32_t row = 0; row < rows.size(); ++row) {
    for (const CollectiveCall* call : rows[row].calls) {
      durations.push_back({row, call->duration_ps});
    }
  }
  return durations;
}

Table CollectivesTable(const Store& store, const std::vector<CollectiveRow>& rows,
                       const Display& display, TextPool* pool) {
  using Row = CollectiveRow;
  Table table = MakeTable(kCollectivesTable, rows.size());
  FillProcess(
      store, "device", rows, [](const Row& r) { return r.found->device; }, &table);
  AddNamesOf(rows, pool, &table);
  Fill(table, "group_size", rows, [](const Row& r) { return r.op->group_size; });
  Fill(table, "element_type", rows, [&](const Row& r) -> std::string_view {
    return r.op->element_type.empty() ? std::string_view() : pool->Keep(r.op->element_type);
  });
  Fill(table, "count", rows, [](const Row& r) { return static_cast<int64_t>(r.calls.size()); });
  Fill(table, "bytes", rows, [](const Row& r) { return r.Bytes(); });
  Fill(table, "time_us", rows, [](const Row& r) { return r.time_ps; });
  if (HasPercentiles(kCollectivesTable, display)) {
    AddPercentiles(DurationsOf(rows), display, &table);
  }
  Fill(table, "bandwidth_bytes_per_s", rows, [](const Row& r) { return r.Bandwidth(); });
  Fill(table, "bus_bandwidth_bytes_per_s", rows,
       [](const Row& r) { return r.Bandwidth() * BusFactor(r.op->kind, r.op->group_size); });
  Fill(table, "overlapped_us", rows, [](const Row& r) { return r.overlapped_ps; });
  Fill(table, "exposed_us", rows, [](const Row& r) { return r.ExposedPs(); });
  Fill(table, "exposed_pct", rows, [](const Row& r) { return Quotient(r.ExposedPs(), r.time_ps); });
  return table;
}

Table WaitsTable(const Store& store, const std::vector<WaitRow>& rows) {
  Table table = MakeTable(kWaitsCollectivesTable, rows.size());
  FillProcess(
      store, "device", rows, [](const WaitRow& r) { return r.device; }, &table);
  Fill(table, "count", rows, [](const WaitRow& r) { return r.calls; });
  Fill(table, "time_us", rows, [](const WaitRow& r) { return r.time_ps; });
  Fill(table, "waiting_us", rows, [](const WaitRow& r) { return r.waiting_ps; });
  Fill(table, "waiting_pct", rows,
       [](const WaitRow& r) { return Quotient(r.waiting_ps, r.time_ps); });
  Fill(table, "last", rows, [](const WaitRow& r) { return r.last; });
  Fill(table, "caused_us", rows, [](const WaitRow& r) { return r.caused_ps; });
  return table;
}

void AddCounted(const NoteRow& what, int64_t count, Report* report) {
  if (count > 0) report->notes.push_back({what, count, "", kNoInt});
}

void AddMissing(const std::vector<CollectiveRow>& rows, int64_t unmatched, Report* report) {
  int64_t no_bytes = 0, no_groups = 0;
  for (const CollectiveRow& row : rows) {
    const auto calls = static_cast<int64_t>(row.calls.size());
    for (const CollectiveCall* call : row.calls) no_bytes += call->bytes == kNoInt;
    const bool needs_group = row.op->kind != Collective::send_receive;
    if (needs_group && row.op->group_size == kNoInt) no_groups += calls;
  }
  AddCounted(note::collectives_without_bytes, no_bytes, report);
  AddCounted(note::collectives_without_group, no_groups, report);
  AddCounted(note::unmatched_collectives, unmatched, report);
}

// Returns true if a host exchanges data without its devices.
bool ExchangesData(const Store& store, const Process& process) {
  return process.kind == ProcessKind::host &&
         std::ranges::any_of(store.LabelsOf(process), [](const Label& label) {
           return label.role == EventRole::collective;
         });
}

}  // namespace

Result<Report> Collectives(const StorePtr& store, const Indexes& indexes, const Query& query,
                           Context& context) {
  TFPROF_ASSIGN(const ChosenEvents selected, ChooseEvents(*store, indexes, query.place, context));
  Report report = NewReport("collectives", store);
  std::vector<DeviceCollectives> devices;
  int64_t unfinished = 0, unmatched = 0;
  for (size_t i = 0; i < store->processes.size(); ++i) {
    const Process& process = store->processes[i];
    const bool may = process.kind == ProcessKind::device || ExchangesData(*store, process);
    if (!may || !MatchesPlace(*store, process, query.place)) continue;
    TFPROF_ASSIGN(DeviceCollectives found,
                  FindCollectives(*store, indexes, ProcessId(i), selected, context));
    unfinished += found.unfinished;
    devices.push_back(std::move(found));
  }
  SetGroupsOfHosts(*store, &devices);
  const std::vector<CollectiveRow> rows = CollectiveRows(devices);
  const std::vector<WaitRow> waits = WaitRows(rows, &unmatched);
  if (rows.empty()) {
    TFPROF_TRY(AddHowToRecord(note::no_collectives, Collectives, indexes, query, context, &report));
  }
  AddCounted(note::unpaired_collectives, unfinished, &report);
  AddMissing(rows, unmatched, &report);
  report.tables.push_back(CollectivesTable(*store, rows, query.display, report.pool.get()));
  report.tables.push_back(WaitsTable(*store, waits));
  return report;
}

TableDefs CollectivesTables() { return {&kCollectivesTable, &kWaitsCollectivesTable}; }

}  // namespace tfprof
