// SPDX-License-Identifier: Apache-2.0
#include "views/diff/side.h"

#include <algorithm>
#include <string>
#include <utility>

#include "analysis/runs/program_runs.h"
#include "analysis/steps/step_table.h"
#include "analysis/trace_nodes/trace_nodes.h"
#include "core/base/context.h"
#include "core/store/store.h"
#include "views/view.h"

namespace tfprof {
namespace {

// Selects all rows of a side: -where, -n and similar options pick rows of the answer.
Query QueryOfSide(const Query& query) {
  Query side = query;
  side.display.where = {};
  side.rows_by = RowsBy::each;
  side.display.order_by = OrderBy::name;
  side.display.order_column.clear();
  side.display.columns.clear();
  side.display.further.clear();
  side.display.rows = -1;
  side.diff.base.reset();
  return side;
}

// Returns the keys that pair rows of both sides: names, or for frames the path of names to the row.
std::vector<std::string> KeysOf(const Table& table, const ReportColumn& names, bool by_path) {
  std::vector<std::string> keys(table.rows);
  for (size_t row = 0; row < table.rows; ++row) {
    const bool below = by_path && table.tree && table.parent[row] != Table::kNoRow;
    if (below) keys[row] = keys[table.parent[row]] + "\n";
    keys[row] += names.texts[row];
  }
  return keys;
}

// Makes values of both sides comparable: times in the same unit, sums over steps as multiples of
// the same quotient.
MeasureValues Scaled(MeasureValues values, const MeasureScale& of, const SideScale& to) {
  bool clamped = false;
  for (const MeasureInfo& info : AllMeasures()) {
    int64_t& value = At(values, info.measure);
    if (value == kNoInt) continue;
    const int64_t unit = IsTime(info.measure) ? to.times_per_us / of.TimesPerUs() : 1;
    const int64_t by = IsOfGraph(info.measure) ? 1 : to.multiply;
    value = SaturatingMul(value, SaturatingMul(unit, by, &clamped), &clamped);
  }
  return values;
}

void AddTo(const MeasureValues& more, MeasureValues* sum) {
  for (size_t i = 0; i < kMeasures; ++i) {
    int64_t& value = (*sum)[i];
    if (more[i] != kNoInt) value = value == kNoInt ? more[i] : SaturatingAdd(value, more[i]);
  }
}

MeasureValues Divided(MeasureValues values, int64_t by) {
  if (by <= 1) return values;
  for (size_t i = 0; i < kMeasures; ++i) {
    if (values[i] != kNoInt && !IsOfGraph(static_cast<Measure>(i))) values[i] /= by;
  }
  return values;
}

// Returns the number of a trace's steps that -step selects; 0: none, or not a trace.
Result<int64_t> StepsToDivideBy(const Side& side, StepBasis basis, Context& context) {
  if (!LacksNodes(*side.store)) return 0;
  TFPROF_ASSIGN(const auto hosts, side.indexes.Get<AllSteps>(basis, context));
  int64_t max = 0;
  for (const HostSteps& host : *hosts) {
    const auto selected = std::ranges::count_if(
        host.steps, [&](const StepTime& step) { return side.query.place.TakesStep(step.number); });
    max = std::max(max, static_cast<int64_t>(selected));
  }
  return max;
}

// Returns the executions of the trace's main program; 0: none is known, or not a trace.
Result<int64_t> RunsToDivideBy(const Side& side, Context& context) {
  if (!side.store->IsTrace()) return 0;
  TFPROF_ASSIGN(const auto runs, side.indexes.Get<ProgramRuns>(side.query.place, context));
  const auto main = std::ranges::max_element(*runs, {}, &ProgramRun::sum_ps);
  return main == runs->end() ? 0 : std::max<int64_t>(0, main->runs);
}

enum class DividedBy : uint8_t { marked_steps, runs, inferred_steps };

Result<int64_t> CountOf(const Side& side, DividedBy by, Context& context) {
  switch (by) {
    case DividedBy::marked_steps: return StepsToDivideBy(side, StepBasis::recorded, context);
    case DividedBy::runs: return RunsToDivideBy(side, context);
    case DividedBy::inferred_steps:
      return StepsToDivideBy(side, StepBasisOf(side.query.place), context);
  }
  return 0;
}

std::string OfBoth(int64_t of_base, int64_t of_this) {
  std::string text = of_base > 0 ? std::to_string(of_base) + " of the base" : "";
  if (of_this == 0) return text;
  return text + (text.empty() ? "" : ", ") + std::to_string(of_this) + " of this profile";
}

}  // namespace

Result<SideRows> RowsOfSide(const Side& side, std::string_view view, const SideScale& scale,
                            Context& context) {
  const View& question = *FindView(view);
  Query query = QueryOfSide(side.query);
  if (!question.tree) query.tree.max_depth = TreeFilter::kAnyDepth;
  SideRows found;
  found.total.fill(kNoInt);
  TFPROF_ASSIGN(found.report, question.make(side.store, side.indexes, query, context));
  const Table& table = found.report.tables.front();
  const ReportColumn* names = table.Find("name");
  if (names == nullptr || table.PrintedRows() == 0) return found;
  const std::vector<std::string> keys = KeysOf(table, *names, view == "code");
  for (size_t row = 0; row < table.rows; ++row) {
    if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    // The inclusive time of a row of a list contains that of other rows.
    const auto& own = table.tree ? table.total_values : table.self_values;
    const MeasureValues values = Divided(Scaled(own[row], found.report.scale, scale), scale.divide);
    if (!table.tree || row == 0) AddTo(values, &found.total);
    if (table.tree && row == 0) continue;
    found.rows.try_emplace(keys[row], SideRow{names->texts[row], values});
  }
  return found;
}

Result<Divisors> FindDivisors(const Side& before, const Side& after, Context& context) {
  for (const auto by : {DividedBy::marked_steps, DividedBy::runs, DividedBy::inferred_steps}) {
    TFPROF_ASSIGN(const int64_t of_base, CountOf(before, by, context));
    TFPROF_ASSIGN(const int64_t of_this, CountOf(after, by, context));
    const bool one_suffices = by == DividedBy::marked_steps;
    if (std::max(of_base, of_this) == 0) continue;
    if (std::min(of_base, of_this) == 0 && !one_suffices) continue;
    return Divisors{std::max<int64_t>(1, of_base), std::max<int64_t>(1, of_this),
                    by == DividedBy::runs, OfBoth(of_base, of_this)};
  }
  return Divisors();
}

bool ResolveDifferently(const Store& a, const Store& b) {
  const auto rounds_up = [](const Store& store) {
    return std::ranges::any_of(store.sources, &Source::rounds_up);
  };
  if (a.events.label.empty() || b.events.label.empty()) return false;
  return !a.IsTrace() && !b.IsTrace() &&
         (a.has_nanoseconds != b.has_nanoseconds || rounds_up(a) != rounds_up(b));
}

Query QueryOfThis(const Query& query) {
  Query of_this = query;
  if (query.diff.with_step < 0) return of_this;
  of_this.place.step = query.diff.with_step;
  of_this.place.last_step = query.diff.with_last_step;
  return of_this;
}

Result<std::vector<StepRow>> StepsOfSide(const Side& side, Context& context) {
  const PlaceFilter& place = side.query.place;
  const bool wall_time = place.exact && side.store->IsTrace();
  TFPROF_ASSIGN(
      std::vector<StepRow> steps,
      StepsOf(*side.store, side.indexes,
              {.exact = place.whole_us || wall_time, .whole_us = place.whole_us}, context));
  if (wall_time) LastUntilNext(&steps);
  std::erase_if(steps, [&](const StepRow& step) { return !place.TakesStep(step.number); });
  return steps;
}

}  // namespace tfprof
