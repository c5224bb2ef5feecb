// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/indexes.h"
#include "analysis/intervals/lanes_by_start.h"
#include "analysis/steps/spans.h"

namespace tfprof {
namespace {

int64_t Length(const StepWindow& window) {
  return window.some() ? SpanOf(window.start_ps, window.end_ps) : -1;
}

void KeepLongest(const StepWindow& window, StepWindow* longest) {
  if (Length(window) > Length(*longest)) *longest = window;
}

Range PlacedRows(const Lane& lane) {
  return {lane.rows.first + lane.unplaced, lane.rows.count - lane.unplaced};
}

// ---- GPU ---------------------------------------------------------------------------------------

// Returns true if it is part of a step: kernels, copies, and events without a recorded kind.
bool IsStepWork(const DetailColumn& work, uint32_t row) {
  if (!work.Has(row)) return true;
  const int64_t kind = work.Integer(row);
  return kind == static_cast<int64_t>(WorkKind::kernel) ||
         kind == static_cast<int64_t>(WorkKind::copy);
}

// Calls take(first, end) for runs of rows that are part of a step.
template <class Take>
void EachStepWork(const DetailColumn& work, Range rows, Take take) {
  if (work.rows.count == 0) return take(rows.first, rows.first + rows.count);
  work.EachRun(rows, [&](uint32_t first, uint32_t end) {
    if (IsStepWork(work, first)) take(first, end);
  });
}

// The work of one GPU, and the steps that it is part of.
struct GpuWork {
  std::vector<StepWindow> steps;  // by group
  IntervalSet others;             // of no step
};

// Adds rows of one lane, in order of start; those without a group belong to no step.
void AddGrouped(const StepSources& of, uint32_t first, uint32_t end, GpuWork* gpu) {
  const Events& events = of.store.events;
  const auto add = [&](uint32_t begin, uint32_t after, uint32_t group) {
    if (group == EventGroups::kNone) {
      for (uint32_t row = begin; row < after; ++row) {
        gpu->others.Add(events.start_ps[row], EndPs(events, row));
      }
      return;
    }
    StepWindow window = WindowOf(of.store, begin);
    for (uint32_t row = begin + 1; row < after; ++row) {
      window.end_ps = std::max(window.end_ps, EndPs(events, row));
    }
    Enclose(window, &gpu->steps[group]);
  };
  of.groups.of_event.EachRun({first, end - first}, add);
}

// An event without a group belongs to the group of the previous event, on any stream.
void AddInOrder(const StepSources& of, LanesByStart<>& by_start, const DetailColumn& work,
                std::vector<StepWindow>* extents) {
  uint32_t last = EventGroups::kNone;
  for (; !by_start.Done(); by_start.Next()) {
    const uint32_t row = by_start.row();
    if (work.rows.count > 0 && !IsStepWork(work, row)) continue;
    const uint32_t own = of.groups.of_event[row];
    if (own != EventGroups::kNone) last = own;
    if (last != EventGroups::kNone) Enclose(WindowOf(of.store, row), &(*extents)[last]);
  }
}

// True for groups of GroupByMarkers.
bool IsMarkedByTime(const Store& store, const EventGroup& group) {
  if (!group.is_marked || !group.root.some()) return false;
  return store.labels[store.events.label[group.root.value].value].of == EventClass::annotation;
}

// Adds the extents of the groups on one GPU.
void AddExtents(const StepSources& of, ProcessId id, const DetailColumn& work, GpuWork* gpu) {
  const Process& process = of.store.processes[id.value];
  std::vector<Range> lanes;
  LanesByStart by_start(of.store.events);
  bool all_grouped = true;
  for (uint32_t i = 0; i < process.lanes.count; ++i) {
    const Lane& lane = of.store.lanes[process.lanes.first + i];
    if (lane.measures != Measures::accelerator_time) continue;
    lanes.push_back(PlacedRows(lane));
    by_start.Add(lane);
    of.groups.of_event.EachRun(lanes.back(), [&](uint32_t, uint32_t, uint32_t group) {
      all_grouped = all_grouped && group != EventGroups::kNone;
    });
  }
  // With markers, work outside of all of them belongs to no step.
  const bool by_time = std::ranges::any_of(of.groups.groups, [&](const EventGroup& group) {
    return group.host == process.host && IsMarkedByTime(of.store, group);
  });
  if (!all_grouped && !by_time) return AddInOrder(of, by_start, work, &gpu->steps);
  for (const Range& lane : lanes) {
    EachStepWork(work, lane,
                 [&](uint32_t first, uint32_t end) { AddGrouped(of, first, end, gpu); });
  }
}

}  // namespace

StepWindow WindowOf(const Store& store, uint32_t row) {
  return {store.events.start_ps[row], EndPs(store.events, row), row};
}

void Enclose(const StepWindow& window, StepWindow* extent) {
  if (!extent->some()) {
    *extent = window;
    return;
  }
  extent->start_ps = std::min(extent->start_ps, window.start_ps);
  extent->end_ps = std::max(extent->end_ps, window.end_ps);
}

void KeepStepLines(const Store& store, const EventGroups& groups, const Process& process,
                   std::vector<StepWindow>* longest) {
  for (uint32_t i = 0; i < process.lanes.count; ++i) {
    const Lane& lane = store.lanes[process.lanes.first + i];
    if (lane.role != LaneRole::steps || lane.derived) continue;
    const Range rows = PlacedRows(lane);
    for (uint32_t row = rows.first; row < rows.first + rows.count; ++row) {
      const uint32_t group = groups.of_event[row];
      if (group != EventGroups::kNone) KeepLongest(WindowOf(store, row), &(*longest)[group]);
    }
  }
}

std::vector<HostText> HostTextsOf(const Store& store, const Process& process) {
  std::vector<HostText> texts;
  for (uint32_t i = 0; i < process.labels.count; ++i) {
    const Label& label = store.labels[process.labels.first + i];
    texts.push_back(HostTextOf(label.role, store.Text(label.name)));
  }
  return texts;
}

bool IsMarker(const StepSources& of, HostText text, const DetailColumn& step_name, uint32_t row) {
  if (text == HostText::marker) return true;
  if (step_name.rows.count > 0 && !step_name.Text(row).empty()) return true;
  const uint32_t group = of.groups.of_event[row];
  return group != EventGroups::kNone && of.groups.groups[group].is_marked &&
         of.groups.groups[group].root.value == row;
}

StepWindow StepOfWork(const StepWindow& marker, const StepWindow& work, int64_t until_ps) {
  StepWindow step = marker;
  step.start_ps = std::max(step.start_ps, until_ps);
  step.end_ps = std::max(step.end_ps, work.end_ps);
  if (step.start_ps >= step.end_ps) step.start_ps = work.start_ps;
  return step;
}

int64_t EndOfOthers(Intervals others, const StepWindow& work) {
  const auto after = std::ranges::lower_bound(others, work.start_ps, {}, &Interval::start_ps);
  return after == others.begin() ? kMinPs : std::min((after - 1)->end_ps, work.start_ps);
}

// Makes the extents of work that the program marks by time steps.
void WidenToMarkers(const StepSources& of, GpuWork* gpu) {
  const Intervals others = gpu->others.Parts();
  int64_t until_ps = kMinPs;
  HostId host;
  for (size_t i = 0; i < gpu->steps.size(); ++i) {
    const EventGroup& group = of.groups.groups[i];
    if (!gpu->steps[i].some() || !IsMarkedByTime(of.store, group)) continue;
    const StepWindow work = gpu->steps[i], marker = WindowOf(of.store, group.root.value);
    if (host != group.host) until_ps = kMinPs;
    gpu->steps[i] = StepOfWork(marker, work, std::max(until_ps, EndOfOthers(others, work)));
    until_ps = work.end_ps;
    host = group.host;
  }
}

Result<std::vector<StepWindow>> GpuWindows(const StepSources& of, Context& context) {
  std::vector<StepWindow> longest(of.groups.groups.size());
  for (const ProcessId id : of.processes) {
    TFPROF_TRY(Poll(context));
    TFPROF_ASSIGN(const auto work, of.indexes.Details(id, AttributeKey::work, context));
    GpuWork gpu{std::vector<StepWindow>(longest.size())};
    AddExtents(of, id, *work, &gpu);
    WidenToMarkers(of, &gpu);
    for (size_t i = 0; i < longest.size(); ++i) KeepLongest(gpu.steps[i], &longest[i]);
  }
  return longest;
}

Result<std::vector<StepWindow>> TpuWindows(const StepSources& of, Context& context) {
  std::vector<StepWindow> longest(of.groups.groups.size());
  for (const ProcessId id : of.processes) {
    TFPROF_TRY(Poll(context));
    KeepStepLines(of.store, of.groups, of.store.processes[id.value], &longest);
  }
  return longest;
}

Result<std::vector<StepWindow>> HostWindows(const StepSources& of, Context& context) {
  std::vector<StepWindow> longest(of.groups.groups.size());
  for (const ProcessId id : of.processes) {
    TFPROF_TRY(Poll(context));
    const Process& process = of.store.processes[id.value];
    TFPROF_ASSIGN(const auto step_name, of.indexes.Details(id, AttributeKey::step_text, context));
    const std::vector<HostText> texts = HostTextsOf(of.store, process);
    for (uint32_t i = 0; i < process.lanes.count; ++i) {
      const Range rows = PlacedRows(of.store.lanes[process.lanes.first + i]);
      for (uint32_t row = rows.first; row < rows.first + rows.count; ++row) {
        const uint32_t group = of.groups.of_event[row];
        if (group == EventGroups::kNone) continue;
        const HostText text = texts[of.store.events.label[row].value - process.labels.first];
        if (!IsMarker(of, text, *step_name, row)) continue;
        KeepLongest(WindowOf(of.store, row), &longest[group]);
      }
    }
  }
  return longest;
}

}  // namespace tfprof
