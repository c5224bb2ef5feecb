// SPDX-License-Identifier: Apache-2.0
#include "views/answer.h"

#include <fmt/core.h>

#include <algorithm>

#include "analysis/chosen_events.h"
#include "analysis/steps/step_selection.h"
#include "analysis/wall_time.h"
#include "core/query/options.h"
#include "core/report/column_names.h"
#include "core/report/fold.h"
#include "core/report/fold_names.h"
#include "core/report/refine.h"
#include "views/columns/properties.h"

namespace tfprof {
namespace {

// Notes where `-step 0:9` asks for steps before the first or behind the last.
Result<void> NoteStepsBeyond(const Profile& profile, const Query& query, Report* report,
                             Context& context) {
  if (query.last_step < 0) return {};
  TFPROF_ASSIGN(const std::vector<int64_t> numbers,
                StepNumbers(*profile.store, *profile.indexes, query, context));
  if (numbers.empty()) return {};
  const int64_t first = numbers.front(), last = numbers.back();
  if (first <= query.step && query.last_step <= last) return {};
  report->notes.insert(
      report->notes.begin(),
      {fmt::format("-step {}: {}", query.StepText(), StepsThere(numbers)), 1, "", kNoInt});
  return {};
}

// For programs, which put files next to each other: the wall time that `start_us` counts from.
void TellEpoch(Report* report) {
  const auto starts = [](const Table& table) { return table.Find("start_us") != nullptr; };
  if (std::none_of(report->tables.begin(), report->tables.end(), starts)) return;
  const Store& store = *report->store;
  const int64_t epoch_ns = WrapAdd(store.epoch_ns, FirstStart(store) / kPsPerNs);
  TellInteger({"epoch_ns"}, epoch_ns, Unit::none, report);
}

// Where nothing is folded, each row stands for itself: there is no column of how many.
Query WithoutCounts(Query query, const Report& report) {
  if (ColumnCalled(report, kFoldedRows) != nullptr) return query;
  if (query.order_column == kFoldedRows) query.order_column.clear();
  std::erase(query.columns, kFoldedRows);
  return query;
}

bool CountsRows(const Query& query) {
  return query.format != "table" && query.format != "md" && query.format != "classic";
}

}  // namespace

Result<Report> Make(const Profile& profile, const View& view, const Query& query,
                    Context& context) {
  if (view.subject == Subject::base && query.base == nullptr) {
    return Fail(ErrorKind::usage, std::string(view.name) + " needs a profile to compare with");
  }
  TFPROF_ASSIGN(Report report, view.make(profile.store, *profile.indexes, query, context));
  TFPROF_TRY(NoteStepsBeyond(profile, query, &report, context));
  TellEpoch(&report);
  return report;
}

Result<Query> FoldRows(const View& view, const Query& asked, const Table* folded, Report* report,
                       Context& context) {
  Query query = asked;
  NameByOriginalIds(*report, &query);
  const bool unfolds = !query.unfold.empty();
  const bool rows = query.output.kind == OutputKind::stdout_text ||
                    query.output.kind == OutputKind::file;  // others draw the profile
  if (!Reads(view.options, *FindOption("fold"))) return query;
  if (!rows || (!query.fold && !unfolds)) return WithoutCounts(query, *report);
  Query chosen;
  chosen.where = query.where;
  TFPROF_TRY(Refine(*report, chosen));
  TFPROF_TRY(unfolds ? Unfold(query.unfold, folded, report, context) : Fold(report, context));
  if (!unfolds && CountsRows(query)) CountUnfolded(report);
  Query left = query;
  left.where.clear();
  return WithoutCounts(std::move(left), *report);
}

Result<Report> Answer(const Profile& profile, const View& view, const Query& query,
                      Context& context, const Table* folded) {
  TFPROF_ASSIGN(Report report, Make(profile, view, query, context));
  TFPROF_ASSIGN(const Query left, FoldRows(view, query, folded, &report, context));
  TFPROF_TRY(Refine(report, left));
  return report;
}

}  // namespace tfprof
