// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/step_table.h"

#include <algorithm>
#include <map>
#include <memory>

#include "analysis/indexes.h"
#include "analysis/place.h"
#include "analysis/steps/grouping/event_groups.h"
#include "analysis/steps/trace_steps.h"
#include "analysis/wall/inferred_steps.h"
#include "core/base/sorting.h"

namespace tfprof {
namespace {

using StepsOfPlanes = std::vector<std::vector<DeviceStep>>;  // by host

// The result for all places is cached.
Result<IndexPtr<StepsOfPlanes>> PlanesOf(const Store& store, const Indexes& indexes,
                                         const std::vector<HostSteps>& hosts,
                                         const PlaceFilter& place, StepPlanes planes,
                                         Context& context) {
  if (place.host.empty() && place.device.empty())
    return indexes.Get<AllPlaneSteps>({StepBasisOf(place), planes}, context);

  TFPROF_ASSIGN(const auto groups, GroupsOfSteps(indexes, place, context));
  StepsOfPlanes by_host;
  for (const HostSteps& host : hosts) {
    TFPROF_ASSIGN(by_host.emplace_back(),
                  PlaneStepsOf(store, indexes, *groups, host, place, planes, context));
  }
  return std::make_shared<const StepsOfPlanes>(std::move(by_host));
}

void AddTimes(const Store& store, StepTables* tables) {
  for (const DeviceStep& row : tables->devices) {
    StepRow& step = tables->steps[row.step];
    step.records += row.records;
    const Measures measures = MeasuresOf(store, row);
    if (!row.IsPlaced() || measures == Measures::nothing) continue;
    AddPresent(row.time_ps, measures == Measures::host_time ? &step.host_ps : &step.accelerator_ps);
  }
}

}  // namespace

int64_t DeviceStep::IdlePs() const {
  return HasIdle() ? std::max<int64_t>(step_ps - busy_ps - others_ps, 0) : kNoInt;
}

void DeviceStep::AddBusy(LabelId label, int64_t start, int64_t end) {
  if (start_ps == kNoTime) {
    start_ps = end_ps = start;
    first = label;
  } else {
    AddGap(end_ps, start, label);
  }
  ExtendUnion(start, end, &end_ps, &busy_ps);
}

void DeviceStep::AddGap(int64_t from_ps, int64_t to_ps, LabelId ended_by) {
  if (to_ps <= from_ps) return;
  const int64_t gap_ps = SpanOf(from_ps, to_ps);
  ++gaps;
  if (gap_ps <= longest_gap_ps) return;
  longest_gap_ps = gap_ps;
  after_longest_gap = ended_by;
}

void DeviceStep::AddEnds(int64_t step_start_ps, int64_t step_end_ps) {
  if (start_ps == kNoTime) return AddGap(step_start_ps, step_end_ps, LabelId());
  AddGap(step_start_ps, start_ps, first);
  AddGap(end_ps, step_end_ps, LabelId());
}

std::string_view DeviceName(const Store& store, const DeviceStep& row) {
  return store.Text(row.lane.some() ? store.lanes[row.lane.value].display
                                    : store.processes[row.process.value].name);
}

Measures MeasuresOf(const Store& store, const DeviceStep& row) {
  if (row.lane.some()) return store.lanes[row.lane.value].measures;
  const bool is_host = store.processes[row.process.value].kind == ProcessKind::host;
  return is_host ? Measures::host_time : Measures::accelerator_time;
}

std::string_view GapBefore(const Store& store, const DeviceStep& row) {
  if (!row.HasIdle() || row.gaps == 0) return {};
  const LabelId label = row.after_longest_gap;
  return label.some() ? store.Text(store.labels[label.value].name) : "the end of the step";
}

std::vector<StepRow> RowsOf(const std::vector<HostSteps>& hosts) {
  std::vector<StepRow> rows;
  for (const HostSteps& host : hosts) {
    for (const StepTime& step : host.steps) {
      rows.push_back({.host = host.host,
                      .number = step.number,
                      .name = step.name,
                      .origin = host.origin,
                      .start_ps = step.start_ps,
                      .end_ps = step.EndPs(),
                      .wall_ps = step.wall_ps});
    }
  }
  return rows;
}

Result<StepTables> StepTablesOf(const Store& store, const Indexes& indexes,
                                const PlaceFilter& place, StepPlanes planes, Context& context) {
  StepTables tables;
  if (!store.IsTrace()) {
    TFPROF_ASSIGN(tables, RecordedSteps(store, indexes, place, context));
    const std::vector<bool> in_place = LanesMatchingPlace(store, place);
    std::erase_if(tables.devices, [&](const DeviceStep& row) { return !in_place[row.lane.value]; });
  } else {
    TFPROF_ASSIGN(tables.hosts, MeasureSteps(store, indexes, place, context));
    TFPROF_ASSIGN(const auto of_planes,
                  PlanesOf(store, indexes, tables.hosts, place, planes, context));
    tables.steps = RowsOf(tables.hosts);
    uint32_t first = 0;
    for (size_t i = 0; i < tables.hosts.size(); ++i) {
      for (DeviceStep row : (*of_planes)[i]) {
        row.step += first;
        tables.devices.push_back(row);
      }
      first += static_cast<uint32_t>(tables.hosts[i].steps.size());
    }
  }
  AddTimes(store, &tables);
  return tables;
}

Result<std::vector<StepRow>> StepsOf(const Store& store, const Indexes& indexes,
                                     const PlaceFilter& place, Context& context) {
  if (!store.IsTrace()) {
    TFPROF_ASSIGN(StepTables tables, RecordedSteps(store, indexes, place, context));
    return std::move(tables.steps);
  }
  TFPROF_ASSIGN(const auto hosts, MeasureSteps(store, indexes, place, context));
  return RowsOf(hosts);
}

void LastUntilNext(std::vector<StepRow>* steps) {
  for (StepRow& step : *steps) {
    if (step.wall_ps != kNoInt) step.end_ps = SaturatingAdd(step.start_ps, step.wall_ps);
  }
}

int64_t StepTimeOf(const std::vector<StepRow>& steps) {
  std::map<uint32_t, std::vector<int64_t>> by_host;
  for (const StepRow& step : steps) {
    if (step.SpanPs() != kNoInt) by_host[step.host.value].push_back(step.SpanPs());
  }
  int64_t longest_ps = kNoInt;
  for (auto& [host, spans_ps] : by_host)
    longest_ps = std::max(longest_ps, Median(std::move(spans_ps)));
  return longest_ps;
}

}  // namespace tfprof
