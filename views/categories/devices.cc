// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "analysis/categories/device_work.h"
#include "analysis/intervals/interval_set.h"
#include "views/categories/tables.h"
#include "views/columns/fill_columns.h"

namespace tfprof {
namespace {

constexpr ColumnDef kDeviceColumns[] = {
    category::kRank,
    category::kDevice,
    TimeDef("span_us", "span", "From the first start to the last end.").ForOriginal(),
    TimeDef("busy_us", "busy", "Union of the activity: overlapping work counts once.")
        .ForOriginal(),
    TimeDef("idle_in_span_us", "idle", "Time in the span in which nothing runs.")
        .Was("idle_us")
        .ForOriginal(),
    TimeDef("kernels_us", "compute", "Union of the kernels that do not communicate.")
        .Was("compute_us")
        .ForOriginal(),
    TimeDef("non_compute_us", "other", "Busy time in which no such kernel runs.").ForOriginal(),
    TimeDef("comm_us", "communication", "Union of the kernels that communicate.").ForOriginal(),
    TimeDef("memory_us", "memory", "Union of copies and fills.").ForOriginal(),
    TimeDef("comm_compute_overlap_us", "overlap", "Communication in which other kernels compute.")
        .ForOriginal(),
    TimeDef("exposed_comm_us", "exposed comm.", "Communication in which no other kernel runs.")
        .ForOriginal(),
    TimeDef("exposed_memory_us", "exposed memory", "Copies and fills in which no kernel runs.")
        .ForOriginal(),
    CountDef("kernels", "kernels", "Number of kernels.").ForOriginal(),
    CountDef("streams", "streams", "Streams with work.").ForOriginal(),
};
constexpr TableDef kDeviceTable{"devices", "", kDeviceColumns};

struct DeviceTimes {
  int64_t rank = kNoInt;
  int64_t device = kNoInt;
  IntervalSet all = {}, compute = {}, communication = {}, memory = {}, kernels_set = {};
  std::set<int64_t> streams = {};
  int64_t kernels = 0;
  int64_t first_ps = kMaxPs, last_ps = kMinPs;
  // Computed from these:
  int64_t busy_ps = 0, compute_ps = 0, comm_ps = 0, memory_ps = 0, exposed_comm_ps = 0,
          exposed_memory_ps = 0;

  void Add(const Store& store, const WorkEvent& of) {
    const uint32_t row = of.event.value;
    const int64_t start_ps = store.events.start_ps[row], end_ps = store.events.EndPs(row);
    first_ps = std::min(first_ps, start_ps);
    last_ps = std::max(last_ps, end_ps);
    streams.insert(store.lanes[of.stream.value].id);
    all.Add(start_ps, end_ps);
    const Label& label = LabelOf(store, of.event);
    if (label.of != EventClass::kernel) return memory.Add(start_ps, end_ps);
    ++kernels;
    kernels_set.Add(start_ps, end_ps);
    (IsCommunication(store.Text(label.name)) ? communication : compute).Add(start_ps, end_ps);
  }
  void Measure() {
    busy_ps = all.CoveredPs();
    compute_ps = compute.CoveredPs();
    comm_ps = communication.CoveredPs();
    memory_ps = memory.CoveredPs();
    exposed_comm_ps = LengthPs(Subtract(communication.Parts(), compute.Parts()));
    exposed_memory_ps = LengthPs(Subtract(memory.Parts(), kernels_set.Parts()));
  }
};

Table DeviceTable(const std::vector<DeviceTimes>& rows) {
  Table table = MakeTable(kDeviceTable, rows.size());
  const auto add = [&](std::string_view id, auto cell) { Fill(table, id, rows, cell); };
  const auto span = [](const DeviceTimes& r) { return SpanOf(r.first_ps, r.last_ps); };
  add("global_rank", [](const DeviceTimes& r) { return r.rank; });
  add("device_number", [](const DeviceTimes& r) { return r.device; });
  add("span_us", span);
  add("busy_us", [](const DeviceTimes& r) { return r.busy_ps; });
  add("idle_in_span_us", [&](const DeviceTimes& r) { return span(r) - r.busy_ps; });
  add("kernels_us", [](const DeviceTimes& r) { return r.compute_ps; });
  add("non_compute_us", [](const DeviceTimes& r) { return r.busy_ps - r.compute_ps; });
  add("comm_us", [](const DeviceTimes& r) { return r.comm_ps; });
  add("memory_us", [](const DeviceTimes& r) { return r.memory_ps; });
  add("comm_compute_overlap_us",
      [](const DeviceTimes& r) { return r.comm_ps - r.exposed_comm_ps; });
  add("exposed_comm_us", [](const DeviceTimes& r) { return r.exposed_comm_ps; });
  add("exposed_memory_us", [](const DeviceTimes& r) { return r.exposed_memory_ps; });
  add("kernels", [](const DeviceTimes& r) { return r.kernels; });
  add("streams", [](const DeviceTimes& r) { return static_cast<int64_t>(r.streams.size()); });
  return table;
}

}  // namespace

Result<void> AddDeviceTable(const StorePtr& store, const Indexes& indexes, Context& context,
                            Report* report) {
  TFPROF_ASSIGN(const auto work, indexes.Get<LaunchedWork>(context));
  std::vector<DeviceTimes> rows;
  std::map<std::pair<SourceId, int64_t>, size_t> row_of;
  for (const WorkEvent& of : work->events) {
    const int64_t device = DeviceNumber(*store, of.device);
    const auto [found, is_new] = row_of.try_emplace({of.source, device}, rows.size());
    if (is_new) {
      rows.emplace_back();
      rows.back().rank = RankOf(*store, of.source);
      rows.back().device = device;
    }
    rows[found->second].Add(*store, of);
  }
  for (DeviceTimes& row : rows) row.Measure();
  report->tables.push_back(DeviceTable(rows));
  return {};
}

}  // namespace tfprof
