// SPDX-License-Identifier: Apache-2.0
// HostTimeChecker: what the host does while devices are idle: functions of Python, waits for other
// threads, garbage collection, checkpoints, copies, and time in which nothing was recorded.
#include <algorithm>
#include <map>
#include <utility>

#include "analysis/wall/device_waits.h"
#include "analysis/wall/lock_waits.h"
#include "analysis/wall/python_names.h"
#include "analysis/wall/small_ops.h"
#include "views/causes/program_starts.h"
#include "views/causes/wall_cause.h"

namespace tfprof {
namespace {

constexpr std::string_view kCollect = "gc.collect";
// Calls of the system that wait for other programs.
constexpr std::string_view kSystemWaits[] = {"poll",       "select", "accept",
                                             "os.waitpid", "recv",   "os.read"};

// Returns the call in which a function spends half of its time or more, if that sleeps or waits.
std::string_view MostlyIn(const WallPart& part, std::span<const std::string_view> leaves) {
  const auto leaf = std::ranges::find_if(
      leaves, [&](std::string_view name) { return ShareIn(part.leaves, name) >= 50; });
  return leaf == leaves.end() ? std::string_view() : *leaf;
}

// What a function of Python does: sleeps, computes, or calls others that take the time.
void AddDoing(const WallPart& part, Finding* finding) {
  std::vector<Value>& values = finding->values;
  const bool sleeps = Sleeps(part);
  const std::string_view waits = MostlyIn(part, kSystemWaits);
  const std::string calls = LargestNames(part.calls, 3);
  const bool itself =
      !sleeps && waits.empty() && (part.calls.empty() || part.calls[0].name == part.name);
  values.push_back(TextIfAny("sleeps", sleeps && part.name != kSleep ? kSleep : ""));
  values.push_back(TextIfAny("waits", waits));
  values.push_back(When("computes", itself && part.kind == WallKind::python));
  values.push_back(
      TextIfAny("calls", sleeps || !waits.empty() || itself || calls == part.name ? "" : calls));
}

// What another thread runs for most of the time in which this one waits.
struct Elsewhere {
  std::string function;  // of the program; empty: it began before the recording
  std::string leaf;      // the innermost call
};

struct FramesOf {
  const Store& store;
  std::map<std::string, int64_t> functions = {}, leaves = {};

  void AddLane(const Lane& lane, Intervals waits) {
    LaneNesting nesting;
    NestEvents(store, lane, &nesting);
    std::vector<uint32_t> function(nesting.parent.size(), kNoRow);
    const auto name_of = [&](uint32_t row) { return PythonNameOfEvent(store, row); };
    EachInnermost(
        store, nesting,
        [&](uint32_t row) {
          const uint32_t parent = nesting.ParentOf(row);
          uint32_t& of = function[row - nesting.first];
          if (parent != kNoRow) of = function[parent - nesting.first];
          if (name_of(row).kind == PythonKind::user) of = row;  // the innermost one
        },
        [&](uint32_t row, int64_t start_ps, int64_t end_ps) {
          const uint32_t of = function[row - nesting.first];
          if (!name_of(row).some() && of == kNoRow) return;
          EachWithin(waits, start_ps, end_ps, [&](int64_t start, int64_t end) {
            if (of != kNoRow) functions[DisplayText(name_of(of))] += SpanOf(start, end);
            leaves[DisplayText(name_of(row))] += SpanOf(start, end);
          });
        });
  }

  static std::string Largest(const std::map<std::string, int64_t>& times) {
    const auto max = std::max_element(times.begin(), times.end(), [](const auto& a, const auto& b) {
      return a.second < b.second;
    });
    return max == times.end() ? std::string() : max->first;
  }
};

std::vector<Interval> WaitsOf(const HostWall& wall, HostCause cause) {
  std::vector<Interval> waits;
  for (const HostSegment& segment : wall.causes) {
    if (segment.cause == cause) waits.push_back({segment.start_ps, segment.end_ps});
  }
  return waits;
}

// Returns the thread that most often releases a lock just before a wait ends; none: no thread does.
LaneId HolderOf(const Store& store, const HostWall& wall, Intervals waits) {
  std::map<uint32_t, int64_t> ended;
  const auto releases = LockReleases(store, store.processes[wall.process.value], wall.thread.lane);
  for (const Interval& wait : waits) {
    const auto after = std::ranges::upper_bound(releases, wait.end_ps, {}, &LockRelease::end_ps);
    if (after == releases.begin() || (after - 1)->end_ps <= wait.start_ps) continue;
    ++ended[(after - 1)->lane.value];
  }
  const auto most = std::ranges::max_element(ended, {}, [](const auto& of) { return of.second; });
  return most == ended.end() ? LaneId() : LaneId(most->first);
}

Elsewhere DuringWaits(const Store& store, const HostWall& wall, HostCause cause) {
  IntervalSet set;
  for (const Interval& wait : WaitsOf(wall, cause)) set.Add(wait.start_ps, wait.end_ps);
  const Intervals waits = set.Parts();
  const LaneId holder = cause == HostCause::lock ? HolderOf(store, wall, waits) : LaneId();
  FramesOf frames{store};
  const Process& process = store.processes[wall.process.value];
  for (uint32_t i = process.lanes.first; i < process.lanes.first + process.lanes.count; ++i) {
    const Lane& lane = store.lanes[i];
    if (LaneId(i) == wall.thread.lane || lane.measures != Measures::host_time) continue;
    if (holder.some() && LaneId(i) != holder) continue;
    frames.AddLane(lane, waits);
  }
  return {FramesOf::Largest(frames.functions), FramesOf::Largest(frames.leaves)};
}

// Returns the function of the program that waits there most: the queue or lock is in it.
std::string WaitingFunction(const Store& store, const HostWall& wall, HostCause cause) {
  std::map<std::string, int64_t> functions;
  for (const HostSegment& segment : wall.causes) {
    if (segment.cause != cause) continue;
    for (uint32_t row = segment.named_by; row != kNoRow; row = wall.thread.nesting.ParentOf(row)) {
      const PythonName name = PythonNameOfEvent(store, row);
      if (name.kind != PythonKind::user) continue;
      functions[DisplayText(name)] += SpanOf(segment.start_ps, segment.end_ps);
      break;
    }
  }
  return FramesOf::Largest(functions);
}

void AddWaits(const StepFacts& facts, const std::vector<const HostWall*>& walls, WallKind kind,
              HostCause cause, FindingId id, std::vector<Finding>* findings) {
  const std::vector<WallCause> causes = CausesOf(walls, kind);
  if (causes.empty()) return;
  const auto& [wall, part] = causes[0];
  Finding finding = DescribeCause(facts, id, wall, part.ps);
  const Elsewhere other = DuringWaits(facts.trace, wall, cause);
  const bool sleeps = other.leaf == kSleep;
  const std::string function = WaitingFunction(facts.trace, wall, cause);
  finding.values.push_back(TextIfAny("call", part.name == function ? "" : part.name));
  finding.values.push_back(TextIfAny("function", function));
  finding.values.push_back(When("no_function", function.empty()));
  finding.values.push_back(TextIfAny("other", other.function));
  finding.values.push_back(When("other_sleeps", !other.function.empty() && sleeps));
  // The queue's other end may be any thread; a lock has one holder.
  const bool only_leaf = other.function.empty() && cause == HostCause::lock;
  finding.values.push_back(TextIfAny("other_call", only_leaf ? other.leaf : ""));
  findings->push_back(std::move(finding));
}

bool MostlyStartsOps(const SmallOps& ops, const HostWall& wall, const WallPart& part) {
  const auto at = static_cast<size_t>(&part - wall.parts.data());
  return !ops.in_parts.empty() && Percent(ops.in_parts[at], part.ps) >= 50;
}

// A function that mostly starts operations, or waits for devices, is no finding of its own.
void AddStartsAndWaits(const SmallOps& ops, const DeviceWaits& waits, const HostWall& wall,
                       const WallPart& part, Finding* finding) {
  if (MostlyStartsOps(ops, wall, part))
    finding->explained_by.push_back(FindingId::small_operations);
  const bool waits_most = !waits.functions.empty() && waits.functions[0].name == part.name;
  if (waits_most && Percent(waits.idle_ps, part.ps) >= 50) {
    finding->explained_by.push_back(FindingId::waits_for_devices);
  }
}

void AddFunctions(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                  std::vector<Finding>* findings) {
  std::map<const HostWall*, std::pair<SmallOps, DeviceWaits>> known;
  bool first = true;  // the function that takes most may be part of another finding
  for (const auto& [wall, part] : CausesOf(walls, WallKind::python)) {
    Finding finding = DescribeCause(facts, FindingId::python_function, wall, part.ps);
    finding.values.push_back(Text("function", part.name));
    AddDoing(part, &finding);
    if (first) {
      finding.explained_by = {FindingId::waits_for_results, FindingId::steps_get_longer,
                              FindingId::late_host};
    }
    first = false;
    if (MostlyStarts(facts.trace, wall, part)) {
      finding.explained_by.push_back(FindingId::many_programs);
    }
    if (wall.has_devices) {
      const auto [of, is_new] = known.try_emplace(&wall);
      if (is_new) of->second = {SmallOpsOf(facts.trace, wall), DeviceWaitsOf(facts.trace, wall)};
      AddStartsAndWaits(of->second.first, of->second.second, wall, part, &finding);
    }
    findings->push_back(std::move(finding));
  }
  // Calls of libraries outside of functions of the program, such as time.sleep and np.load.
  for (const auto& [wall, part] : CausesOf(walls, WallKind::library)) {
    Finding finding = DescribeCause(facts, FindingId::python_function, wall, part.ps);
    finding.values.push_back(Text("function", part.name));
    AddDoing(part, &finding);
    findings->push_back(std::move(finding));
  }
  for (const auto& [wall, part] : CausesOf(walls, WallKind::collector)) {
    Finding finding = DescribeCause(facts, FindingId::garbage_collector, wall, part.ps);
    const bool called = part.name == kCollect;
    finding.values.push_back(When("called", called));
    finding.values.push_back(When("by_itself", !called));
    finding.values.push_back(TextIfAny("function", called ? "" : part.name));
    findings->push_back(std::move(finding));
  }
  for (const auto& [wall, part] : CausesOf(walls, WallKind::host_op)) {
    Finding finding = DescribeCause(facts, FindingId::host_operation, wall, part.ps);
    finding.values.push_back(Text("operation", part.name));
    findings->push_back(std::move(finding));
  }
  for (const auto& [wall, part] : CausesOf(walls, WallKind::region)) {
    if (!wall.KnowsDevices()) continue;  // nothing waits for it
    Finding finding = DescribeCause(facts, FindingId::host_region, wall, part.ps);
    finding.values.push_back(Text("region", part.name));
    findings->push_back(std::move(finding));
  }
}

// All writes of checkpoints are one finding.
void AddCheckpoints(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                    std::vector<Finding>* findings) {
  for (const HostWall* wall : walls) {
    const int64_t ps = wall->PartPs(WallKind::checkpoint);
    if (wall->Percent(ps) < kWallThreshold) continue;
    Finding finding = DescribeCause(facts, FindingId::checkpoint_in_steps, *wall, ps);
    std::string function, calls;
    std::vector<std::string> ops;
    for (const WallPart& part : wall->parts) {
      if (part.kind != WallKind::checkpoint) continue;
      const bool is_op = !part.name.empty() && part.name[0] >= 'A' && part.name[0] <= 'Z';
      if (is_op) {
        ops.push_back(part.name);
      } else if (function.empty()) {
        function = part.name;
        for (const NamedAmount& call : part.calls) {
          if (calls.empty() && call.name != part.name) calls = call.name;
        }
      }
    }
    finding.values.push_back(TextIfAny("function", function));
    finding.values.push_back(When("no_function", function.empty()));
    if (ops.empty() && !calls.empty()) ops.push_back(calls);
    finding.values.push_back(TextIfAny("ops", Listed(ops)));
    findings->push_back(std::move(finding));
    return;
  }
}

// The innermost functions of Python that call the driver, outside of operations.
std::string DriverCallers(const Store& store, const HostWall& wall) {
  std::map<std::string, int64_t> functions;
  for (const HostSegment& segment : wall.causes) {
    if (segment.cause != HostCause::device_memory) continue;
    for (uint32_t row = segment.named_by; row != kNoRow; row = wall.thread.nesting.ParentOf(row)) {
      const PythonName name = PythonNameOfEvent(store, row);
      if (store.labels[store.events.label[row].value].of == EventClass::op) break;
      if (!name.some() || name.kind == PythonKind::native) continue;
      functions[DisplayText(name)] += SpanOf(segment.start_ps, segment.end_ps);
      break;
    }
  }
  return FramesOf::Largest(functions);
}

void AddDeviceMemory(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                     std::vector<Finding>* findings) {
  for (const HostWall* wall : walls) {
    const int64_t ps = wall->PartPs(WallKind::device_memory);
    if (wall->Percent(ps) < kWallThreshold) continue;
    std::vector<NamedAmount> calls;
    for (const WallPart& part : wall->parts) {
      if (part.kind == WallKind::device_memory) calls.push_back({part.name, part.ps});
    }
    Finding finding = DescribeCause(facts, FindingId::device_memory, *wall, ps);
    finding.values.push_back(Text("calls", LargestNames(calls, 3)));
    finding.values.push_back(TextIfAny("function", DriverCallers(facts.trace, *wall)));
    findings->push_back(std::move(finding));
    return;
  }
}

// Work of devices without compute; where devices have steps, other checkers judge them, but not
// collectives that threads of the host make.
void AddDeviceWork(const StepFacts& facts, const std::vector<const HostWall*>& walls, WallKind kind,
                   FindingId id, std::vector<Finding>* findings) {
  for (const HostWall* wall : walls) {
    const bool by_threads =
        kind == WallKind::communication && wall->executions.collective_row != kNoRow;
    if (!facts.steps.common.empty() && !by_threads) continue;
    const auto part = std::ranges::find_if(
        wall->parts, [&](const WallPart& of) { return of.kind == kind && of.name.empty(); });
    if (!wall->has_devices || part == wall->parts.end()) continue;
    if (wall->Percent(part->ps) < kWallThreshold) continue;
    findings->push_back(DescribeCause(facts, id, *wall, part->ps));
    findings->back().explained_by = {FindingId::late_host};
    return;
  }
}

void AddCopies(const StepFacts& facts, const std::vector<const HostWall*>& walls,
               std::vector<Finding>* findings) {
  for (const HostWall* wall : walls) {
    std::vector<NamedAmount> calls;
    int64_t ps = 0;
    for (const WallPart& part : wall->parts) {
      // Copies without a name run on devices or, without devices, on threads of the runtime.
      if (part.kind != WallKind::copies || (part.name.empty() && wall->has_devices)) continue;
      ps = SaturatingAdd(ps, part.ps);
      if (!part.name.empty()) calls.push_back({part.name, part.ps});
    }
    if (wall->Percent(ps) < kWallThreshold) continue;
    Finding finding = DescribeCause(facts, FindingId::copies_in_steps, *wall, ps);
    finding.values.push_back(TextIfAny("calls", LargestNames(calls, 3)));
    findings->push_back(std::move(finding));
    return;
  }
}

// The operations that the thread starts one by one: what the program does beside them was not
// recorded.
std::string EagerOpsOf(const Store& store, const HostWall& wall) {
  std::map<std::string, int64_t> times;
  for (const HostSegment& segment : wall.causes) {
    if (segment.cause != HostCause::eager && segment.cause != HostCause::eager_run) continue;
    if (segment.named_by == kNoRow) continue;  // between two operations
    times[NameOfEvent(store, wall.thread.columns, segment.named_by)] +=
        SpanOf(segment.start_ps, segment.end_ps);
  }
  return LargestNames(LargestFirst(times), 2);
}

void AddUnrecorded(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                   std::vector<Finding>* findings) {
  const std::vector<WallCause> causes = CausesOf(walls, WallKind::unrecorded);
  if (causes.empty()) return;
  const auto& [wall, part] = causes[0];
  const auto steps = static_cast<int64_t>(std::max<size_t>(wall.steps.steps.size(), 1));
  if (part.ps / steps < kLongGapPs) return;  // the runtime's own gaps
  // Where devices recorded the steps, the host may work for a step before it: other checkers judge
  // idle devices within their steps.
  const bool only_devices = wall.has_devices && wall.steps.on_thread.empty();
  if (only_devices && !facts.steps.common.empty()) return;
  Finding finding = DescribeCause(facts, FindingId::unrecorded_time, wall, part.ps);
  const std::string_view program =
      wall.thread.main_program.empty() ? wall.thread.main_call : wall.thread.main_program;
  finding.values.push_back(TextIfAny("program", program));
  finding.values.push_back(TextIfAny("beside", EagerOpsOf(facts.trace, wall)));
  finding.values.push_back(When("keras", wall.thread.is_keras));
  finding.values.push_back(When("no_python", !wall.thread.records_python));
  finding.values.push_back(When("python", wall.thread.records_python));
  finding.explained_by = {FindingId::eager_execution};
  if (LongGapsPs(wall) < part.ps / 2) {
    finding.explained_by.push_back(FindingId::many_programs);
    finding.explained_by.push_back(FindingId::small_program);
  }
  if (MostlyStartsOps(SmallOpsOf(facts.trace, wall), wall, part)) {
    finding.explained_by.push_back(FindingId::small_operations);
  }
  findings->push_back(std::move(finding));
}

}  // namespace

Result<void> CheckHostTime(const StepFacts& facts, std::vector<Finding>* findings) {
  TFPROF_ASSIGN(const auto times, facts.indexes.Get<WallTimes>(facts.context));
  const std::vector<const HostWall*> walls = WallsOf(facts, *times);
  AddFunctions(facts, walls, findings);
  AddCheckpoints(facts, walls, findings);
  AddWaits(facts, walls, WallKind::queue, HostCause::queue, FindingId::waits_for_queue, findings);
  AddWaits(facts, walls, WallKind::lock, HostCause::lock, FindingId::waits_for_lock, findings);
  AddCopies(facts, walls, findings);
  AddDeviceMemory(facts, walls, findings);
  AddDeviceWork(facts, walls, WallKind::copies, FindingId::device_copies, findings);
  AddDeviceWork(facts, walls, WallKind::communication, FindingId::device_communication, findings);
  AddUnrecorded(facts, walls, findings);
  return {};
}

}  // namespace tfprof
