// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/trace_steps.h"

#include <algorithm>

#include "analysis/indexes.h"
#include "analysis/place.h"
#include "analysis/steps/idle_in_windows.h"
#include "analysis/steps/plane_sums.h"
#include "analysis/steps/spans.h"
#include "analysis/wall/inferred_steps.h"
#include "core/base/context.h"
#include "core/base/parallel.h"
#include "core/base/sorting.h"

namespace tfprof {
namespace {

// By group: index into host.steps; EventGroups::kNone: not a step of that host. Both are ordered by
// id.
std::vector<uint32_t> StepsOfGroups(const EventGroups& groups, const HostSteps& host) {
  std::vector<uint32_t> step_of(groups.groups.size(), EventGroups::kNone);
  size_t step = 0;
  for (size_t i = 0; i < groups.groups.size() && step < host.steps.size(); ++i) {
    const EventGroup& group = groups.groups[i];
    if (group.host != host.host || group.id != host.steps[step].group_id) continue;
    step_of[i] = static_cast<uint32_t>(step++);
  }
  return step_of;
}

// The window of a step on a device without a line Steps; `own`: from its first to its last event of
// the step.
StepWindow StepOfDevice(const StepTime& of_host, const StepWindow& own) {
  const int64_t own_ps = SpanOf(own.start_ps, own.end_ps);
  const int64_t from_ps = std::max(own.start_ps, of_host.start_ps);
  const int64_t to_ps = std::min(own.end_ps, of_host.EndPs());
  const bool with_host = to_ps >= from_ps && SpanOf(from_ps, to_ps) >= own_ps / 2;
  return with_host && own_ps < of_host.duration_ps ? StepWindow{of_host.start_ps, of_host.EndPs()}
                                                   : own;
}

// By step of the host: the window on the line Steps of a device.
std::vector<StepWindow> StepLinesOf(const HostPlanes& of, const Process& process) {
  std::vector<StepWindow> of_groups(of.groups.groups.size()), lines(of.host.steps.size());
  KeepStepLines(of.store, of.groups, process, &of_groups);
  for (size_t i = 0; i < of_groups.size(); ++i) {
    if (of.step_of[i] != EventGroups::kNone) lines[of.step_of[i]] = of_groups[i];
  }
  return lines;
}

// Returns the window of each of `steps` on the plane; end before start: unknown.
std::vector<StepWindow> SetStepTimes(const HostPlanes& of, const Process& process,
                                     std::vector<DeviceStep>* steps) {
  const bool is_host = process.kind == ProcessKind::host;
  const std::vector<StepWindow> lines = StepLinesOf(of, process);
  std::vector<StepWindow> all;
  for (DeviceStep& row : *steps) {
    all.emplace_back();
    const StepTime& step = of.host.steps[row.step];
    const StepWindow& line = lines[row.step];
    if (is_host && of.host.has_device()) continue;
    if (!is_host && !line.some() && row.start_ps == kNoTime) continue;
    const StepWindow own{row.start_ps, row.end_ps};
    const StepWindow lasts = is_host       ? StepWindow{step.start_ps, step.EndPs()}
                             : line.some() ? line
                                           : StepOfDevice(step, own);
    row.step_ps = SpanOf(lasts.start_ps, lasts.end_ps);
    row.AddEnds(lasts.start_ps, lasts.end_ps);
    all.back() = lasts;
  }
  return all;
}

bool AnyOverlap(std::vector<StepWindow> windows) {
  std::erase_if(windows, [](const StepWindow& window) { return !window.some(); });
  std::ranges::sort(windows, {}, &StepWindow::start_ps);
  for (size_t i = 1; i < windows.size(); ++i) {
    if (windows[i].start_ps < windows[i - 1].end_ps) return true;
  }
  return false;
}

// A device is not idle in a step while it works for another step, or for none.
void ExcludeOtherSteps(const std::vector<BusyTime>& busy, const std::vector<StepWindow>& windows,
                       std::vector<DeviceStep>* steps) {
  IdleInWindows idle(windows);
  for (const BusyTime& time : busy) idle.Add(time.first, time.start_ps, time.end_ps);
  const std::vector<IdleTime> found = idle.Finish();
  for (size_t i = 0; i < steps->size(); ++i) {
    DeviceStep& row = (*steps)[i];
    if (!windows[i].some()) continue;
    row.others_ps = std::max<int64_t>(row.IdlePs() - found[i].idle_ps, 0);
    row.gaps = found[i].gaps;
    row.longest_gap_ps = found[i].longest_gap_ps;
    row.after_longest_gap = found[i].after_longest_gap;
  }
}

// Returns the steps in which a plane has events.
Result<std::vector<DeviceStep>> StepsOfPlane(const HostPlanes& of, ProcessId id, Context& context) {
  const Process& process = of.store.processes[id.value];
  TFPROF_ASSIGN(const std::vector<PlaneText> texts, TextsOfPlane(of, id, context));
  TFPROF_ASSIGN(PlaneSums sums, SumsOfPlane(of, id, texts, context));
  std::vector<DeviceStep> steps = std::move(sums.steps);
  for (size_t i = 0; i < steps.size(); ++i) {
    steps[i].process = id;
    steps[i].step = static_cast<uint32_t>(i);
  }
  std::erase_if(steps, [](const DeviceStep& step) { return step.records == 0; });
  const std::vector<StepWindow> windows = SetStepTimes(of, process, &steps);
  if (process.kind == ProcessKind::device && (sums.any_outside || AnyOverlap(windows))) {
    ExcludeOtherSteps(sums.busy, windows, &steps);
  }
  return steps;
}

}  // namespace

Result<std::vector<DeviceStep>> PlaneStepsOf(const Store& store, const Indexes& indexes,
                                             const EventGroups& groups, const HostSteps& host,
                                             const PlaceFilter& place, StepPlanes planes,
                                             Context& context) {
  const HostPlanes of{store, indexes, groups, host, StepsOfGroups(groups, host)};
  const bool skips_threads = planes == StepPlanes::with_idle && host.has_device();
  std::vector<ProcessId> chosen;
  for (size_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    if (process.host != host.host || !MatchesPlace(store, process, place)) continue;
    if (!skips_threads || process.kind != ProcessKind::host) chosen.emplace_back(i);
  }
  std::vector<std::vector<DeviceStep>> of_plane(chosen.size());
  const size_t threads = ThreadsFor(store.events.start_ps.bytes());
  TFPROF_TRY(
      TryEachTask(chosen.size(), threads, context, [&](size_t i, Context& of_task) -> Result<void> {
        TFPROF_ASSIGN(of_plane[i], StepsOfPlane(of, chosen[i], of_task));
        return {};
      }));
  std::vector<DeviceStep> rows;
  for (const auto& part : of_plane) rows.insert(rows.end(), part.begin(), part.end());
  StableSort(rows, {}, &DeviceStep::step);
  return rows;
}

Result<std::vector<std::vector<DeviceStep>>> AllPlaneSteps::Build(const Indexes& indexes, Key key,
                                                                  Context& context) {
  const auto [basis, planes] = key;
  const PlaceFilter all{.exact = basis == StepBasis::or_inferred};
  TFPROF_ASSIGN(const auto groups, GroupsOfSteps(indexes, all, context));
  TFPROF_ASSIGN(const auto hosts, indexes.Get<AllSteps>(basis, context));
  std::vector<std::vector<DeviceStep>> by_host;
  for (const HostSteps& host : *hosts) {
    TFPROF_ASSIGN(by_host.emplace_back(),
                  PlaneStepsOf(*indexes.store(), indexes, *groups, host, {}, planes, context));
  }
  return by_host;
}

}  // namespace tfprof
