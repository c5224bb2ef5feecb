// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/programs.h"
#include "analysis/steps/step_selection.h"
#include "analysis/steps/times.h"
#include "core/base/arith.h"
#include "core/report/changes.h"
#include "core/store/note_catalogue.h"
#include "core/store/store.h"
#include "core/text/units.h"
#include "views/columns/fill_columns.h"
#include "views/columns/properties.h"
#include "views/diff/compared_nodes.h"
#include "views/diff/compared_tables.h"
#include "views/diff/devices.h"
#include "views/diff/instructions.h"
#include "views/diff/judging.h"
#include "views/diff/samples.h"
#include "views/diff/verdict.h"

namespace tfprof {
namespace {

// Counts the rows without a change. If all are such, readers would have to check each.
void CountUnchanged(Report* report) {
  int64_t rows = 0, same = 0;
  for (const Table& table : report->tables) {
    const ReportColumn* status = table.Find("status");
    if (status == nullptr) continue;
    rows += static_cast<int64_t>(table.rows);
    same += std::ranges::count(status->texts, kSame);
  }
  AddIntegerProperty({"unchanged_rows"}, same, Unit::count, report);
  if (rows == 0 || same < rows) return;
  AddTextProperty({"", "change"},
                  "none: " + Counted(rows, "row") + ", equal in every compared measure", report);
}

// ---- steps -------------------------------------------------------------------------------------

// Makes the one-row table of the mean steps.
Table StepTable(const StepMeans& steps) {
  const int64_t before_ps = steps.before_ps, after_ps = steps.after_ps;
  Table table = MakeTable(StepChangesDef(), 1);
  const bool both = before_ps != kNoInt && after_ps != kNoInt;
  const int64_t change_ps = both ? after_ps - before_ps : kNoInt;
  const double share = both && before_ps != 0
                           ? static_cast<double>(change_ps) / static_cast<double>(before_ps)
                           : kNoReal;
  const auto add = [&](std::string_view id, auto value) {
    Fill(table, id, std::array{value}, [](auto cell) { return cell; });
  };
  add("base_duration_us", before_ps);
  add("duration_us", after_ps);
  add("change_duration_us", change_ps);
  add("change_duration_us_pct", share);
  if (std::isnan(steps.p)) return table;
  add("p_value", steps.p);
  add("significance", SignificanceOf(steps.p));
  return table;
}

// The operations of a damaged program run under the names of their kernels.
Result<void> NotePrograms(Comparison* sides, Report* report, Context& context) {
  for (const Side* side : {&sides->before, &sides->after}) {
    if (side->store->modules.empty()) continue;
    TFPROF_ASSIGN(const auto programs, side->indexes.Get<CompiledPrograms>(context));
    report->notes.insert(report->notes.end(), programs->notes.begin(), programs->notes.end());
    sides->damaged_programs += programs->damaged;
  }
  if (sides->damaged_programs == 0) return {};
  report->notes.push_back({note::damaged_programs_compared, sides->damaged_programs, "", kNoInt});
  return {};
}

// Says once what the steps of either trace are inferred from.
Result<void> NoteInferredSteps(const Comparison& sides, Report* report, Context& context) {
  std::set<std::string> known;
  for (const Side* side : {&sides.before, &sides.after}) {
    if (!side->store->IsTrace()) continue;
    TFPROF_ASSIGN(const auto hosts,
                  side->indexes.Get<AllSteps>(StepBasisOf(side->query.place), context));
    const std::string from(InferredFrom(*hosts));
    if (from.empty() || !known.insert(from).second) continue;
    report->notes.push_back({note::With(note::steps_inferred, {from}), 1, "", kNoInt});
  }
  return {};
}

// Names of nodes that stand for types on one side alone are in no row of the other.
void NoteNamesAsTypes(const Comparison& sides, Report* report) {
  std::vector<const Note*> found;
  for (const Side* side : {&sides.before, &sides.after}) {
    for (const Note& one : side->store->notes) {
      if (one.what.row == &note::names_as_types) found.push_back(&one);
    }
  }
  if (found.size() == 1) report->notes.push_back(*found.front());
}

// Values of one side are sums over the steps of its divisor: those of both become sums over a
// common multiple.
void ScaleSides(const Divisors& divisors, Comparison* sides) {
  const auto scale_of = [](const Side& side) { return ScaleOf(*side.store, side.query.place); };
  const MeasureScale before = scale_of(sides->before), after = scale_of(sides->after);
  const int64_t per_us = std::max(before.TimesPerUs(), after.TimesPerUs());
  sides->scale = before.TimesPerUs() == per_us ? before : after;
  sides->scale_before.times_per_us = sides->scale_after.times_per_us = per_us;
  sides->scale.divisor = 1;
  if (!before.exact) {
    sides->scale_before.divide = divisors.before;
    sides->scale_after.divide = divisors.after;
    return;
  }
  const int64_t by_before = std::max(before.divisor, divisors.before);
  const int64_t by_after = std::max(after.divisor, divisors.after);
  sides->scale.divisor = std::lcm(by_before, by_after);
  sides->scale_before.multiply = sides->scale.divisor / by_before;
  sides->scale_after.multiply = sides->scale.divisor / by_after;
}

}  // namespace

// Pairs the rows of `query.view` on both sides by name (code: by the frames down to it). Values are
// totals of a row per step: sums of traces, which cover all of it, are divided as
// FindDivisors says.
Result<Report> Diff(const StorePtr& store, const Indexes& indexes, const Query& user_query,
                    Context& context) {
  Query query = user_query;
  query.place.whole_us = query.place.exact && query.diff.base != nullptr &&
                         ResolveDifferently(*query.diff.base, *store);
  TFPROF_ASSIGN(const std::vector<DiffLimit> limits, LimitsOf(query));
  const StorePtr base = query.diff.base != nullptr ? query.diff.base : store;
  const Indexes base_indexes(base);
  const Query now = QueryOfThis(query);
  Comparison sides{{base, query.diff.base != nullptr ? base_indexes : indexes, query},
                   {store, indexes, now}};
  sides.over_other_places = DescribePlaceDifference(*base, *store, query.place);
  TFPROF_TRY(CheckStep(*base, sides.before.indexes, query.place, "in the base", context));
  TFPROF_TRY(CheckStep(*store, indexes, now.place, "in this profile", context));
  Report report;
  report.view = "diff";
  report.store = store;
  NoteOtherDevices(*base, *store, query.place, &report);
  TFPROF_TRY(NotePrograms(&sides, &report, context));
  TFPROF_ASSIGN(const Divisors divisors, FindDivisors(sides.before, sides.after, context));
  if (!divisors.text.empty()) {
    const NoteRow& what = divisors.are_runs ? note::divided_by_runs : note::divided_by_steps;
    report.notes.push_back({note::With(what, {divisors.text}), 1, "", kNoInt});
  }
  ScaleSides(divisors, &sides);
  TFPROF_ASSIGN(const StepMeans steps, MeansOfSteps(sides.before, sides.after, context));
  TFPROF_TRY(NoteInferredSteps(sides, &report, context));
  const bool of_programs = ComparesInstructions(sides.before, sides.after);
  const std::string view = !query.view.empty() ? query.view : of_programs ? "hlo" : "op";
  if (view == "op") NoteNamesAsTypes(sides, &report);
  if (view == "hlo" && of_programs) {
    TFPROF_TRY(AddInstructionChanges(sides.before, sides.after, &report, context));
  } else if (ComparesTables(view)) {
    TFPROF_TRY(AddComparedTables(view, sides.before, sides.after, divisors, &report, context));
  } else {
    TFPROF_TRY(CompareNodes(view, sides, &report, context));
  }
  CountUnchanged(&report);
  TFPROF_TRY(Poll(context));
  if (steps.before_ps != kNoInt || steps.after_ps != kNoInt) {
    report.tables.push_back(StepTable(steps));
  }
  TFPROF_TRY(JudgeLimits(limits, sides, steps, &report, context));
  const bool steps_alike = (steps.before_ps == kNoInt) == (steps.after_ps == kNoInt);
  const bool comparable =
      steps_alike && sides.over_other_places.empty() && sides.damaged_programs == 0;
  AddVerdict(steps, comparable, &report);
  return report;
}

TableDefs DiffTables() { return {&NodeChangesDef(), &StepChangesDef(), &kInstructionChangesTable}; }

}  // namespace tfprof
