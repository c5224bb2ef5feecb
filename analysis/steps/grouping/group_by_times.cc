// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/grouping/group_by_times.h"

#include <algorithm>
#include <vector>

#include "analysis/indexes.h"
#include "analysis/links/launch_ops.h"
#include "core/store/details.h"

namespace tfprof {
namespace {

bool MarksStep(const Label& label) {
  return label.of == EventClass::annotation && label.role == EventRole::root_step_marker;
}

// The markers of a host by start, and their numbers.
struct Markers {
  std::vector<StepWindow> windows;
  std::vector<int64_t> numbers;
};

Result<Markers> MarkersOf(const Store& store, const Indexes& indexes,
                          std::span<const ProcessId> processes, Context& context) {
  std::vector<std::pair<StepWindow, int64_t>> all;
  for (const ProcessId id : processes) {
    const Process& process = store.processes[id.value];
    if (process.kind != ProcessKind::host) continue;
    TFPROF_ASSIGN(const auto numbers, indexes.Details(id, AttributeKey::step_number, context));
    for (const Lane& lane : store.LanesOf(process)) {
      if (lane.role == LaneRole::instants) continue;
      for (const uint32_t row : lane.PlacedRows()) {
        if (!MarksStep(store.labels[store.events.label[row].value])) continue;
        const bool known = numbers->rows.count > 0 && numbers->Has(row);
        all.emplace_back(WindowOf(store, row), known ? numbers->Integer(row) : kNoInt);
      }
    }
  }
  std::ranges::stable_sort(all, {}, [](const auto& of) { return of.first.start_ps; });
  Markers markers;
  for (const auto& [window, number] : all) {
    const bool within = !markers.windows.empty() && window.end_ps <= markers.windows.back().end_ps;
    if (within) continue;
    const auto next = static_cast<int64_t>(markers.windows.size());
    markers.windows.push_back(window);
    markers.numbers.push_back(number == kNoInt ? next : number);
  }
  return markers;
}

}  // namespace

void TimeGroups::AddLane(const Lane& lane, std::span<const StepWindow> windows, uint32_t first,
                         bool by_launch) {
  const auto group_at = [&](int64_t time_ps) {
    const auto after = std::ranges::upper_bound(windows, time_ps, {}, &StepWindow::start_ps);
    const bool within = after != windows.begin() && time_ps < (after - 1)->end_ps;
    return within ? first + static_cast<uint32_t>(after - 1 - windows.begin()) : EventGroups::kNone;
  };
  const Range rows = lane.PlacedRows();
  const uint32_t known = by_launch ? FirstLaunched(links_, lane) : rows.first;
  uint32_t begin = rows.first, last = EventGroups::kNone;
  for (const uint32_t row : rows) {
    const uint32_t group = row < known ? EventGroups::kNone : group_at(StartOf(row, by_launch));
    if (group == last) continue;
    Fill(begin, row, last);
    begin = row;
    last = group;
  }
  Fill(begin, rows.After(), last);
}

void TimeGroups::Fill(uint32_t begin, uint32_t end, uint32_t group) {
  if (group != EventGroups::kNone) writer_.Fill({begin, end - begin}, group);
}

int64_t TimeGroups::StartOf(uint32_t row, bool by_launch) const {
  const EventId launch = by_launch ? LaunchOf(links_, row) : EventId();
  return store_.events.start_ps[launch.some() ? launch.value : row];
}

bool HasStepMarkers(const Store& store, std::span<const ProcessId> processes) {
  return std::ranges::any_of(processes, [&](ProcessId id) {
    const Process& process = store.processes[id.value];
    return process.kind == ProcessKind::host &&
           std::ranges::any_of(store.LabelsOf(process), MarksStep);
  });
}

Result<void> GroupByMarkers(const Store& store, const Indexes& indexes,
                            std::span<const ProcessId> processes, EventGroups* groups,
                            Context& context) {
  TFPROF_ASSIGN(const Markers markers, MarkersOf(store, indexes, processes, context));
  TFPROF_ASSIGN(const auto links, indexes.Get<LaunchLinks>(context));
  const HostId host = store.processes[processes.front().value].host;
  const auto first = static_cast<uint32_t>(groups->groups.size());
  for (size_t i = 0; i < markers.windows.size(); ++i) {
    groups->groups.push_back(
        {host, static_cast<int64_t>(i), markers.numbers[i], EventId(markers.windows[i].row), true});
  }
  TimeGroups by_time(store, *links, groups);
  for (const ProcessId id : processes) {
    const Process& process = store.processes[id.value];
    for (const Lane& lane : store.LanesOf(process)) {
      TFPROF_TRY(Poll(context));
      by_time.AddLane(lane, markers.windows, first, process.device.some());
    }
  }
  by_time.Finish();
  return {};
}

}  // namespace tfprof
