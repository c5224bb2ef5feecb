// SPDX-License-Identifier: Apache-2.0
// AcceleratorUtilizationChecker: the part of the steps in which an accelerator computes.
#include <fmt/format.h>

#include "views/advice/evidence.h"
#include "views/advice/thresholds.h"

namespace tfprof {
namespace {

// Sums over the steps of one lane, and its step with the longest idle time.
struct Use {
  int64_t busy_ps = 0;
  int64_t steps_ps = 0;
  int64_t steps = 0;
  int64_t worst_idle_ps = -1;
  StepId worst;
  int64_t worst_busy_ps = 0;
};

std::vector<Use> UseOfLanes(const Checking& checking) {
  std::vector<Use> uses(checking.store->lanes.size());
  for (const DeviceStep& row : checking.tables.devices) {
    if (row.start_ps == kNoTime) continue;
    const int64_t step_ps = checking.DurationOf(StepId(row.step));
    Use& use = uses[row.lane.value];
    use.busy_ps = SaturatingAdd(use.busy_ps, row.busy_ps);
    use.steps_ps = SaturatingAdd(use.steps_ps, step_ps);
    ++use.steps;
    if (step_ps - row.busy_ps <= use.worst_idle_ps) continue;
    use.worst_idle_ps = step_ps - row.busy_ps;
    use.worst = StepId(row.step);
    use.worst_busy_ps = row.busy_ps;
  }
  return uses;
}

Finding Describe(const Checking& checking, const Lane& lane, const Use& use) {
  const std::string_view device = checking.store->Text(lane.display);
  const auto steps = static_cast<int64_t>(checking.steps.size());
  const int64_t idle_ps = (use.steps_ps - use.busy_ps) / steps;
  return {.id = FindingId::accelerator_underused,
          .severity = SeverityOfCost(idle_ps, checking, kUnusedShares),
          .cost_ps = idle_ps,
          .values = {Text("device", device), Pattern("device_pattern", device),
                     Share("share", use.busy_ps, use.steps_ps), Time("busy", use.worst_busy_ps),
                     Time("step_time", checking.DurationOf(use.worst)),
                     Number("step", checking.NumberOf(use.worst))},
          .explained_by = {FindingId::device_idle}};
}

}  // namespace

Result<void> CheckAcceleratorUse(const Checking& checking, std::vector<Finding>* findings) {
  const std::vector<Use> uses = UseOfLanes(checking);
  for (size_t i = 0; i < uses.size(); ++i) {
    const Lane& lane = checking.store->lanes[i];
    if (lane.measures != Measures::accelerator_time || uses[i].steps == 0) continue;
    if (Percent(uses[i].busy_ps, uses[i].steps_ps) >= kBusyEnough) continue;
    findings->push_back(Describe(checking, lane, uses[i]));
  }
  return {};
}

}  // namespace tfprof
