// SPDX-License-Identifier: Apache-2.0
#include "views/diff/compared_nodes.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "analysis/nodes/code_tree.h"
#include "core/base/arith.h"
#include "core/base/context.h"
#include "core/base/sorting.h"
#include "core/report/changes.h"
#include "core/report/table_def.h"
#include "core/text/kept_texts.h"
#include "views/columns/fill_columns.h"
#include "views/columns/measure_rows.h"
#include "views/diff/compared_tables.h"
#include "views/diff/samples.h"
#include "views/view.h"

namespace tfprof {
namespace {

struct Pair {
  std::string_view key, name;
  const MeasureValues* before = nullptr;  // null: absent
  const MeasureValues* after = nullptr;
  double p = kNoReal;  // of the first measure

  int64_t Before(Measure m) const { return before == nullptr ? kNoInt : At(*before, m); }
  int64_t After(Measure m) const { return after == nullptr ? kNoInt : At(*after, m); }
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
    const auto take = [&pair](auto& row, const MeasureValues** values) {
      *values = &row->second.values;
      pair.key = row->first;
      pair.name = (row++)->second.name;
    };
    if (takes_left) take(left, &pair.before);
    if (takes_right) take(right, &pair.after);
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
  if (pair.before == nullptr) return kNew;
  if (pair.after == nullptr) return kGone;
  // Absent equals 0: formats differ in what they tell apart.
  const bool same = std::ranges::all_of(measures, [&](Measure m) {
    return !by.Both(m) || ZeroIfAbsent(pair.Before(m)) == ZeroIfAbsent(pair.After(m));
  });
  return same ? kSame : kChanged;
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
    for (std::vector<ColumnDef>* columns : {&row_columns, &step_columns}) {
      columns->push_back(kPValueDef);
      columns->push_back(kSignificanceDef);
    }
    rows = {"rows", "", row_columns};
    step = {"step", "", step_columns};
  }
};

const DiffDefs& Defs() {
  static const DiffDefs tables;
  return tables;
}

double AsReal(int64_t value) { return value == kNoInt ? kNoReal : static_cast<double>(value); }

// Adds the columns of a measure, with the total of each side.
void AddMeasure(Measure measure, const MeasureScale& scale, const std::vector<Pair>& pairs,
                const Pair& total, const Compared& by, bool adds_up, Table* table, Report* report) {
  const MeasureInfo& info = Info(measure);
  const std::string id(info.column);
  const auto fill = [&](const std::string& column, const auto& cell) {
    Fill(*table, column, pairs, cell);
    ReportColumn& filled = table->columns.back();
    if constexpr (std::is_floating_point_v<decltype(cell(total))>) {
      filled.total = cell(total);
    } else {
      SetScale(scale, measure, &filled);
      filled.total = AsReal(cell(total));
      filled.adds_up = adds_up;
    }
    AddTotalOf(filled, report);
  };
  fill("base_" + id, [&](const Pair& p) { return p.Before(measure); });
  fill(id, [&](const Pair& p) { return p.After(measure); });
  fill("change_" + id, [&](const Pair& p) { return by.Change(p, measure); });
  fill("change_" + id + "_pct", [&](const Pair& p) { return by.Share(p, measure); });
}

// Rows by the size of their change; those without a counterpart by their own size; those without
// any change are last.
void Sort(const Compared& by, std::vector<Pair>* pairs) {
  const auto size = [&](const Pair& pair) {
    if (Status(pair, by) == kSame) return -2.0;
    const int64_t change = by.measures.empty() ? 0 : pair.Change(by.measures.front());
    return change == kNoInt ? -1.0 : std::abs(static_cast<double>(change));
  };
  StableSort(*pairs, [&](const Pair& a, const Pair& b) { return size(a) > size(b); });
}

// Sets the p of the first measure, if both sides have enough steps. Returns false if no row has
// one.
Result<bool> SetPValues(const std::string& view, const Compared& by, const Comparison& sides,
                        Pair* total, std::vector<Pair>* pairs, Context& context) {
  if (by.measures.empty() || !by.Both(by.measures[0]) || IsOfGraph(by.measures[0])) return false;
  TFPROF_ASSIGN(const SamplesOfBoth samples,
                SampleNodes(view, by.measures[0], sides.before, sides.after, context));
  for (Pair& pair : *pairs) {
    if (Status(pair, by) != kSame) pair.p = samples.PValue(pair.key);
  }
  total->p = samples.PValue(total->key);
  return std::ranges::any_of(*pairs, [](const Pair& pair) { return !std::isnan(pair.p); });
}

Table DiffTable(const std::string& view, const std::vector<Pair>& pairs, const Pair& total,
                const Compared& by, bool sampled, const Comparison& sides, Report* report) {
  Table table = MakeTable(Defs().rows, pairs.size());
  table.name = view;
  Fill(table, "name", pairs,
       [&](const Pair& p) { return report->pool->Keep(std::string(p.name)); });
  Fill(table, "status", pairs, [&](const Pair& p) { return Status(p, by); });
  const bool adds_up = !FindView(view)->tree;
  for (const Measure measure : by.measures) {
    AddMeasure(measure, sides.scale, pairs, total, by, adds_up, &table, report);
    if (!sampled || measure != by.measures[0]) continue;
    Fill(table, "p_value", pairs, [](const Pair& p) { return p.p; }).total = total.p;
    Fill(table, "significance", pairs, [](const Pair& p) { return SignificanceOf(p.p); });
  }
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

}  // namespace

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
  const Compared by{measures, sides_have};
  Sort(by, &pairs);
  Pair total{kTotalKey, "", &before.total, &after.total};
  TFPROF_ASSIGN(const bool sampled, SetPValues(view, by, sides, &total, &pairs, context));
  report->tables.push_back(DiffTable(view, pairs, total, by, sampled, sides, report));
  return {};
}

const TableDef& NodeChangesDef() { return Defs().rows; }
const TableDef& StepChangesDef() { return Defs().step; }

}  // namespace tfprof
