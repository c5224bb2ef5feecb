// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/device_idle.h"

#include <algorithm>

#include "analysis/intervals/interval_set.h"
#include "analysis/intervals/lane_times.h"
#include "analysis/intervals/lanes_by_start.h"
#include "analysis/steps/idle_in_windows.h"
#include "analysis/steps/times.h"
#include "core/base/parallel.h"

namespace tfprof {
namespace {

// The time that a host was in a step or, without steps, was recorded.
struct HostTime {
  bool of_steps = false;
  std::vector<StepWindow> windows;  // disjoint
};

HostTime InSteps(const HostSteps& host, const PlaceFilter& place) {
  HostTime time{!host.steps.empty(), {}};
  IntervalSet steps;
  for (const StepTime& step : host.steps) {
    if (place.TakesStep(step.number)) steps.Add(step.start_ps, step.EndPs());
  }
  for (const Interval& part : steps.Parts()) time.windows.push_back({part.start_ps, part.end_ps});
  return time;
}

// Adds the time from the first start to the last end on the host's lanes.
void IncludeLanes(const Process& process, const LaneTimes& times, HostTime* time) {
  for (uint32_t i = process.lanes.first; i < process.lanes.first + process.lanes.count; ++i) {
    const EventTimes& lane = times.lanes[i];
    if (lane.start_ps == kNoTime) continue;
    time->windows.resize(1);
    Enclose({lane.start_ps, lane.end_ps}, &time->windows[0]);
  }
}

Result<std::vector<HostTime>> TimesOfHosts(const Store& store, const Indexes& indexes,
                                           const PlaceFilter& place, Context& context) {
  std::vector<HostTime> times(store.hosts.size());
  TFPROF_ASSIGN(const auto hosts, indexes.Get<AllSteps>(StepBasis::recorded, context));
  for (const HostSteps& host : *hosts) times[host.host.value] = InSteps(host, place);
  const bool all = std::ranges::all_of(times, [](const HostTime& time) { return time.of_steps; });
  if (all || place.SelectsSteps()) return times;
  TFPROF_ASSIGN(const auto lanes, indexes.Get<LaneTimes>(context));
  for (const Process& process : store.processes) {
    if (!process.host.some()) continue;
    HostTime& time = times[process.host.value];
    if (!time.of_steps) IncludeLanes(process, *lanes, &time);
  }
  return times;
}

// The steps that the recorder wrote on the line of a device; empty: it has none.
std::vector<StepWindow> StepLine(const Store& store, const Process& process) {
  IntervalSet steps;
  for (uint32_t i = process.lanes.first; i < process.lanes.first + process.lanes.count; ++i) {
    const Lane& lane = store.lanes[i];
    if (lane.role != LaneRole::steps) continue;
    for (uint32_t k = lane.unplaced; k < lane.rows.count; ++k) {
      const uint32_t row = lane.rows.first + k;
      if (store.events.duration_ps[row] > 0) {
        steps.Add(store.events.start_ps[row], EndPs(store.events, row));
      }
    }
  }
  std::vector<StepWindow> windows;
  for (const Interval& part : steps.Parts()) windows.push_back({part.start_ps, part.end_ps});
  return windows;
}

// A device's own line of steps wins; without one, those of the other devices of its host.
void TakeStepLines(const Store& store, const Process& process, HostTime* time) {
  std::vector<StepWindow> windows = StepLine(store, process);
  if (windows.empty()) {
    IntervalSet all;
    for (const Process& other : store.processes) {
      if (other.host != process.host || !other.device.some()) continue;
      for (const StepWindow& window : StepLine(store, other)) {
        all.Add(window.start_ps, window.end_ps);
      }
    }
    for (const Interval& part : all.Parts()) windows.push_back({part.start_ps, part.end_ps});
  }
  if (!windows.empty()) *time = {true, std::move(windows)};
}

DeviceIdle IdleOf(const Store& store, const Process& process, const HostTime& time) {
  const auto takes_time = [&](uint32_t row) { return store.events.duration_ps[row] > 0; };
  LanesByStart events(store.events, takes_time);
  for (uint32_t i = process.lanes.first; i < process.lanes.first + process.lanes.count; ++i) {
    if (store.lanes[i].measures == Measures::accelerator_time) events.Add(store.lanes[i]);
  }
  DeviceIdle found;
  if (events.Done() || time.windows.empty()) return found;
  IdleInWindows idle(time.windows);
  for (; !events.Done(); events.Next()) {
    const uint32_t row = events.row();
    idle.Add(store.events.label[row], store.events.start_ps[row], EndPs(store.events, row));
  }
  found = {time.of_steps, 0, 0};
  for (const StepWindow& window : time.windows) {
    found.within_ps = SaturatingAdd(found.within_ps, SpanOf(window.start_ps, window.end_ps));
  }
  for (const IdleTime& in_window : idle.Finish()) {
    found.idle_ps = SaturatingAdd(found.idle_ps, in_window.idle_ps);
  }
  return found;
}

}  // namespace

Result<std::vector<DeviceIdle>> IdleOfDevices(const Store& store, const Indexes& indexes,
                                              const PlaceFilter& place, Context& context) {
  std::vector<DeviceIdle> found(store.processes.size());
  TFPROF_ASSIGN(const auto hosts, TimesOfHosts(store, indexes, place, context));
  const size_t threads = ThreadsFor(store.events.start_ps.bytes());
  TFPROF_TRY(ForEachTask(found.size(), threads, context, [&](size_t i) {
    const Process& process = store.processes[i];
    if (!process.device.some() || !process.host.some()) return;
    HostTime time = hosts[process.host.value];
    if (!place.SelectsSteps()) TakeStepLines(store, process, &time);
    found[i] = IdleOf(store, process, time);
  }));
  return found;
}

}  // namespace tfprof
