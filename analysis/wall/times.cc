// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/times.h"

#include <algorithm>

#include "analysis/flops/device_type.h"
#include "analysis/intervals/lane_times.h"
#include "analysis/place.h"
#include "analysis/steps/times.h"
#include "analysis/wall/device_runs.h"
#include "analysis/wall/device_work.h"
#include "analysis/wall/loop/device_steps.h"
#include "analysis/wall/parts.h"
#include "analysis/wall/python_names.h"
#include "analysis/wall/thread_sets.h"
#include "core/base/sorting.h"
#include "core/store/op_name.h"

namespace tfprof {
namespace {

// The steps of the host that devices recorded; null: none.
const HostSteps* StepsOfDevices(const std::vector<HostSteps>& all, HostId host) {
  for (const HostSteps& of : all) {
    if (of.host == host && of.has_device()) return &of;
  }
  return nullptr;
}

Interval CaptureOf(const Store& store, const LaneTimes& lanes, HostId host) {
  Interval capture{kMaxPs, kMinPs};
  for (const Process& process : store.processes) {
    if (process.host != host) continue;
    for (uint32_t i = process.lanes.first; i < process.lanes.first + process.lanes.count; ++i) {
      const EventTimes& lane = lanes.lanes[i];
      if (lane.start_ps == kNoTime || store.lanes[i].derived) continue;
      capture.start_ps = std::min(capture.start_ps, lane.start_ps);
      capture.end_ps = std::max(capture.end_ps, lane.end_ps);
    }
  }
  return capture.end_ps < capture.start_ps ? Interval{0, 0} : capture;
}

// The processes of a host: its threads, and the devices that did anything.
struct Places {
  ProcessId threads;
  std::vector<ProcessId> devices;
};

Places PlacesOf(const Store& store, HostId host) {
  Places places;
  for (size_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    if (process.host != host || !HasEvents(store, process)) continue;
    if (process.kind == ProcessKind::host && !places.threads.some()) places.threads = ProcessId(i);
    const bool is_device = DeviceKindOf(store, process) != DeviceKind::other;
    if (is_device && WasActive(store, process, Measures::accelerator_time)) {
      places.devices.emplace_back(i);
    }
  }
  return places;
}

Result<std::vector<DeviceWork>> WorkOf(const Store& store, const Indexes& indexes,
                                       const Places& places, const HostWall& wall,
                                       Intervals fetching, Context& context) {
  std::vector<DeviceWork> work;
  for (const ProcessId device : places.devices) {
    TFPROF_ASSIGN(work.emplace_back(), WorkOfDevice(store, indexes, device, context));
  }
  if (work.empty() && places.threads.some()) {
    work.push_back(WorkOfHost(store, places.threads, wall.thread.lane, wall.executions, fetching));
  }
  return work;
}

Result<WallSteps> StepsWithDevices(const Store& store, const Indexes& indexes,
                                   const std::vector<ProcessId>& devices, const HostWall& wall,
                                   Context& context) {
  if (wall.steps.origin == StepOrigin::marked || wall.device_program.empty()) {
    return StepsWithWork(store, indexes, devices, wall.steps, context);
  }
  TFPROF_ASSIGN(const auto runs,
                RunsOnDevice(store, indexes, devices[0], wall.device_program, context));
  return StepsOnDevice(wall.steps, runs, wall.device_program);
}

int64_t CompilingInFirst(const HostWall& wall) {
  if (wall.steps.steps.empty()) return 0;
  const Interval& first = wall.steps.steps.front();
  int64_t sum_ps = 0;
  for (const HostSegment& segment : wall.causes) {
    if (segment.cause != HostCause::compile && segment.cause != HostCause::tracing) continue;
    const int64_t from_ps = std::max(segment.start_ps, first.start_ps);
    const int64_t to_ps = std::min(segment.end_ps, first.end_ps);
    if (to_ps > from_ps) sum_ps = SaturatingAdd(sum_ps, SpanOf(from_ps, to_ps));
  }
  return sum_ps;
}

Result<HostWall> WallOf(const Store& store, const Indexes& indexes, HostId host,
                        const std::vector<HostSteps>& steps, const LaneTimes& lanes,
                        Context& context) {
  HostWall wall{host};
  const Places places = PlacesOf(store, host);
  wall.process = places.threads;
  wall.has_devices = !places.devices.empty();
  if (wall.has_devices) {
    TFPROF_ASSIGN(wall.device_program, MainProgramOn(store, indexes, places.devices[0], context));
  }
  IntervalSet fetching;
  if (places.threads.some()) {
    if (!wall.has_devices) {
      TFPROF_ASSIGN(wall.executions, ExecutionsOnHost(store, indexes, places.threads, context));
    }
    TFPROF_ASSIGN(wall.thread, FindDrivingThread(store, indexes, places.threads, wall.executions,
                                                 wall.device_program, context));
    fetching = FetchingOn(store, store.processes[places.threads.value]);
    wall.causes = SegmentsOf(store, wall.thread, fetching.Parts());
  }
  wall.steps = StepsOnThread(store, wall.thread, wall.executions, StepsOfDevices(steps, host),
                             CaptureOf(store, lanes, host));
  if (wall.has_devices) {
    TFPROF_ASSIGN(wall.steps, StepsWithDevices(store, indexes, places.devices, wall, context));
  }
  ExcludeWarmUp(CompilingInFirst(wall), &wall.steps);
  TFPROF_ASSIGN(const auto work, WorkOf(store, indexes, places, wall, fetching.Parts(), context));
  IntervalSet others, collectives;  // without devices, other threads are the device
  if (wall.has_devices && places.threads.some()) {
    const Process& threads = store.processes[places.threads.value];
    others = OtherThreads(store, threads, wall.thread.lane);
    collectives = CollectivesOn(store, threads);
    wall.executions.collective_row = CollectiveOn(store, threads);
  }
  PartSums parts(store, wall.thread.columns);
  for (const DeviceWork& of_device : work) {
    TFPROF_TRY(Poll(context));
    parts.AddDevice(of_device, {others.Parts(), collectives.Parts()}, &wall);
  }
  parts.Finish(&wall);
  return wall;
}

}  // namespace

std::vector<NamedAmount> LargestFirst(const std::map<std::string, int64_t>& amounts) {
  std::vector<NamedAmount> list;
  for (const auto& [name, amount] : amounts) list.push_back({name, amount});
  StableSort(list, std::ranges::greater(), &NamedAmount::amount);
  return list;
}

int64_t HostWall::PartPs(WallKind kind) const {
  int64_t ps = 0;
  for (const WallPart& part : parts) {
    if (part.kind == kind) ps = SaturatingAdd(ps, part.ps);
  }
  return ps;
}

bool HostWall::KnowsDevices() const {
  return has_devices ||
         std::ranges::any_of(devices, [](const WallDevice& of) { return of.busy_ps > 0; });
}

double HostWall::Percent(int64_t ps) const {
  const int64_t window_ps = steps.WindowPs();
  return window_ps <= 0 ? 0 : 100 * static_cast<double>(ps) / static_cast<double>(window_ps);
}

std::string NameOfEvent(const Store& store, const ThreadColumns& columns, uint32_t row) {
  const Label& label = store.labels[store.events.label[row].value];
  std::string_view name = store.Text(label.name);
  const PythonName python = PythonNameOf(store, label);
  if (python.some()) return DisplayText(python);
  const bool shown = label.role == EventRole::input_fetch || label.role == EventRole::compile;
  if (shown && label.display.some()) {
    return std::string(store.Text(label.display));
  }
  if (label.role == EventRole::program_call) {
    name.remove_prefix(label.prefix);
    name.remove_suffix(label.suffix);
    return std::string(name);
  }
  if (label.role == EventRole::eager_executor) {
    const std::string_view op = columns.EagerOp(row);
    if (!op.empty()) return std::string(op);
  }
  // "block1/forward:forward" says its last component twice.
  const OpName op = ParseOpName(name);
  return std::string(op && DerivedType(op.name) == op.type ? op.name : name);
}

bool WallTimes::StartsProgramsFor(int64_t step_ps, HostId host) const {
  const auto wall = std::ranges::find(hosts, host, &HostWall::host);
  if (wall == hosts.end() || wall->steps.steps.empty()) return false;
  const auto steps = static_cast<int64_t>(wall->steps.steps.size());
  return wall->PartPs(WallKind::launch) / steps >= step_ps / 4 * 3;
}

std::vector<int64_t> WallTimes::WarmUpSteps(size_t of_hosts) const {
  std::vector<int64_t> steps(of_hosts, kNoInt);
  for (const HostWall& wall : hosts) steps[wall.host.value] = wall.steps.warm_up;
  return steps;
}

Result<WallTimes> WallTimes::Build(const Indexes& indexes, Context& context) {
  const Store& store = *indexes.store();
  WallTimes times;
  if (!store.IsTrace()) return times;
  TFPROF_ASSIGN(const auto steps, indexes.Get<AllSteps>(StepBasis::recorded, context));
  TFPROF_ASSIGN(const auto lanes, indexes.Get<LaneTimes>(context));
  for (size_t i = 0; i < store.hosts.size(); ++i) {
    TFPROF_ASSIGN(HostWall wall, WallOf(store, indexes, HostId(i), *steps, *lanes, context));
    if (!wall.devices.empty()) times.hosts.push_back(std::move(wall));
  }
  return times;
}

}  // namespace tfprof
