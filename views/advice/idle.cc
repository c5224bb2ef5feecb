// SPDX-License-Identifier: Apache-2.0
// DeviceIdleChecker: gaps between the operations of a device in a step, before the first and after
// the last one. Checks accelerators if any were traced, since hosts wait for them; else executors.
#include <fmt/format.h>

#include <algorithm>

#include "views/advice/evidence.h"
#include "views/advice/thresholds.h"

namespace tfprof {
namespace {

struct Idle {
  int64_t idle_ps = 0;
  int64_t steps_ps = 0;  // time of the steps in which it did anything
  int64_t gaps = 0;
  int64_t steps = 0;
  const DeviceStep* longest = nullptr;  // the step with the longest gap
};

std::vector<Idle> IdleOfLanes(const Checking& checking) {
  std::vector<Idle> lanes(checking.store->lanes.size());
  for (const DeviceStep& row : checking.tables.devices) {
    if (row.start_ps == kNoTime) continue;
    Idle& idle = lanes[row.lane.value];
    idle.idle_ps = SaturatingAdd(idle.idle_ps, row.IdlePs());
    idle.steps_ps = SaturatingAdd(idle.steps_ps, row.step_ps);
    idle.gaps += row.gaps;
    ++idle.steps;
    const bool longer =
        idle.longest == nullptr || row.longest_gap_ps > idle.longest->longest_gap_ps;
    if (longer) idle.longest = &row;
  }
  return lanes;
}

Finding Describe(const Checking& checking, const Lane& lane, const Idle& idle) {
  const Store& store = *checking.store;
  const DeviceStep& longest = *idle.longest;
  const std::string_view device = store.Text(lane.display);
  const int64_t idle_ps = idle.idle_ps / static_cast<int64_t>(checking.steps.size());
  return {
      .id = FindingId::device_idle,
      .severity = SeverityOfCost(idle_ps, checking, kIdleShares),
      .cost_ps = idle_ps,
      .values = {Text("device", device), Pattern("device_pattern", device),
                 Share("share", idle.idle_ps, idle.steps_ps), Time("gap", longest.longest_gap_ps),
                 Number("step", checking.NumberOf(StepId(longest.step))),
                 Text("before", GapBefore(store, longest)), Number("gaps", idle.gaps),
                 Number("steps", idle.steps)}};
}

}  // namespace

Result<void> CheckIdleDevices(const Checking& checking, std::vector<Finding>* findings) {
  const std::vector<Lane>& lanes = checking.store->lanes;
  const bool has_accelerator = std::any_of(lanes.begin(), lanes.end(), [](const Lane& lane) {
    return lane.measures == Measures::accelerator_time;
  });
  const Measures looked_at = has_accelerator ? Measures::accelerator_time : Measures::host_time;
  const std::vector<Idle> idle = IdleOfLanes(checking);
  for (size_t i = 0; i < idle.size(); ++i) {
    if (lanes[i].measures != looked_at || idle[i].gaps == 0) continue;
    if (Percent(idle[i].idle_ps, idle[i].steps_ps) < kIdleEnough) continue;
    findings->push_back(Describe(checking, lanes[i], idle[i]));
  }
  return {};
}

}  // namespace tfprof
