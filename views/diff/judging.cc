// SPDX-License-Identifier: Apache-2.0
#include "views/diff/judging.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/base/nearest.h"
#include "core/store/note_catalogue.h"
#include "core/text/units.h"
#include "views/diff/mann_whitney.h"
#include "views/diff/samples.h"

namespace tfprof {
namespace {

struct Judged {
  DiffLimit limit;
  int64_t before = kNoInt, after = kNoInt;  // kNoInt: absent
  Unit unit = Unit::none;
  int64_t divisor = 1;
  bool exceeded = false;
  bool comparable = true;  // false: the sums are not comparable
  double p = kNoReal;      // of a limit with p

  bool LacksSteps() const { return !std::isnan(limit.max_p) && std::isnan(p); }
  bool IsExceeded() const { return exceeded && (std::isnan(limit.max_p) || p < limit.max_p); }
};

// True if each device adds to the measure. params and definitions count once per node, however many
// devices it runs on.
bool IsOfEveryDevice(Measure measure) { return !IsOfGraph(measure); }

// No row has the name of `limit`; the text after its last dot may be an unknown measure.
Failure NothingToJudge(const DiffLimit& limit, const SideRows& before, const SideRows& after) {
  const size_t dot = std::min(limit.name.rfind('.'), limit.name.size());
  const auto has_rest = [&](const SideRows& side) {
    return std::any_of(side.rows.begin(), side.rows.end(), [&](const auto& row) {
      return row.second.name == std::string_view(limit.name).substr(0, dot);
    });
  };
  if (has_rest(before) || has_rest(after)) {
    std::vector<std::string_view> ids;
    for (const MeasureInfo& info : AllMeasures()) ids.push_back(info.id);
    const std::string typed = limit.name.substr(dot + 1);
    return Fail(ErrorKind::usage, "-fail-if: '" + limit.text + "': no measure '" + typed + "'", {},
                OneOf(typed, ids));
  }
  return Fail(ErrorKind::usage,
              "-fail-if: no " + limit.view + " '" + limit.name + "' in either profile", {},
              "this limit can never be exceeded");
}

Result<Judged> JudgeRow(const DiffLimit& limit, const Comparison& sides, Context& context) {
  TFPROF_ASSIGN(const SideRows before,
                RowsOfSide(sides.before, limit.view, sides.scale_before, context));
  TFPROF_ASSIGN(const SideRows after,
                RowsOfSide(sides.after, limit.view, sides.scale_after, context));
  std::string_view row_key;
  const auto value = [&](const SideRows& rows, bool* found) {
    for (const auto& [key, row] : rows.rows) {
      if (row.name != limit.name) continue;
      *found = true;
      row_key = key;
      return At(row.values, limit.measure);
    }
    return kNoInt;
  };
  const auto measured = [&](const SideRows& rows) {
    return std::ranges::any_of(
        rows.rows, [&](const auto& row) { return At(row.second.values, limit.measure) != kNoInt; });
  };
  for (const bool base : {true, false}) {
    if (measured(base ? before : after)) continue;
    return Fail(ErrorKind::usage, "-fail-if: " + limit.text + ": no " +
                                      std::string(Info(limit.measure).id) + " in " +
                                      (base ? "the base" : "this profile"));
  }
  bool found = false;
  const int64_t was = value(before, &found), is = value(after, &found);
  if (!found) return NothingToJudge(limit, before, after);
  const int64_t divisor = sides.scale.DivisorOf(limit.measure);
  const int64_t per_unit = (IsTime(limit.measure) ? sides.scale.TimesPerUs() : 1) * divisor;
  const bool comparable = sides.over_other_places.empty() || !IsOfEveryDevice(limit.measure);
  Judged judged{limit,     was,
                is,        sides.scale.UnitOf(limit.measure),
                divisor,   limit.Exceeded(was, is, per_unit),
                comparable};
  if (std::isnan(limit.max_p)) return judged;
  TFPROF_ASSIGN(const SamplesOfBoth samples,
                SampleNodes(limit.view, limit.measure, sides.before, sides.after, context));
  judged.p = samples.PValue(row_key);
  return judged;
}

Result<Judged> JudgeSteps(const DiffLimit& limit, const StepMeans& steps) {
  if (steps.before_ps == kNoInt || steps.after_ps == kNoInt) {
    return Fail(ErrorKind::usage,
                "-fail-if: " + limit.text + ": a profile has no step with a time");
  }
  const bool exceeded = limit.Exceeded(steps.before_ps, steps.after_ps, kPsPerUs);
  Judged judged{limit, steps.before_ps, steps.after_ps, Unit::ps_as_us, 1, exceeded};
  judged.p = steps.p;
  return judged;
}

// Returns "step>+5%: 576 us -> 9.62 ms", for a limit with p also "(p 0.029)".
std::string DisplayName(const Judged& judged) {
  const auto display_text = [&](int64_t value) {
    return value == kNoInt ? std::string("nothing") : Human(value, judged.unit, judged.divisor);
  };
  std::string text =
      judged.limit.text + ": " + display_text(judged.before) + " -> " + display_text(judged.after);
  if (!std::isnan(judged.limit.max_p) && !std::isnan(judged.p)) {
    text += fmt::format(" (p {:.2g})", judged.p);
  }
  return text;
}

Property Sentences(std::string_view id, std::string_view head) {
  Property property{.id = std::string(id), .type = CellType::texts};
  property.head = head;
  return property;
}

using MeasuresOf = std::array<bool, kMeasures>;

void Look(const SideRows& side, MeasuresOf* display_text) {
  for (const auto& [key, row] : side.rows) {
    for (size_t i = 0; i < kMeasures; ++i) (*display_text)[i] |= row.values[i] != kNoInt;
  }
}

Result<void> FindMeasures(const Side& side, std::string_view view, int64_t per_us,
                          MeasuresOf* display_text, Context& context) {
  Query all;
  all.place.exact = side.query.place.exact;
  all.display.select = side.query.display.select;
  TFPROF_ASSIGN(const SideRows rows, RowsOfSide({side.store, side.indexes, all}, view,
                                                {.times_per_us = per_us}, context));
  Look(rows, display_text);
  return {};
}

}  // namespace

Result<void> JudgeLimits(const std::vector<DiffLimit>& limits, const Comparison& sides,
                         const StepMeans& steps, Report* report, Context& context) {
  if (limits.empty()) return {};
  Property exceeded = Sentences("exceeded", "exceeded"), kept = Sentences("kept", "kept");
  Property not_judged = Sentences("not_judged", "not judged");
  Property damaged = Sentences("not_judged_damaged", "not judged");
  Property lacks_steps = Sentences("not_judged_steps", "not judged");
  for (const DiffLimit& limit : limits) {
    TFPROF_ASSIGN(const Judged one,
                  limit.view.empty() ? JudgeSteps(limit, steps) : JudgeRow(limit, sides, context));
    if (sides.damaged_programs > 0 && !limit.view.empty()) {
      damaged.texts.push_back(DisplayName(one) + ", a program is damaged");
    } else if (!one.comparable) {
      not_judged.texts.push_back(DisplayName(one) + ", summed over " + sides.over_other_places);
    } else if (one.LacksSteps()) {
      lacks_steps.texts.push_back(DisplayName(one) + ", p needs " + std::to_string(kMinSamples) +
                                  " steps of each profile");
    } else {
      (one.IsExceeded() ? exceeded : kept).texts.push_back(DisplayName(one));
    }
  }
  for (Property* property : {&exceeded, &kept, &not_judged}) {
    report->properties.push_back(std::move(*property));
  }
  for (Property* property : {&damaged, &lacks_steps}) {
    if (!property->texts.empty()) report->properties.push_back(std::move(*property));
  }
  return {};
}

Result<SideMeasures> FindSideMeasures(const Comparison& sides, std::string_view view,
                                      const SideRows& before, const SideRows& after,
                                      Context& context) {
  SideMeasures sides_have;
  Look(before, &sides_have.before);
  Look(after, &sides_have.after);
  if (sides_have.before == sides_have.after) return sides_have;
  TFPROF_TRY(
      FindMeasures(sides.before, view, sides.scale.TimesPerUs(), &sides_have.before, context));
  TFPROF_TRY(FindMeasures(sides.after, view, sides.scale.TimesPerUs(), &sides_have.after, context));
  return sides_have;
}

void NoteUnrecorded(const SideMeasures& sides_have, const std::vector<Measure>& measures,
                    Report* report) {
  for (const bool base : {true, false}) {
    std::string unrecorded;
    for (const Measure measure : measures) {
      if (!sides_have.OneAlone(measure) || sides_have.Has(base, measure)) continue;
      unrecorded.append(unrecorded.empty() ? "" : ", ").append(Info(measure).id);
    }
    if (unrecorded.empty()) continue;
    report->notes.push_back(
        {note::With(note::not_compared, {unrecorded, base ? "the base" : "this profile"}), 1, "",
         kNoInt});
  }
}

}  // namespace tfprof
