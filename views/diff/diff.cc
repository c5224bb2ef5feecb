// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "analysis/nodes/code_tree.h"
#include "analysis/programs.h"
#include "analysis/steps/step_selection.h"
#include "core/base/arith.h"
#include "core/base/kept_texts.h"
#include "core/base/units.h"
#include "core/store/note_catalogue.h"
#include "core/store/store.h"
#include "views/columns/fill_columns.h"
#include "views/columns/measure_rows.h"
#include "views/columns/properties.h"
#include "views/diff/compared_tables.h"
#include "views/diff/devices.h"
#include "views/diff/judging.h"

namespace tfprof {
namespace {

struct Pair {
  std::string_view name;
  const SideRow* before = nullptr;  // null: absent
  const SideRow* after = nullptr;

  int64_t Before(Measure m) const { return before == nullptr ? kNoInt : At(before->values, m); }
  int64_t After(Measure m) const { return after == nullptr ? kNoInt : At(after->values, m); }
  // kNoInt: measured on neither side.
  int64_t Change(Measure m) const {
    if (Before(m) == kNoInt && After(m) == kNoInt) return kNoInt;
    return SaturatingAdd(After(m) == kNoInt ? 0 : After(m), Before(m) == kNoInt ? 0 : -Before(m));
  }
  double Share(Measure m) const {
    if (Before(m) == kNoInt || Before(m) == 0 || Change(m) == kNoInt) {
      return kNoReal;
    }
    return static_cast<double>(Change(m)) / static_cast<double>(Before(m));
  }
};

Result<std::vector<Pair>> Paired(const SideRows& before, const SideRows& after, Context& context) {
  std::vector<Pair> pairs;
  auto left = before.rows.begin();
  auto right = after.rows.begin();
  while (left != before.rows.end() || right != after.rows.end()) {
    if (pairs.size() % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const bool takes_left =
        right == after.rows.end() || (left != before.rows.end() && left->first <= right->first);
    const bool takes_right =
        left == before.rows.end() || (right != after.rows.end() && right->first <= left->first);
    Pair pair;
    if (takes_left) pair.before = &(left++)->second, pair.name = pair.before->name;
    if (takes_right) pair.after = &(right++)->second, pair.name = pair.after->name;
    pairs.push_back(pair);
  }
  return pairs;
}

std::vector<Measure> SelectedMeasures(const Display& display) {
  std::vector<Measure> measures;
  for (const Attribute attribute : display.select) {
    if (Info(attribute).measures > 0) measures.push_back(Info(attribute).first_measure);
  }
  return measures;
}

// The compared measures. Change and Share are absent if only one side, or neither, has the measure.
struct Compared {
  const std::vector<Measure>& measures;
  const SideMeasures& sides_have;

  bool Both(Measure measure) const { return !sides_have.OneAlone(measure); }
  int64_t Change(const Pair& pair, Measure m) const { return Both(m) ? pair.Change(m) : kNoInt; }
  double Share(const Pair& pair, Measure m) const { return Both(m) ? pair.Share(m) : kNoReal; }
};

// Returns null if one side lacks all compared measures.
std::string_view Status(const Pair& pair, const Compared& by) {
  const std::vector<Measure>& measures = by.measures;
  const auto both = [&](Measure m) { return by.Both(m); };
  if (!measures.empty() && std::none_of(measures.begin(), measures.end(), both)) return {};
  if (pair.before == nullptr) return "new";
  if (pair.after == nullptr) return "gone";
  // Absent equals 0: formats differ in what they tell apart.
  const bool same = std::ranges::all_of(measures, [&](Measure m) {
    return !by.Both(m) || ZeroIfAbsent(pair.Before(m)) == ZeroIfAbsent(pair.After(m));
  });
  return same ? "same" : "changed";
}

struct Compare {
  std::string id, original;  // of X; the former ids start with it
  std::string title;         // empty: the table compares only this
  Unit unit;
};

// Adds the columns of X: base_X, X, change_X and its share.
void Declare(const Compare& x, TextPool* texts, std::vector<ColumnDef>* columns) {
  const auto keep = [&](std::string text) { return texts->Keep(std::move(text)); };
  const std::string blank = x.title.empty() ? "" : " ", head = x.title + blank;
  columns->push_back(
      IntegerDef(keep("base_" + x.id), keep("base" + blank + x.title), x.unit, "Value in the base.")
          .Was(keep(x.original + "_before")));
  columns->push_back(IntegerDef(keep(x.id), keep(head + "now"), x.unit, "Value in this profile.")
                         .Was(keep(x.original + "_after")));
  columns->push_back(IntegerDef(keep("change_" + x.id), keep(head + "change"), x.unit,
                                "This profile minus the base.")
                         .Was(keep(x.original + "_change")));
  columns->push_back(RealDef(keep("change_" + x.id + "_pct"), keep(head + "change %"),
                             Unit::fraction, "Change relative to the base.")
                         .Was(keep(x.original + "_percent")));
}

struct DiffDefs {
  TextPool texts;
  std::vector<ColumnDef> row_columns = {
      TextDef("name", "name", "Operation type, from either profile."),
      TextDef("status", "status",
              "new, gone, changed or same; absent where a profile lacks the measures.")};
  std::vector<ColumnDef> step_columns;
  TableDef rows, step;

  DiffDefs() {
    for (const MeasureInfo& info : AllMeasures()) {
      const Compare measure{std::string(info.column), std::string(info.id), std::string(info.title),
                            info.unit};
      Declare(measure, &texts, &row_columns);
    }
    Declare({"duration_us", "step", "", Unit::ps_as_us}, &texts, &step_columns);
    rows = {"rows", "", row_columns};
    step = {"step", "", step_columns};
  }
};

const DiffDefs& Defs() {
  static const DiffDefs tables;
  return tables;
}

void AddMeasure(Measure measure, const MeasureScale& scale, const std::vector<Pair>& pairs,
                const Compared& by, Table* table) {
  const MeasureInfo& info = Info(measure);
  const std::string id(info.column);
  const auto fill = [&](const std::string& column, const auto& cell) {
    Fill(*table, column, pairs, cell);
    if (table->columns.back().spec.type == CellType::integer)
      SetScale(scale, measure, &table->columns.back());
  };
  fill("base_" + id, [&](const Pair& p) { return p.Before(measure); });
  fill(id, [&](const Pair& p) { return p.After(measure); });
  fill("change_" + id, [&](const Pair& p) { return by.Change(p, measure); });
  fill("change_" + id + "_pct", [&](const Pair& p) { return by.Share(p, measure); });
}

// Rows without a counterpart sort by their own size.
Table DiffTable(const std::string& view, std::vector<Pair> pairs, const Compared& by,
                const Comparison& sides, TextPool* pool) {
  const auto size = [&](const Pair& pair) {
    const int64_t change = by.measures.empty() ? 0 : pair.Change(by.measures.front());
    return change == kNoInt ? -1.0 : std::abs(static_cast<double>(change));
  };
  std::ranges::stable_sort(pairs, [&](const Pair& a, const Pair& b) { return size(a) > size(b); });
  Table table = MakeTable(Defs().rows, pairs.size());
  table.name = view;
  Fill(table, "name", pairs, [&](const Pair& p) { return pool->Keep(std::string(p.name)); });
  Fill(table, "status", pairs, [&](const Pair& p) { return Status(p, by); });
  for (const Measure measure : by.measures) {
    AddMeasure(measure, sides.scale, pairs, by, &table);
  }
  return table;
}

// For readers, who would otherwise have to check all rows.
void NoteIfUnchanged(Report* report) {
  const std::vector<std::string_view>& statuses = report->tables.front().Find("status")->texts;
  const bool same = std::all_of(statuses.begin(), statuses.end(),
                                [](std::string_view status) { return status == "same"; });
  if (statuses.empty() || !same) return;
  AddTextProperty({"", "change"},
                  "none: " + Counted(static_cast<int64_t>(statuses.size()), "row") +
                      ", equal in every selected measure",
                  report);
}

// ---- steps -------------------------------------------------------------------------------------

// Makes the one-row table of mean step durations.
Table StepTable(int64_t before_ps, int64_t after_ps) {
  Table table = MakeTable(Defs().step, 1);
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
  return table;
}

// Code that could not be read on either side is not a difference.
Result<void> NoteUnreadCode(const Comparison& sides, Report* report, Context& context) {
  for (const Side* side : {&sides.before, &sides.after}) {
    TFPROF_ASSIGN(const auto code, side->indexes.Get<CodeTree>(context));
    const std::vector<Note>& notes = code->stacks.notes;
    report->notes.insert(report->notes.end(), notes.begin(), notes.end());
  }
  return {};
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

// Values of one side are sums over the steps of its divisor: those of both become sums over a
// common multiple. `steps`: of a trace that the values are sums over.
void ScaleSides(int64_t steps_before, int64_t steps_after, Comparison* sides) {
  const auto scale_of = [](const Side& side) { return ScaleOf(*side.store, side.query.place); };
  const MeasureScale before = scale_of(sides->before), after = scale_of(sides->after);
  const int64_t per_us = std::max(before.TimesPerUs(), after.TimesPerUs());
  sides->scale = before.TimesPerUs() == per_us ? before : after;
  sides->scale_before.times_per_us = sides->scale_after.times_per_us = per_us;
  sides->scale.divisor = 1;
  if (!before.exact) {
    sides->scale_before.divide = steps_before;
    sides->scale_after.divide = steps_after;
    return;
  }
  const int64_t by_before = std::max(before.divisor, steps_before);
  const int64_t by_after = std::max(after.divisor, steps_after);
  sides->scale.divisor = std::lcm(by_before, by_after);
  sides->scale_before.multiply = sides->scale.divisor / by_before;
  sides->scale_after.multiply = sides->scale.divisor / by_after;
}

// True if times have another resolution on the two sides: a saved profile keeps whole us.
bool ResolveDifferently(const Store& a, const Store& b) {
  const auto rounds_up = [](const Store& store) {
    return std::ranges::any_of(store.sources, &Source::rounds_up);
  };
  return !a.IsTrace() && !b.IsTrace() &&
         (a.has_nanoseconds != b.has_nanoseconds || rounds_up(a) != rounds_up(b));
}

Result<void> FindDivisors(Comparison* sides, Divisors* divisors, Report* report, Context& context) {
  TFPROF_ASSIGN(int64_t before, StepsToDivideBy(sides->before, context));
  TFPROF_ASSIGN(int64_t after, StepsToDivideBy(sides->after, context));
  const bool by_runs = before == 0 && after == 0;
  if (by_runs) {
    TFPROF_ASSIGN(before, RunsToDivideBy(sides->before, context));
    TFPROF_ASSIGN(after, RunsToDivideBy(sides->after, context));
    if (before == 0 || after == 0) before = after = 0;
  }
  ScaleSides(before, after, sides);
  *divisors = {std::max<int64_t>(1, before), std::max<int64_t>(1, after)};
  if (before == 0 && after == 0) return {};
  const auto display_text = [](int64_t of_base, int64_t of_this) {
    std::string text;
    if (of_base > 0) text = std::to_string(of_base) + " of the base";
    if (of_this > 0)
      text += (text.empty() ? "" : ", ") + std::to_string(of_this) + " of this profile";
    return text;
  };
  const NoteRow& what = by_runs ? note::divided_by_runs : note::divided_by_steps;
  report->notes.push_back({note::With(what, {display_text(before, after)}), 1, "", kNoInt});
  return {};
}

// The query of a side: with -with_step, the base is the step of -step.
Query QueryOfNow(const Query& query) {
  Query now = query;
  if (query.diff.with_step >= 0) now.place.step = query.diff.with_step, now.place.last_step = -1;
  return now;
}

// Compares rows of graph nodes.
Result<void> CompareNodes(const std::string& view, const Comparison& sides, Report* report,
                          Context& context) {
  TFPROF_ASSIGN(const SideRows before, RowsOfSide(sides.before, view, sides.scale_before, context));
  TFPROF_ASSIGN(const SideRows after, RowsOfSide(sides.after, view, sides.scale_after, context));
  if (view == "code") TFPROF_TRY(NoteUnreadCode(sides, report, context));
  const std::vector<Measure> measures = SelectedMeasures(sides.after.query.display);
  TFPROF_ASSIGN(const SideMeasures sides_have,
                FindSideMeasures(sides, view, before, after, context));
  NoteUnrecorded(sides_have, measures, report);
  TFPROF_ASSIGN(std::vector<Pair> pairs, Paired(before, after, context));
  report->tables.push_back(
      DiffTable(view, std::move(pairs), {measures, sides_have}, sides, report->pool.get()));
  NoteIfUnchanged(report);
  return {};
}

}  // namespace

// Pairs the rows of `query.view` on both sides by name (code: by the frames down to it). Values are
// totals of a row per step: sums of traces, which cover all of it, are divided by its steps;
// without steps, by the executions of its main program.
Result<Report> Diff(const StorePtr& store, const Indexes& indexes, const Query& user_query,
                    Context& context) {
  Query query = user_query;
  query.place.whole_us = query.place.exact && query.diff.base != nullptr &&
                         ResolveDifferently(*query.diff.base, *store);
  std::vector<DiffLimit> limits;
  for (const std::string& text : query.fail_if) {
    TFPROF_ASSIGN(DiffLimit limit, ParseLimit(text));
    limits.push_back(std::move(limit));
  }
  const StorePtr base = query.diff.base != nullptr ? query.diff.base : store;
  const Indexes base_indexes(base);
  const Query now = QueryOfNow(query);
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
  Divisors divisors;
  TFPROF_TRY(FindDivisors(&sides, &divisors, &report, context));
  TFPROF_ASSIGN(const int64_t before_ps, MeanStepPs(sides.before, context));
  TFPROF_ASSIGN(const int64_t after_ps, MeanStepPs(sides.after, context));

  const std::string view = query.view.empty() ? "op" : query.view;
  if (ComparesTables(view)) {
    TFPROF_TRY(AddComparedTables(view, sides.before, sides.after, divisors, &report, context));
  } else {
    TFPROF_TRY(CompareNodes(view, sides, &report, context));
  }
  TFPROF_TRY(Poll(context));
  if (before_ps != kNoInt || after_ps != kNoInt) {
    report.tables.push_back(StepTable(before_ps, after_ps));
  }
  TFPROF_TRY(JudgeLimits(limits, sides, {before_ps, after_ps}, &report, context));
  return report;
}

TableDefs DiffTables() { return {&Defs().rows, &Defs().step}; }

}  // namespace tfprof
