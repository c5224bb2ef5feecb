// SPDX-License-Identifier: Apache-2.0
#include "cli/answer/last_answer.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/answer/answer.h"
#include "cli/answer/destination.h"
#include "cli/answer/histogram.h"
#include "cli/shell/commands.h"
#include "core/base/ascii.h"
#include "core/report/column_names.h"
#include "core/report/refine.h"

namespace tfprof {
namespace {

// Formats "columns of numbers: A B C".
std::string NumbersHint(const Report& report) {
  std::string hint = "numeric columns:";
  for (const Table& table : report.tables) {
    for (const ReportColumn& column : table.columns) {
      const bool for_machines = column.spec.role == ColumnRole::remainder;
      if (column.spec.shown && !for_machines && IsNumber(column.spec.type))
        hint += " " + column.spec.id;
    }
  }
  return hint;
}

Failure NoNumbers(const CommandLine& line, const Report& report) {
  const Word word = NameTyped(line);
  return Refused(line, word, fmt::format("column '{}' has no numbers", word.text),
                 NumbersHint(report));
}

void AppendValues(const ReportColumn& column, size_t rows, ColumnValues* found) {
  for (size_t row = 0; row < rows; ++row) {
    const bool is_real = column.spec.type == CellType::real;
    if (IsAbsent(column, row)) {
      ++found->absent;
    } else {
      found->values.push_back(is_real ? column.reals[row]
                                      : static_cast<double>(column.Integer(row)));
    }
  }
}

// Of rows in blocks only the values of `column` are kept. Errors: those of the blocks.
Result<ColumnValues> ValuesOf(Report& report, const ReportColumn& column, Context& context) {
  ColumnValues found;
  const std::string& id = column.spec.id;
  for (const Table& table : report.tables) {
    if (table.Find(id) == &column) AppendValues(column, table.rows, &found);
  }
  const bool in_blocks = report.blocks && report.tables[0].Find(id) == &column;
  while (in_blocks) {
    TFPROF_ASSIGN(const Table* block, report.blocks(context));
    if (block == nullptr) break;
    const ReportColumn* cells = block->Find(id);
    if (cells != nullptr) AppendValues(*cells, block->rows, &found);
  }
  std::sort(found.values.begin(), found.values.end());
  return found;
}

// Removes the scale at the end of a line of hist: `hist total time log`.
BinScale TakeScale(CommandLine* line) {
  const std::string& last = line->words.back().text;
  const bool is_scale = line->words.size() > 2 && (last == "log" || last == "linear");
  if (!is_scale) return BinScale::automatic;
  const BinScale scale = last == "log" ? BinScale::log : BinScale::linear;
  line->words.pop_back();
  return scale;
}

// The columns that a report needs to include the column named `name`; empty: all columns.
std::vector<std::string> PickedFor(const Report& last, std::string_view name) {
  const ReportColumn* column = FindColumn(last, name);
  if (column == nullptr || !IsNumber(column->spec.type)) return {};
  const bool first = last.tables[0].Find(column->spec.id) == column;
  return first ? std::vector<std::string>{column->spec.id} : std::vector<std::string>{};
}

}  // namespace

Failure NoAnswerYet() { return UsageError("no table yet", "run a command first, such as `top`"); }

Word NameTyped(const CommandLine& line) {
  Word name = line.words[1];
  for (size_t i = 2; i < line.words.size(); ++i) {
    name.text += " " + line.words[i].text;
    name.end = line.words[i].end;
  }
  return name;
}

Failure NoColumn(const CommandLine& line, const Report& report, std::string_view why) {
  const Word word = NameTyped(line);
  return Refused(line, word, fmt::format("{} '{}'", why, word.text),
                 ColumnsHint(report, word.text));
}

const ReportColumn* FindColumn(const Report& report, std::string_view name) {
  for (const bool seen : {true, false}) {
    for (const Table& table : report.tables) {
      const ReportColumn* column =
          table.human_readable == seen ? ColumnCalled(table, name) : nullptr;
      if (column != nullptr) return column;
    }
  }
  for (const Table& table : report.tables) {
    for (const ReportColumn& one : table.columns) {
      const bool same = EqualAnyCase(one.spec.title, name) || EqualAnyCase(one.spec.id, name);
      if (same && !name.empty()) return &one;
    }
  }
  return nullptr;
}

Result<int> RunLast(Session& session, const CommandLine& line, std::string_view place, Sink&) {
  if (session.last == nullptr) return NoAnswerYet();
  std::vector<std::string> words;
  for (const Word& word : session.last_line.words) words.push_back(word.text);
  words.insert(words.end(), {"-n", "-1"});
  CommandLine again = JoinWords(words);
  again.redirect = line.redirect;
  return Execute(session, again, place);
}

Result<int> RunHist(Session& session, const CommandLine& typed, std::string_view, Sink& out) {
  if (session.last == nullptr) return NoAnswerYet();
  Work work(session);
  CommandLine line = typed;
  const BinScale scale = TakeScale(&line);
  const std::string name = NameTyped(line).text;
  TFPROF_ASSIGN(Report all,
                UnlimitedLastAnswer(session, PickedFor(*session.last, name), work.context));
  const ReportColumn* column = FindColumn(all, name);
  if (column == nullptr) return NoColumn(line, all, "the last table has no column");
  if (!IsNumber(column->spec.type)) return NoNumbers(line, all);
  TFPROF_ASSIGN(const ColumnValues found, ValuesOf(all, *column, work.context));
  if (found.values.empty()) {
    out.Append("no row has a value\n");
    return 0;
  }
  const auto columns = static_cast<size_t>(ScreenColumns(session, line));
  AppendHistogram(column->spec, found, scale, columns, out);
  return 0;
}

}  // namespace tfprof
