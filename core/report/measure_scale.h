// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "core/base/attributes.h"
#include "core/query/query.h"
#include "core/store/store.h"

namespace tfprof {

// True for properties of the graph, which are no sums over steps.
constexpr bool IsOfGraph(Measure measure) {
  return measure == Measure::params || measure == Measure::definition_count ||
         measure == Measure::node_count;
}

// What the integers of the measures of graph nodes mean. Exact: sums over the selected steps, times
// in ps; every row has the same divisor, so rows add up to the total, and only the printed number
// is rounded. By the original's rules: each node has its average in whole us; a trace has ps.
struct MeasureScale {
  bool exact = false;
  int64_t steps = 0;    // selected steps of the profile
  int64_t divisor = 1;  // of sums over steps: printed values are means
  Unit time = Unit::us;
  bool accelerated = false;  // exact times of rows are those of accelerators

  int64_t TimesPerUs() const { return time == Unit::us ? 1 : kPsPerUs; }
  Unit UnitOf(Measure measure) const { return IsTime(measure) ? time : Info(measure).unit; }
  int64_t DivisorOf(Measure measure) const { return IsOfGraph(measure) ? 1 : divisor; }
  // True if answers with this scale show the measure.
  bool Offers(Measure measure) const { return exact || measure != Measure::node_count; }
  // A value of a measure as it is printed, in its unit; times in us.
  double Printed(Measure measure, int64_t value) const {
    const int64_t unit = IsTime(measure) ? TimesPerUs() : 1;
    return static_cast<double>(value) / static_cast<double>(unit) /
           static_cast<double>(DivisorOf(measure));
  }
};

MeasureScale ScaleOf(const Store& store, const PlaceFilter& place);

// Returns the thresholds of the printed values as thresholds of the integers.
TreeFilter Scaled(const TreeFilter& tree, const MeasureScale& scale);

}  // namespace tfprof
