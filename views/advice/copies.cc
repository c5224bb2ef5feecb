// SPDX-License-Identifier: Apache-2.0
// CopyChecker: time of copies between host and devices on copy engines.
#include <fmt/format.h>

#include "views/advice/evidence.h"
#include "views/advice/thresholds.h"

namespace tfprof {
namespace {

struct Copies {
  int64_t time_ps = 0;                // sum over the copies
  int64_t busy_ps = 0;                // time in which at least one copy runs
  const DeviceStep* worst = nullptr;  // the step with the largest time
};

struct Largest {
  LabelId label;
  int64_t time_ps = -1;
};

// Returns the copy with the largest total time over its executions.
Result<Largest> LargestCopy(const Store& store, const Lane& lane, Context& context) {
  std::vector<int64_t> of_label(store.labels.size(), 0);
  Largest largest;
  const uint32_t end = lane.rows.first + lane.rows.count;
  for (uint32_t row = lane.rows.first + lane.unplaced; row < end; ++row) {
    if (row % 16384 == 0) TFPROF_TRY(Poll(context));
    const LabelId label = store.events.label[row];
    int64_t& time_ps = of_label[label.value];
    time_ps = SaturatingAdd(time_ps, store.events.duration_ps[row]);
    if (time_ps > largest.time_ps) largest = {label, time_ps};
  }
  return largest;
}

Finding Describe(const Checking& checking, const Lane& lane, const Copies& copies,
                 const Largest& largest) {
  const Store& store = *checking.store;
  const std::string_view device = store.Text(lane.display);
  const int64_t cost_ps = copies.busy_ps / checking.durations.count;
  return {.id = FindingId::copy_engine_busy,
          .severity = SeverityOfCost(cost_ps, checking, kCopyShares),
          .cost_ps = cost_ps,
          .values = {Text("device", device), Pattern("device_pattern", device),
                     Share("share", cost_ps, checking.durations.mean_ps),
                     Time("longest", copies.worst->time_ps),
                     Number("step", checking.StepOf(*copies.worst).number),
                     Time("largest_time", largest.time_ps), Time("time", copies.time_ps),
                     Text("largest", store.Text(store.labels[largest.label.value].name))}};
}

}  // namespace

Result<void> CheckCopies(const Checking& checking, std::vector<Finding>* findings) {
  const Store& store = *checking.store;
  std::vector<Copies> lanes(store.lanes.size());
  for (const DeviceStep& row : checking.tables.devices) {
    if (store.lanes[row.lane.value].role != LaneRole::copies || row.start_ps == kNoTime) continue;
    Copies& copies = lanes[row.lane.value];
    copies.time_ps = SaturatingAdd(copies.time_ps, row.time_ps);
    copies.busy_ps = SaturatingAdd(copies.busy_ps, row.busy_ps);
    if (copies.worst == nullptr || row.time_ps > copies.worst->time_ps) copies.worst = &row;
  }
  for (size_t i = 0; i < lanes.size(); ++i) {
    if (lanes[i].worst == nullptr) continue;
    const int64_t mean_ps = lanes[i].busy_ps / checking.durations.count;
    if (Percent(mean_ps, checking.durations.mean_ps) < kCopiesThreshold) continue;
    TFPROF_ASSIGN(const Largest largest, LargestCopy(store, store.lanes[i], checking.context));
    findings->push_back(Describe(checking, store.lanes[i], lanes[i], largest));
  }
  return {};
}

}  // namespace tfprof
