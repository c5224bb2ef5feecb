// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/context.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "core/report/table_def.h"
#include "views/diff/side.h"

// The values of rows in single steps: whether a change is larger than the spread of the steps.

namespace tfprof {

// A change with a larger p is noise.
inline constexpr double kSignificantP = 0.05;
// Each step costs an answer of the view; with 8 of each side, p is exact and may be as low as
// 0.0002.
inline constexpr size_t kMostSampledSteps = 8;

// Values of the rows of one side by step.
class Samples {
 public:
  explicit Samples(size_t steps = 0) : steps_(steps) {}

  // A row without a value in a step did not run there: its value is 0.
  void Add(size_t step, std::string_view row, double value);
  // Null: the row has no values.
  const std::vector<double>* Of(std::string_view row) const;

 private:
  size_t steps_;
  std::map<std::string, std::vector<double>, std::less<>> of_row_;
};

// The steps to sample: the selected ones, or as many of them as are sampled, evenly chosen.
struct SampledSteps {
  std::vector<int64_t> before, after;  // both empty: a side has too few
};
Result<SampledSteps> StepsToSample(const Side& before, const Side& after, Context& context);

struct SamplesOfBoth {
  Samples before, after;
  bool any = false;

  explicit SamplesOfBoth(const SampledSteps& steps)
      : before(steps.before.size()), after(steps.after.size()), any(!steps.before.empty()) {}

  Samples& Of(bool base) { return base ? before : after; }
  // The p of the test by Mann and Whitney (views/diff/mann_whitney.h); NaN: too few steps, or one
  // side lacks the row.
  double PValue(std::string_view row) const;
};

// Calls take(side, is_base, index) -> Result<void> with each side in each of its steps.
template <class Take>
Result<void> InEachStep(const SampledSteps& steps, const Side& before, const Side& after,
                        const Take& take, Context& context) {
  for (const bool is_base : {true, false}) {
    const Side& side = is_base ? before : after;
    const std::vector<int64_t>& numbers = is_base ? steps.before : steps.after;
    for (size_t i = 0; i < numbers.size(); ++i) {
      TFPROF_TRY(Poll(context));
      Query query = side.query;
      query.place.step = numbers[i];
      query.place.last_step = -1;
      query.place.sum_steps = false;
      TFPROF_TRY(take(Side{side.store, side.indexes, query}, is_base, i));
    }
  }
  return {};
}

// The duration of each step in ps, the mean over its hosts; of those that have a time.
using StepDurations = std::map<int64_t, double>;
StepDurations DurationsOf(const std::vector<StepRow>& steps);

// Samples one measure of the rows of scope, graph, op or code, by the keys of RowsOfSide.
Result<SamplesOfBoth> SampleNodes(std::string_view view, Measure measure, const Side& before,
                                  const Side& after, Context& context);

// The row of the sum over all rows; no other row has this name.
inline constexpr std::string_view kTotalKey = "\n(total)";

inline constexpr ColumnDef kPValueDef =
    RealDef("p_value", "p", Unit::none,
            "Probability that single steps differ as much by chance: Mann-Whitney U test of the "
            "first measure in at least 4 steps of each profile.");
inline constexpr ColumnDef kSignificanceDef =
    TextDef("significance", "significance",
            "significant if p is less than 0.05, else noise; absent with fewer steps.");

// Returns "significant" or "noise"; null: p is absent.
std::string_view SignificanceOf(double p);

}  // namespace tfprof
