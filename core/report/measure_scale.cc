// SPDX-License-Identifier: Apache-2.0
#include "core/report/measure_scale.h"

#include <algorithm>

namespace tfprof {
namespace {

struct ScaledMin {
  int64_t TreeFilter::*min;
  Measure measure;
};
constexpr ScaledMin kScaledMins[] = {
    {&TreeFilter::min_bytes, Measure::bytes},
    {&TreeFilter::min_peak_bytes, Measure::peak_bytes},
    {&TreeFilter::min_residual_bytes, Measure::residual_bytes},
    {&TreeFilter::min_output_bytes, Measure::output_bytes},
    {&TreeFilter::min_micros, Measure::micros},
    {&TreeFilter::min_accelerator_micros, Measure::accelerator_micros},
    {&TreeFilter::min_cpu_micros, Measure::cpu_micros},
    {&TreeFilter::min_params, Measure::params},
    {&TreeFilter::min_float_ops, Measure::float_ops},
    {&TreeFilter::min_occurrence, Measure::run_count},
};

}  // namespace

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
  for (const ScaledMin& one : kScaledMins) {
    const int64_t unit = IsTime(one.measure) ? scale.TimesPerUs() : 1;
    const int64_t by = SaturatingMul(unit, scale.DivisorOf(one.measure), &clamped);
    int64_t& min = scaled.*one.min;
    if (min != kNoInt && by > 1) min = SaturatingMul(min, by, &clamped);
  }
  return scaled;
}

}  // namespace tfprof
