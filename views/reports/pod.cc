// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>

#include "analysis/flops/device_type.h"
#include "analysis/place.h"
#include "analysis/steps/alignment.h"
#include "views/columns/fill_columns.h"
#include "views/columns/properties.h"
#include "views/steps/answer.h"
#include "views/steps/charts.h"
#include "views/steps/notes.h"
#include "views/steps/parts.h"

namespace tfprof {
namespace {

constexpr ColumnDef kPodColumns[] = {
    IntegerDef("core_id", "core", Unit::none, "1 + 1000 * the number of the host.").ForOriginal(),
    TextDef("host", "host", "Host of the step."),
    TextDef("host_name", "hostname", "Host name, as recorded by the host.").ForOriginal(),
    IntegerDef("index", "#", Unit::none, "Number among the steps that all hosts have, from 0.")
        .Was("step_num")
        .Droppable(),
    TextDef("step_name", "step", "Step name on the host.").Was("step"),
    TimeDef("wall_us", "wall time", kWallTimeMeaning),
    TimeDef("duration_us", "duration", "Step duration.").Was("total_duration_us"),
    TimeDef("compute_us", "compute", "Time in which kernels ran.")
        .Was("device_compute_us")
        .Droppable(),
    TimeDef("stalled_us", "stalled", "TPU stalled on async copies and the like.")
        .Was("device_waiting_us")
        .Droppable(),
    TimeDef("device_to_device_us", "device to device", "Copies between devices.").Droppable(),
    TimeDef("collectives_us", "collectives", "Collective communication of devices.")
        .Was("device_collectives_us")
        .Droppable(),
    TimeDef("host_us", "host compute",
            "Work of host threads; not measured where a device marks the step.")
        .Was("host_compute_us")
        .Droppable(),
    TimeDef("input_us", "input", "Waiting for input, and host-to-device copies.").Droppable(),
    TimeDef("output_us", "output", "Device-to-host copies.").Droppable(),
    TimeDef("other_us", "other", "Rest of the step.").Droppable(),
    TextDef("bottleneck", "bottleneck", "Largest part.").Droppable(),
};
constexpr TableDef kPodTable{"pod", "", kPodColumns};

// All devices of a host count as one core; core numbers reserve a thousand per host.
constexpr int64_t kCoresOfHost = 1000;

struct PodRow {
  size_t host = 0;  // index among the measured hosts
  const HostSteps* steps = nullptr;
  const StepTime* step = nullptr;
  int64_t number = 0;
  PartTimes parts{};
};

std::vector<PodRow> PodRows(const std::vector<HostSteps>& hosts,
                            const std::vector<CommonStep>& common) {
  std::vector<PodRow> rows;
  for (const CommonStep& of_all : common) {
    for (size_t i = 0; i < hosts.size(); ++i) {
      if (of_all.step[i] == CommonStep::kNotThere) continue;
      const StepTime& step = hosts[i].steps[of_all.step[i]];
      rows.push_back({i, &hosts[i], &step, of_all.number, PartsOf(hosts[i], step)});
    }
  }
  return rows;
}

// In a run without devices no step has device times; in a run with devices, none has host times.
bool IsMeasured(const std::vector<HostSteps>& hosts, StepPart part) {
  return std::any_of(hosts.begin(), hosts.end(), [&](const HostSteps& host) {
    return !host.steps.empty() && At(PartsOf(host, host.steps[0]), part) != kNoInt;
  });
}

// Not checked for steps of devices: the names of host events may not have been read.
bool LacksInput(const Store& store, const std::vector<HostSteps>& hosts, const PlaceFilter& place) {
  const bool any = std::ranges::any_of(
      hosts, [](const HostSteps& host) { return host.has_device() && !host.steps.empty(); });
  return !any && !RecordsInput(store, hosts, place);
}

Table PodTable(const Store& store, const std::vector<HostSteps>& hosts,
               const std::vector<PodRow>& rows, bool lacks_input, TextPool* pool) {
  std::vector<std::string_view> names;
  for (const HostSteps& host : hosts) names.push_back(pool->Keep(OwnName(store, host.host)));
  Table table = MakeTable(kPodTable, rows.size());
  Fill(table, "core_id", rows,
       [](const PodRow& r) { return 1 + kCoresOfHost * static_cast<int64_t>(r.host); });
  Fill(table, "host", rows, [&](const PodRow& r) {
    return HostName(store, r.steps->host);
  }).spec.human_readable = hosts.size() > 1;
  Fill(table, "host_name", rows, [&](const PodRow& r) { return names[r.host]; });
  ReportColumn& number = Fill(table, "index", rows, [](const PodRow& r) { return r.number; });
  number.spec.human_readable = std::ranges::any_of(
      rows, [](const PodRow& r) { return r.step->name != std::to_string(r.number); });
  Fill(table, "step_name", rows, [&](const PodRow& r) { return pool->Keep(r.step->name); });
  FillWallTime(
      rows, [](const PodRow& r) -> const StepTime& { return *r.step; }, &table);
  Fill(table, "duration_us", rows, [](const PodRow& r) { return r.step->duration_ps; });
  for (const auto& [part, id] : kPartColumns) {
    ReportColumn& column =
        Fill(table, id, rows, [part = part](const PodRow& r) { return At(r.parts, part); });
    column.spec.human_readable = IsMeasured(hosts, part);
    column.spec.droppable = AddsNothing(column);
    if (part == StepPart::input && lacks_input) column.spec.human_readable = false;
  }
  Fill(table, "bottleneck", rows, [](const PodRow& r) { return NameOf(LargestOf(r.parts)); });
  return table;
}

std::vector<ChartedStep> ChartedRows(const Store& store, const std::vector<PodRow>& rows,
                                     size_t hosts) {
  std::vector<ChartedStep> charted;
  for (const PodRow& row : rows) {
    charted.push_back(
        {StepLabel(store, hosts, *row.steps, *row.step), row.step->duration_ps, row.parts});
  }
  return charted;
}

}  // namespace

Result<Report> Pod(const StorePtr& store, const Indexes& indexes, const Query& query,
                   Context& context) {
  TFPROF_ASSIGN(const auto hosts, MeasureSteps(*store, indexes, query.place, context));
  TFPROF_ASSIGN(auto common, AlignSteps(hosts, context));
  Report report = NewReport("pod", store);
  NoteSteps(*store, hosts, query.place, common.size(), true, &report);
  TFPROF_ASSIGN(common, SelectedSteps(*store, hosts, std::move(common), query.place));
  const std::vector<PodRow> rows = PodRows(hosts, common);
  AddStepCharts(ChartedRows(*store, rows, hosts.size()), hosts.size() < 2, &report);
  report.tables.push_back(
      PodTable(*store, hosts, rows, LacksInput(*store, hosts, query.place), report.pool.get()));
  if (!store->IsTrace()) return report;
  const Hardware hardware = HardwareOf(*store, query.place);
  if (!hardware.type.empty()) {
    AddTextProperty({"device_type", "ran on"}, hardware.type, &report);
  }
  return report;
}

TableDefs PodTables() { return {&kPodTable}; }

}  // namespace tfprof
