// SPDX-License-Identifier: Apache-2.0
#include "cli/export/report_answers.h"

#include <algorithm>
#include <utility>

#include "cli/export/commands.h"
#include "core/report/refine.h"
#include "emitters/table/facts.h"

namespace tfprof {
namespace {

bool HasRows(const Report& report) {
  return std::ranges::any_of(report.tables,
                             [](const Table& table) { return table.PrintedRows() > 0; });
}

bool IsEmpty(const Report& report) { return !HasRows(report) && FactLines(report, true).empty(); }

// True if a flame graph of the first table has a width.
bool HasTotals(const Report& report) {
  const Table& table = report.tables.front();
  if (!table.tree || table.PrintedRows() == 0) return false;
  return std::ranges::any_of(table.columns, [](const ReportColumn& column) {
    const bool is_sum = column.spec.role == ColumnRole::total || column.spec.id == "time_us";
    return is_sum && column.spec.type == CellType::integer && column.Integer(0) > 0;
  });
}

}  // namespace

Result<void> ReportAnswers::AddView(const View& view, Context& context) {
  PageEntry entry = EntryOf(view, session_);
  for (const std::string& command : CommandsOf(view)) {
    if (!entry.lacks.empty()) break;
    const bool is_first = entry.answers.empty();
    TFPROF_ASSIGN(const bool is_there, Add(command, is_first ? &entry.lacks : nullptr, context));
    if (!is_there || !HasTotals(reports_.back().answered.report)) {
      std::erase(entry.flames, command);
    }
    if (!is_there) continue;
    entry.answers.push_back(command);
    const Report& report = reports_.back().answered.report;
    if (report.tables.front().name == "over_time") entry.moments = MomentCommands(report);
  }
  entry.empty = entry.answers.size() == 1 && IsEmpty(reports_.back().answered.report);
  const std::string changes = ChangesCommand(view, session_);
  if (!changes.empty() && !entry.answers.empty()) {
    Result<std::string> block = ChangesOf(session_, view, context);
    if (!block && block.error().kind == ErrorKind::cancelled) return Failure(block.error());
    if (block) page_->answers.push_back({changes, std::move(*block)});
  }
  page_->entries.push_back(std::move(entry));
  return {};
}

Result<void> ReportAnswers::AddMoments(Context& context) {
  without_moments_ = page_->answers.size();
  for (PageEntry& entry : page_->entries) {
    for (const std::string& command : std::exchange(entry.moments, {})) {
      TFPROF_ASSIGN(const bool is_there, Add(command, nullptr, context));
      if (is_there) entry.moments.push_back(command);
    }
  }
  return {};
}

Result<bool> ReportAnswers::CutRows(int64_t most_rows, Context& context) {
  const bool had_moments = page_->answers.size() > without_moments_;
  for (PageEntry& entry : page_->entries) entry.moments.clear();
  page_->answers.resize(without_moments_);
  while (!places_.empty() && places_.back() >= without_moments_) {
    places_.pop_back();
    reports_.pop_back();
  }
  Display display;
  display.rows = most_rows;
  const auto is_longer = [&](const Table& table) {
    return static_cast<int64_t>(table.rows) > most_rows;
  };
  for (size_t i = 0; i < reports_.size(); ++i) {
    Report& report = reports_[i].answered.report;
    if (std::ranges::none_of(report.tables, is_longer)) continue;
    TFPROF_TRY(Refine(report, display));
    TFPROF_ASSIGN(page_->answers[places_[i]].block, BlockOf(reports_[i], context));
  }
  return had_moments;
}

Result<bool> ReportAnswers::Add(const std::string& command, std::string* lacks, Context& context) {
  TFPROF_ASSIGN(const CommandLine line, SplitShell(command));
  Result<PageReport> made = ReportOf(session_, line, kMostPageRows, context);
  if (!made && made.error().kind == ErrorKind::cancelled) return Failure(made.error());
  if (!made && lacks != nullptr) *lacks = made.error().what;
  if (!made || (lacks == nullptr && !HasRows(made->answered.report))) return false;
  TFPROF_ASSIGN(std::string block, BlockOf(*made, context));
  places_.push_back(page_->answers.size());
  page_->answers.push_back({command, std::move(block)});
  reports_.push_back(std::move(*made));
  return true;
}

}  // namespace tfprof
