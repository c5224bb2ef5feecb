// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/device_clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "analysis/chosen_events.h"
#include "analysis/indexes.h"
#include "core/store/details.h"
#include "core/text/units.h"

namespace tfprof {
namespace {

constexpr double kMinNotedDifference = 1;  // percent

struct LabelClock {
  int64_t off_ps = 0;  // by the device's clock minus by the trace's clock
  int64_t own_ps = 0;
};

void AddUp(const std::vector<LabelClock>& labels, ClockDifference* sum) {
  for (const LabelClock& label : labels) {
    sum->off_ps = SaturatingAdd(sum->off_ps, std::abs(label.off_ps));
    sum->own_ps = SaturatingAdd(sum->own_ps, label.own_ps);
  }
  const double counts_ps = ClockDifference::kCounts * static_cast<double>(sum->own_ps);
  for (const LabelClock& label : labels) {
    const auto own_ps = static_cast<double>(label.own_ps);
    if (label.own_ps <= 0 || own_ps < counts_ps) continue;
    const double percent = 100 * std::abs(static_cast<double>(label.off_ps)) / own_ps;
    sum->max_percent = std::max(sum->max_percent, percent);
  }
}

}  // namespace

void ClockDifference::Add(const ClockDifference& other) {
  off_ps = SaturatingAdd(off_ps, other.off_ps);
  own_ps = SaturatingAdd(own_ps, other.own_ps);
  max_percent = std::max(max_percent, other.max_percent);
}

double ClockDifference::Percent() const {
  return own_ps > 0 ? 100 * static_cast<double>(off_ps) / static_cast<double>(own_ps) : 0;
}

bool ClockDifference::DeservesNote() const { return Percent() >= kMinNotedDifference; }

std::string ClockDifference::DisplayText() const {
  return fmt::format(
      "differ by {} in total and by up to {} for single operations (those with {:g}% of the time "
      "or more)",
      PercentText(Percent()), PercentText(max_percent), 100 * kCounts);
}

Result<ClockDifference> CompareClocks(const Store& store, const Indexes& indexes, ProcessId device,
                                      const ChosenEvents& chosen, Context& context) {
  TFPROF_ASSIGN(const auto own, indexes.Details(device, AttributeKey::own_duration_ps, context));
  ClockDifference difference;
  if (own->rows.count == 0) return difference;
  const Process& process = store.processes[device.value];
  std::vector<LabelClock> labels(process.labels.count);
  DetailCursor cursor(*own);
  for (uint32_t k = 0; k < process.lanes.count; ++k) {
    const Lane& lane = store.lanes[process.lanes.first + k];
    if (lane.measures != Measures::accelerator_time) continue;
    for (uint32_t i = 0; i < lane.rows.count; ++i) {
      if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
      const uint32_t row = lane.rows.first + i;
      if (!chosen.Takes(row)) continue;
      const int64_t traced_ps = store.events.duration_ps[row],
                    recorded_until_ps = cursor.Integer(row);
      const int64_t own_ps =
          recorded_until_ps == kNoInt ? traced_ps : std::max<int64_t>(0, recorded_until_ps);
      LabelClock& label = labels[store.events.label[row].value - process.labels.first];
      label.off_ps = SaturatingAdd(label.off_ps, SaturatingAdd(own_ps, -traced_ps));
      label.own_ps = SaturatingAdd(label.own_ps, own_ps);
    }
  }
  AddUp(labels, &difference);
  return difference;
}

}  // namespace tfprof
