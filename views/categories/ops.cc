// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <tuple>

#include "analysis/categories/device_work.h"
#include "analysis/categories/nested_times.h"
#include "views/categories/tables.h"
#include "views/columns/fill_columns.h"

namespace tfprof {
namespace {

constexpr ColumnDef kOpColumns[] = {
    category::kRank,
    TextDef("host_or_device", "side", "Host or Device.").ForOriginal(),
    category::kType,
    TextDef("operation", "operation", "Name, as recorded.").ForOriginal(),
    category::kOccurrences,
    TimeDef("total_time", "total", "Sum of the durations.").ForOriginal(),
    RealDef("avg_time", "mean", Unit::us, "Mean duration.").ForOriginal(),
    TimeDef("total_self_time", "self", "Time in which the event was the innermost one.")
        .ForOriginal(),
    RealDef("avg_self_time", "mean self", Unit::us, "Mean self time.").ForOriginal(),
    TimeDef("device_time", "device", "Time of the device work that was launched in it.")
        .ForOriginal(),
    TimeDef("self_device_time", "self device",
            "Time of the device work of which it is the innermost operation.")
        .ForOriginal(),
};
constexpr TableDef kOpTable{"ops", "", kOpColumns};

struct OpTimesRow {
  SourceId source;
  const Label* label = nullptr;
  bool on_device = false;
  int64_t count = 0;
  int64_t total_ps = 0, self_ps = 0, device_ps = 0, self_device_ps = 0;
};

std::vector<OpTimesRow> OpRows(const Store& store, const NestedTimes& nested,
                               const CreditedTimes& credited) {
  std::vector<OpTimesRow> rows;
  std::map<std::tuple<SourceId, bool, NameId, NameId>, size_t> row_of;
  std::vector<size_t> of_label(store.labels.size(), SIZE_MAX);
  const auto add = [](int64_t ps, int64_t* sum) { *sum = SaturatingAdd(*sum, ps); };
  for (const Lane& lane : store.lanes) {
    if (lane.role == LaneRole::instants || !lane.process.some()) continue;
    const SourceId source = store.processes[lane.process.value].source;
    for (const uint32_t row : lane.PlacedRows()) {
      const LabelId id = store.events.label[row];
      const Label& label = store.labels[id.value];
      if (label.of == EventClass::recorder) continue;
      size_t& index = of_label[id.value];
      if (index == SIZE_MAX) {
        const bool on_device = IsOnDevice(label.of);
        const auto [found, is_new] =
            row_of.try_emplace({source, on_device, label.category, label.name}, rows.size());
        if (is_new) rows.push_back({source, &label, on_device});
        index = found->second;
      }
      OpTimesRow& sum = rows[index];
      ++sum.count;
      add(store.events.duration_ps[row], &sum.total_ps);
      add(nested.self_ps[row], &sum.self_ps);
      add(credited.device_ps[row], &sum.device_ps);
      add(credited.self_device_ps[row], &sum.self_device_ps);
    }
  }
  return rows;
}

Table OpTable(const Store& store, const std::vector<OpTimesRow>& rows,
              const std::vector<bool>& has_work) {
  Table table = MakeTable(kOpTable, rows.size());
  const auto add = [&](std::string_view id, auto cell) { Fill(table, id, rows, cell); };
  const auto if_work = [&](const OpTimesRow& r, int64_t ps) {
    return !r.on_device && has_work[r.source.value] ? ps : kNoInt;
  };
  add("global_rank", [&](const OpTimesRow& r) { return RankOf(store, r.source); });
  add("host_or_device",
      [](const OpTimesRow& r) { return std::string_view(r.on_device ? "Device" : "Host"); });
  add("recorded_category",
      [&](const OpTimesRow& r) { return TextOrNull(store, r.label->category); });
  add("operation", [&](const OpTimesRow& r) { return store.Text(r.label->name); });
  add("occurrences", [](const OpTimesRow& r) { return r.count; });
  add("total_time", [](const OpTimesRow& r) { return r.total_ps; });
  add("avg_time", [](const OpTimesRow& r) { return AverageUs(r.total_ps, r.count); });
  add("total_self_time", [](const OpTimesRow& r) { return r.self_ps; });
  add("avg_self_time", [](const OpTimesRow& r) { return AverageUs(r.self_ps, r.count); });
  add("device_time", [&](const OpTimesRow& r) { return if_work(r, r.device_ps); });
  add("self_device_time", [&](const OpTimesRow& r) { return if_work(r, r.self_device_ps); });
  return table;
}

}  // namespace

Result<void> AddOpTable(const StorePtr& store, const Indexes& indexes, Context& context,
                        Report* report) {
  TFPROF_ASSIGN(const auto nested, indexes.Get<NestedTimes>(context));
  TFPROF_ASSIGN(const auto work, indexes.Get<LaunchedWork>(context));
  TFPROF_ASSIGN(const auto credited, indexes.Get<CreditedTimes>(context));
  std::vector<bool> has_work(store->sources.size());
  for (const WorkEvent& of : work->events) has_work[of.source.value] = true;
  report->tables.push_back(OpTable(*store, OpRows(*store, *nested, *credited), has_work));
  return {};
}

}  // namespace tfprof
