// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "analysis/intervals/span_statistics.h"
#include "analysis/steps/thresholds.h"
#include "analysis/steps/times.h"
#include "core/base/arith.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "views/columns/fill_columns.h"

namespace tfprof {

struct Outlier {
  std::string name;  // "step 3"
  double of_median_pct = 0;
};
void AddOutliers(std::vector<Outlier> outliers, size_t of_steps, Report* report);

// Adds notes on step times: that there are none and how to record them, hosts without steps, steps
// that not all hosts have, parts that are not measured on devices. `common`: number of steps in the
// answer; `has_parts`: the answer breaks them down.
void NoteSteps(const Store& store, const std::vector<HostSteps>& hosts, const PlaceFilter& place,
               size_t common, bool has_parts, Report* report);

// Adds step_mean_us, step_min_us, step_median_us, of many steps step_p95_us, and step_max_us;
// nothing if no step has a time.
void AddDurationStatistics(const SpanStatistics& spans, const Display& display, Report* report);

// Adds the property `id`, step_times_of or shares_of, beside the times under `head`. With steps of
// several hosts it says whose times those are: each step's slowest host, or all hosts.
enum class TimesOf : uint8_t { all_hosts, slowest_host };
void AddTimesOf(std::string_view id, TimesOf of, const std::vector<HostSteps>& hosts,
                std::string_view head, Report* report);

// Adds the property outliers: the steps that take longer than usual, by duration, descending;
// nothing if there are none. `rows`: structs with SpanPs() and Name(); spans_of(row): statistics of
// the steps that it belongs to.
template <class Rows, class SpansOf>
void AddOutliers(const Rows& rows, const SpansOf& spans_of, Report* report) {
  std::vector<Outlier> outliers;
  size_t placed = 0;
  for (const auto& row : rows) {
    const SpanStatistics& spans = spans_of(row);
    placed += row.SpanPs() != kNoInt;
    if (!spans.IsOutlier(row.SpanPs())) continue;
    outliers.push_back({row.Name(), spans.PercentOfMedian(row.SpanPs())});
  }
  AddOutliers(std::move(outliers), placed, report);
}

inline constexpr std::string_view kWallTimeMeaning =
    "From its start to that of the next step of its host; absent where none follows.";

// Fills the column `wall_us`; readers see it where much of that time lies between steps. step_of:
// returns the StepTime or StepRow of a row.
template <class Rows, class StepOf>
void FillWallTime(const Rows& rows, const StepOf& step_of, Table* table) {
  const auto has_gap = [&](const auto& row) {
    const int64_t wall_ps = step_of(row).wall_ps;
    if (wall_ps == kNoInt) return false;
    const auto gap_ps = static_cast<double>(std::abs(wall_ps - step_of(row).SpanPs()));
    return 100 * gap_ps >= kModerateGaps * static_cast<double>(wall_ps);
  };
  Fill(*table, "wall_us", rows, [&](const auto& row) {
    return step_of(row).wall_ps;
  }).spec.human_readable = std::ranges::any_of(rows, has_gap);
}

// Fills the column `of_median_pct` after `duration_us`.
template <class Rows, class SpansOf>
void AddOfMedian(const Rows& rows, const SpansOf& spans_of, Table* table) {
  Fill(*table, "of_median_pct", rows, [&](const auto& row) {
    return spans_of(row).PercentOfMedian(row.SpanPs());
  }).spec.human_readable = rows.size() > 2;
}

}  // namespace tfprof
