// SPDX-License-Identifier: Apache-2.0
#include "core/report/measure_scale.h"

#include <algorithm>

namespace tfprof {
MeasureScale ScaleOf(const Store& store, const PlaceFilter& place) {
  MeasureScale scale;
  scale.exact = place.exact;
  scale.time = place.exact || store.IsTrace() ? Unit::ps_as_us : Unit::us;
  scale.steps = std::ranges::count_if(
      store.steps, [&](const Step& step) { return place.TakesStep(step.number); });
  if (place.exact && !place.sum_steps) scale.divisor = std::max<int64_t>(1, scale.steps);
  return scale;
}

TreeFilter Scaled(const TreeFilter& tree, const MeasureScale& scale) {
  TreeFilter scaled = tree;
  bool clamped = false;
  for (const MinOption& one : kMinOptions) {
    const int64_t unit = IsTime(one.measure) ? scale.TimesPerUs() : 1;
    const int64_t by = SaturatingMul(unit, scale.DivisorOf(one.measure), &clamped);
    int64_t& min = scaled.*one.min;
    if (min != kNoInt && by > 1) min = SaturatingMul(min, by, &clamped);
  }
  return scaled;
}

}  // namespace tfprof
