// SPDX-License-Identifier: Apache-2.0
#include "cli/answer/last_answer.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "cli/answer/answer.h"
#include "cli/answer/destination.h"
#include "cli/shell/commands.h"
#include "core/base/any_case.h"
#include "core/base/sorting.h"
#include "core/base/units.h"
#include "core/report/column_names.h"
#include "core/report/refine.h"
#include "emitters/table/facts.h"

namespace tfprof {
namespace {

constexpr size_t kBins = 16;
constexpr size_t kHistogramCells = 40;
constexpr double kWide = 1000;  // max / min ratio above which bins widen by a factor

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

void AppendValues(const ReportColumn& column, size_t rows, std::vector<double>* values) {
  for (size_t row = 0; row < rows; ++row) {
    if (column.spec.type == CellType::real) {
      if (!std::isnan(column.reals[row])) values->push_back(column.reals[row]);
    } else if (column.Integer(row) != kNoInt) {
      values->push_back(static_cast<double>(column.Integer(row)));
    }
  }
}

// The values of a column of `report`, ascending. Of rows in blocks only these values are kept.
// Errors: those of the blocks.
Result<std::vector<double>> ValuesOf(Report& report, const ReportColumn& column, Context& context) {
  std::vector<double> values;
  const std::string& id = column.spec.id;
  for (const Table& table : report.tables) {
    if (table.Find(id) == &column) AppendValues(column, table.rows, &values);
  }
  const bool in_blocks = report.blocks && report.tables[0].Find(id) == &column;
  while (in_blocks) {
    TFPROF_ASSIGN(const Table* block, report.blocks(context));
    if (block == nullptr) break;
    const ReportColumn* cells = block->Find(id);
    if (cells != nullptr) AppendValues(*cells, block->rows, &values);
  }
  std::sort(values.begin(), values.end());
  return values;
}

// The columns that a report needs to include the column named `name`; empty: all columns.
std::vector<std::string> PickedFor(const Report& last, std::string_view name) {
  const ReportColumn* column = FindColumn(last, name);
  if (column == nullptr || !IsNumber(column->spec.type)) return {};
  const bool first = last.tables[0].Find(column->spec.id) == column;
  return first ? std::vector<std::string>{column->spec.id} : std::vector<std::string>{};
}

std::string Shown(const ReportColumn& column, double value) {
  std::string text;
  if (column.spec.type == CellType::real) {
    AppendHumanReal(value, column.spec.unit, &text);
  } else {
    AppendHuman(static_cast<int64_t>(std::llround(value)), column.spec.unit, &text,
                column.spec.divisor);
  }
  return text;
}

// The upper bounds of bins from min to max: equal in width or, if they span more than a factor of
// kWide, in geometric progression.
std::vector<double> BinEnds(double min, double max) {
  if (min == max) return {max};
  std::vector<double> ends;
  const bool wide = min > 0 && max / min > kWide;
  for (size_t i = 1; i < kBins; ++i) {
    const double share = static_cast<double>(i) / kBins;
    ends.push_back(wide ? min * std::pow(max / min, share) : min + (max - min) * share);
  }
  ends.push_back(max);
  return ends;
}

void AppendBins(const ReportColumn& column, const std::vector<double>& values, Sink& out) {
  const std::vector<double> ends = BinEnds(values.front(), values.back());
  std::vector<size_t> counts;
  size_t from = 0;
  for (const double end : ends) {
    size_t to = from;
    while (to < values.size() && (values[to] <= end || &end == &ends.back())) ++to;
    counts.push_back(to - from);
    from = to;
  }
  const size_t max = *std::max_element(counts.begin(), counts.end());
  double begin = values.front();
  for (size_t i = 0; i < ends.size(); ++i) {
    const size_t cells = (counts[i] * kHistogramCells + max - 1) / max;
    out.Append(fmt::format("{:>12} .. {:<12} {:>9}  {}\n", Shown(column, begin),
                           Shown(column, ends[i]), counts[i], std::string(cells, '#')));
    begin = ends[i];
  }
}

// `columns`: the width of the screen; 0: there is none.
void AppendQuantiles(const ReportColumn& column, const std::vector<double>& values, size_t columns,
                     Sink& out) {
  // The min value with at least this share of the rows at or below it: nearest rank.
  const auto at = [&](double share) {
    const auto rank = static_cast<size_t>(std::ceil(share * static_cast<double>(values.size())));
    return Shown(column, values[rank == 0 ? 0 : rank - 1]);
  };
  const std::vector<std::string> facts = {
      fmt::format("{} of {} rows: min {}", column.spec.title, values.size(), at(0)),
      "10% " + at(0.1),
      "median " + Shown(column, Median(values)),
      "90% " + at(0.9),
      "99% " + at(0.99),
      "max " + at(1)};
  for (const std::string& line : SideBySide(facts, columns)) out.Append(line + "\n");
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

Result<int> RunHist(Session& session, const CommandLine& line, std::string_view, Sink& out) {
  if (session.last == nullptr) return NoAnswerYet();
  Work work(session);
  const std::string name = NameTyped(line).text;
  TFPROF_ASSIGN(Report all,
                UnlimitedLastAnswer(session, PickedFor(*session.last, name), work.context));
  const ReportColumn* column = FindColumn(all, name);
  if (column == nullptr) return NoColumn(line, all, "the last table has no column");
  if (!IsNumber(column->spec.type)) return NoNumbers(line, all);
  TFPROF_ASSIGN(const std::vector<double> values, ValuesOf(all, *column, work.context));
  if (values.empty()) {
    out.Append("no row has a value\n");
    return 0;
  }
  AppendBins(*column, values, out);
  AppendQuantiles(*column, values, static_cast<size_t>(ScreenColumns(session, line)), out);
  return 0;
}

}  // namespace tfprof
