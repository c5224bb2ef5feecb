// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/duty_cycle.h"

#include <algorithm>

#include "analysis/indexes.h"
#include "analysis/intervals/interval.h"
#include "analysis/place.h"
#include "analysis/steps/spans.h"

namespace tfprof {
namespace {

// The sums of one TPU.
struct Duty {
  int64_t busy_ps = 0;
  int64_t stalled_ps = 0;  // part of busy_ps
  StepWindow window;
};

bool IsOnDuty(StepClass of) {
  return of != StepClass::host_to_device && of != StepClass::device_to_host;
}

void AddLane(const Store& store, const Lane& lane, uint32_t first_label,
             const std::vector<TpuOp>& of_label, Duty* duty) {
  int64_t busy_until_ps = kMinPs, stalled_until_ps = kMinPs;
  for (uint32_t row = lane.rows.first + lane.unplaced; row < lane.rows.first + lane.rows.count;
       ++row) {
    Enclose(WindowOf(store, row), &duty->window);
    if (lane.role != LaneRole::ops) continue;
    const TpuOp& op = of_label[store.events.label[row].value - first_label];
    if (!IsOnDuty(op.of)) continue;
    const int64_t start_ps = store.events.start_ps[row];
    const int64_t end_ps = SaturatingAdd(start_ps, store.events.duration_ps[row]);
    ExtendUnion(start_ps, end_ps, &busy_until_ps, &duty->busy_ps);
    if (op.is_async_done) ExtendUnion(start_ps, end_ps, &stalled_until_ps, &duty->stalled_ps);
  }
}

}  // namespace

Result<DutyCycle> DutyCycleOf(const Store& store, const Indexes& indexes, const PlaceFilter& place,
                              Context& context) {
  double busy_ps = 0, stalled_ps = 0, total_ps = 0;
  for (const Device& device : store.devices) {
    if (device.kind != DeviceKind::tpu || !device.process.some()) continue;
    const Process& process = store.processes[device.process.value];
    if (!MatchesPlace(store, process, place)) continue;
    TFPROF_TRY(Poll(context));
    TFPROF_ASSIGN(const auto of_label, OpsOfTpu(store, indexes, device.process, context));
    Duty duty;
    for (uint32_t i = 0; i < process.lanes.count; ++i) {
      const Lane& lane = store.lanes[process.lanes.first + i];
      if (lane.role != LaneRole::ops && lane.role != LaneRole::modules) continue;
      AddLane(store, lane, process.labels.first, of_label, &duty);
    }
    if (!duty.window.some()) continue;
    busy_ps += static_cast<double>(duty.busy_ps);
    stalled_ps += static_cast<double>(duty.stalled_ps);
    total_ps += static_cast<double>(SpanOf(duty.window.start_ps, duty.window.end_ps));
  }
  if (total_ps <= 0) return DutyCycle();
  return DutyCycle{100 * busy_ps / total_ps, 100 * (busy_ps - stalled_ps) / total_ps};
}

}  // namespace tfprof
