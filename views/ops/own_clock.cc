// SPDX-License-Identifier: Apache-2.0
#include "views/ops/own_clock.h"

#include <algorithm>
#include <vector>

#include "core/detail_cursor.h"
#include "views/chosen_events.h"
#include "views/indexes.h"

namespace tfprof {
namespace {

constexpr uint32_t kPollRows = 1 << 18;
constexpr double kWorthANote = 1;  // percent

}  // namespace

void ClockDifference::Add(const ClockDifference& other) {
  off_ps = SaturatingAdd(off_ps, other.off_ps);
  own_ps = SaturatingAdd(own_ps, other.own_ps);
}

double ClockDifference::Percent() const {
  return own_ps > 0 ? 100 * static_cast<double>(off_ps) / static_cast<double>(own_ps) : 0;
}

bool ClockDifference::IsWorthANote() const { return Percent() >= kWorthANote; }

Result<ClockDifference> CompareClocks(const Store& store, const Indexes& indexes, ProcessId device,
                                      const ChosenEvents& chosen, Context& context) {
  TFPROF_ASSIGN(const auto own, indexes.Details(device, "device_duration_ps", context));
  ClockDifference difference;
  if (own->rows.count == 0) return difference;
  const Process& process = store.processes[device.value];
  std::vector<int64_t> off_ps(process.labels.count);
  DetailCursor cursor(*own);
  for (uint32_t k = 0; k < process.lanes.count; ++k) {
    const Lane& lane = store.lanes[process.lanes.first + k];
    if (lane.measures != Measures::accelerator_time) continue;
    for (uint32_t i = 0; i < lane.rows.count; ++i) {
      if (i % kPollRows == 0) TFPROF_TRY(Poll(context));
      const uint32_t row = lane.rows.first + i;
      if (!chosen.Takes(row)) continue;
      const int64_t traced_ps = store.events.duration_ps[row], told_ps = cursor.Integer(row);
      const int64_t own_ps = told_ps == kNoInt ? traced_ps : std::max<int64_t>(0, told_ps);
      int64_t& off = off_ps[store.events.label[row].value - process.labels.first];
      off = SaturatingAdd(off, SaturatingAdd(own_ps, -traced_ps));
      difference.own_ps = SaturatingAdd(difference.own_ps, own_ps);
    }
  }
  for (const int64_t off : off_ps) {
    difference.off_ps = SaturatingAdd(difference.off_ps, off < 0 ? -off : off);
  }
  return difference;
}

}  // namespace tfprof
