// SPDX-License-Identifier: Apache-2.0
#include "views/answer.h"

#include <fmt/core.h>

#include <algorithm>

#include "analysis/categories/nested_times.h"
#include "analysis/chosen_events.h"
#include "analysis/programs.h"
#include "analysis/steps/step_selection.h"
#include "analysis/wall_time.h"
#include "core/query/options.h"
#include "core/report/column_names.h"
#include "core/report/fold.h"
#include "core/report/refine.h"
#include "core/store/note_catalogue.h"
#include "views/columns/properties.h"

namespace tfprof {
namespace {

// Adds notes if `-step 0:9` selects steps before the first or after the last one.
Result<void> NoteStepsBeyond(const Profile& profile, const PlaceFilter& place, Report* report,
                             Context& context) {
  if (place.last_step < 0) return {};
  TFPROF_ASSIGN(const std::vector<int64_t> numbers,
                StepNumbers(*profile.store, *profile.indexes, place, context));
  if (numbers.empty()) return {};
  const int64_t first = numbers.front(), last = numbers.back();
  if (first <= place.step && place.last_step <= last) return {};
  report->notes.insert(
      report->notes.begin(),
      {note::With(note::steps_beyond, {place.StepText(), DescribeSteps(numbers)}), 1, "", kNoInt});
  return {};
}

Result<void> NotePrograms(const Profile& profile, Report* report, Context& context) {
  if (profile.store->modules.empty()) return {};
  TFPROF_ASSIGN(const auto programs, profile.indexes->Get<CompiledPrograms>(context));
  report->notes.insert(report->notes.end(), programs->notes.begin(), programs->notes.end());
  return {};
}

// Adds, for scripts that combine files, the wall time of `start_us` 0.
void AddEpoch(Report* report) {
  const auto starts = [](const Table& table) { return table.Find("start_us") != nullptr; };
  if (std::none_of(report->tables.begin(), report->tables.end(), starts)) return;
  const Store& store = *report->store;
  const int64_t epoch_ns = WrapAdd(store.epoch_ns, FirstStart(store) / kPsPerNs);
  AddIntegerProperty({"epoch_ns"}, epoch_ns, Unit::none, report);
}

// If nothing is folded, each row represents itself, and there is no count column.
Display WithoutCounts(Display display, const Report& report) {
  if (ColumnCalled(report, kFoldedRows) != nullptr) return display;
  if (display.order_column == kFoldedRows) display.order_column.clear();
  std::erase(display.columns, kFoldedRows);
  return display;
}

Result<Report> MakeReportOf(const View& view, const Profile& profile, const Query& query,
                            Context& context) {
  const bool by_category = query.display.original_ids && view.by_category != nullptr;
  if (!by_category || !HasCategories(*profile.store)) {
    return view.make(profile.store, *profile.indexes, query, context);
  }
  Report report = NewReport(view.name, profile.store);
  TFPROF_TRY(view.by_category(profile.store, *profile.indexes, context, &report));
  return report;
}

bool CountsRows(const Display& display) {
  return display.format != "table" && display.format != "md" && display.format != "classic";
}

}  // namespace

Report NewReport(std::string_view view, const StorePtr& store, std::span<const Note> further) {
  Report report;
  report.view = view;
  report.store = store;
  report.notes = store->notes;
  report.notes.insert(report.notes.end(), further.begin(), further.end());
  return report;
}

Result<Report> Make(const Profile& profile, const View& view, const Query& query,
                    Context& context) {
  const bool is_diff = view.subject == Subject::base;
  if (is_diff && query.diff.base == nullptr && query.diff.with_step < 0 &&
      query.programs.with_stage.empty()) {
    return Fail(ErrorKind::usage, std::string(view.name) + " needs a profile to compare with");
  }
  TFPROF_ASSIGN(Report report, MakeReportOf(view, profile, query, context));
  const bool is_of_profile = query.jobs.size() < 2;  // else the notes of one job are not of all
  if (view.reads_programs && is_of_profile) {
    TFPROF_TRY(NotePrograms(profile, &report, context));
  }
  TFPROF_TRY(NoteStepsBeyond(profile, query.place, &report, context));
  AddEpoch(&report);
  return report;
}

Result<Display> FoldRows(const View& view, const Query& query, const Table* folded, Report* report,
                         Context& context) {
  Display display = query.display;
  NameByOriginalIds(*report, &display);
  const bool unfolds = !display.unfold.empty();
  const bool rows = query.output.kind == OutputKind::stdout_text ||
                    query.output.kind == OutputKind::file;  // other outputs export the profile
  if (!Reads(view.options, *FindOption("fold"))) return display;
  if (!rows || (!display.fold && !unfolds)) return WithoutCounts(std::move(display), *report);
  Display chosen;
  chosen.where = std::exchange(display.where, {});
  TFPROF_TRY(Refine(*report, chosen));
  TFPROF_TRY(unfolds ? Unfold(display.unfold, folded, report, context) : Fold(report, context));
  if (!unfolds && CountsRows(display)) CountUnfolded(report);
  return WithoutCounts(std::move(display), *report);
}

Result<Report> Answer(const Profile& profile, const View& view, const Query& query,
                      Context& context, const Table* folded) {
  TFPROF_ASSIGN(Report report, Make(profile, view, query, context));
  TFPROF_ASSIGN(const Display left, FoldRows(view, query, folded, &report, context));
  TFPROF_TRY(Refine(report, left));
  return report;
}

}  // namespace tfprof
