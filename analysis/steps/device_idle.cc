// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/device_idle.h"

#include <algorithm>
#include <utility>

#include "analysis/intervals/interval_set.h"
#include "analysis/intervals/lane_times.h"
#include "analysis/place.h"
#include "analysis/steps/spans.h"
#include "analysis/steps/times.h"
#include "core/base/parallel.h"

namespace tfprof {
namespace {

// The time that a host was in a step or, without steps, was recorded.
struct HostTime {
  IdleWithin within = IdleWithin::capture;
  std::vector<StepWindow> windows;  // disjoint; work: empty, each device has its own
};

std::vector<StepWindow> WindowsOf(IntervalSet set) {
  std::vector<StepWindow> windows;
  for (const Interval& part : set.Parts()) windows.push_back({part.start_ps, part.end_ps});
  return windows;
}

HostTime InSteps(const HostSteps& host, const PlaceFilter& place) {
  HostTime time;
  if (host.steps.empty()) return time;
  const bool inferred = host.origin == StepOrigin::inferred && !place.SelectsSteps();
  time.within = inferred ? IdleWithin::work : IdleWithin::steps;
  if (inferred) return time;
  IntervalSet steps;
  for (const StepTime& step : host.steps) {
    if (place.TakesStep(step.number)) steps.Add(step.start_ps, step.EndPs());
  }
  time.windows = WindowsOf(std::move(steps));
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
  TFPROF_ASSIGN(const auto hosts, indexes.Get<AllSteps>(StepBasisOf(place), context));
  for (const HostSteps& host : *hosts) times[host.host.value] = InSteps(host, place);
  const bool all = std::ranges::count(times, IdleWithin::capture, &HostTime::within) == 0;
  if (all || place.SelectsSteps()) return times;
  TFPROF_ASSIGN(const auto lanes, indexes.Get<LaneTimes>(context));
  for (const Process& process : store.processes) {
    if (!process.host.some()) continue;
    HostTime& time = times[process.host.value];
    if (time.within == IdleWithin::capture) IncludeLanes(process, *lanes, &time);
  }
  return times;
}

// The time in which at least one event on these lanes runs.
IntervalSet BusyOn(const Events& events, std::span<const Lane* const> lanes) {
  IntervalSet busy;
  for (const Lane* lane : lanes) {
    for (const uint32_t row : lane->PlacedRows()) {
      if (events.duration_ps[row] > 0) busy.Add(events.start_ps[row], EndPs(events, row));
    }
  }
  return busy;
}

// The steps that the recorder wrote on the line of a device; empty: it has none.
std::vector<StepWindow> StepLine(const Store& store, const Process& process) {
  std::vector<const Lane*> lanes;
  for (const Lane& lane : store.LanesOf(process)) {
    if (lane.role == LaneRole::steps) lanes.push_back(&lane);
  }
  return WindowsOf(BusyOn(store.events, lanes));
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
    windows = WindowsOf(std::move(all));
  }
  if (!windows.empty()) *time = {IdleWithin::steps, std::move(windows)};
}

DeviceIdle IdleOf(const Store& store, ProcessId process, HostTime time) {
  const auto lanes = LanesThatMeasure(store, process, Measures::accelerator_time);
  IntervalSet busy = BusyOn(store.events, lanes);
  const Intervals parts = busy.Parts();
  if (parts.empty()) return {};
  if (time.within == IdleWithin::work) {
    time.windows.assign(1, {parts.front().start_ps, parts.back().end_ps});
  }
  if (time.windows.empty()) return {};
  DeviceIdle found{time.within, 0, 0};
  for (const StepWindow& window : time.windows) {
    const int64_t within_ps = SpanOf(window.start_ps, window.end_ps);
    int64_t busy_ps = 0;
    EachWithin(parts, window.start_ps, window.end_ps,
               [&](int64_t from_ps, int64_t to_ps) { busy_ps += to_ps - from_ps; });
    found.within_ps = SaturatingAdd(found.within_ps, within_ps);
    found.idle_ps = SaturatingAdd(found.idle_ps, within_ps - busy_ps);
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
    found[i] = IdleOf(store, ProcessId(i), std::move(time));
  }));
  return found;
}

}  // namespace tfprof
