// SPDX-License-Identifier: Apache-2.0
#include "cli/answer/folding.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/ask/checks.h"
#include "cli/ask/question.h"
#include "cli/ask/row_names.h"
#include "cli/shell/commands.h"
#include "core/query/options.h"
#include "core/report/column_names.h"
#include "core/report/fold.h"
#include "core/report/fold_plan.h"

namespace tfprof {
namespace {

// The words of the last command except those about folding and, unless `keeps_rows`, the row count.
std::vector<std::string> LastWords(const Session& session, bool keeps_rows) {
  std::vector<std::string> kept;
  const std::vector<Word>& words = session.last_line.words;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    const std::string_view name = i > 0 && IsOption(text) ? OptionName(text) : std::string_view();
    const bool has_value = text.find('=') != std::string::npos;
    const bool folds = name == "fold" && has_value;  // else the later option applies
    if (!folds && name != "unfold" && (name != "n" || keeps_rows)) {
      kept.push_back(text);
    } else if (!has_value) {
      ++i;
    }
  }
  return kept;
}

CommandLine RepeatedLine(const Session& session, const CommandLine& typed,
                         const std::vector<std::string>& options, bool keeps_rows) {
  std::vector<std::string> words = LastWords(session, keeps_rows);
  words.insert(words.end(), options.begin(), options.end());
  CommandLine line = JoinWords(words);
  line.redirect = typed.redirect;
  return line;
}

int RunAgain(Session& session, const CommandLine& again, std::string_view place) {
  KeptOptions before{session.options, session.given, session.last_line};
  const int status = Execute(session, again, place);
  if (status == 0) RememberOptions(session, std::move(before));
  return status;
}

// The first human-readable table; null: none.
const Table* FirstSeen(const Report& report) {
  const auto table = std::find_if(report.tables.begin(), report.tables.end(),
                                  [](const Table& one) { return one.human_readable; });
  return table == report.tables.end() ? nullptr : &*table;
}

// The name of the folded row that `word` names or, if rows are numbered, whose number it is.
Result<std::string> FoldedRow(const Session& session, const CommandLine& line, const Word& word) {
  const ReportColumn* names = NameColumn(*session.last);
  if (names == nullptr) return word.text;
  TFPROF_ASSIGN(const std::optional<size_t> row, NumberedRow(*session.last, line, word));
  if (!row) return word.text;
  const Table& table = session.last->tables.front();
  if (!FoldedNames(table, *row).empty()) return std::string(names->texts[*row]);
  return Refused(line, word, fmt::format("row {} is not folded", word.text));
}

}  // namespace

bool FoldsByItself(const Session& session, const Display& display) {
  return !session.classic && IsForHumans(display);
}

const Table* FoldedTable(const Session& session) {
  return session.folded == nullptr ? nullptr : FirstSeen(*session.folded);
}

std::vector<std::string> FoldedRowNames(const Session& session) {
  std::vector<std::string> folded;
  const Table* table = session.last == nullptr ? nullptr : FirstSeen(*session.last);
  const ReportColumn* names = table == nullptr ? nullptr : FoldingNames(*table);
  for (size_t row = 0; names != nullptr && row < table->rows; ++row) {
    if (!FoldedNames(*table, row).empty()) folded.emplace_back(names->texts[row]);
  }
  return folded;
}

Result<int> RunFold(Session& session, const CommandLine& line, std::string_view place, Sink&) {
  const View* view = session.last == nullptr ? nullptr : FindView(session.last->view);
  if (view == nullptr || !Reads(view->options, *FindOption("fold"))) {
    return Refused(line, line.words.front(), "the rows of the last table cannot be folded");
  }
  return RunAgain(session, RepeatedLine(session, line, {"-fold=true"}, true), place);
}

Result<int> RunUnfold(Session& session, const CommandLine& line, std::string_view place, Sink&) {
  if (FoldedRowNames(session).empty()) {
    return Refused(line, line.words.front(), "the last table has no folded rows");
  }
  const View& view = *FindView(session.last->view);
  const std::span<const Word> words = std::span(line.words).subspan(1);
  TFPROF_ASSIGN(const ParsedOptions parsed,
                ParseOptions(line, words, session.options, session.classic));
  const unsigned read = view.options & ~unsigned{kFoldOptions};
  TFPROF_TRY(CheckOptions({"unfold", read, view.classic, 1}, line, parsed));
  const Word* row = parsed.words.empty() ? nullptr : &parsed.words.front();
  session.folded = session.last;
  std::vector<std::string> options;
  for (const Word& word : words) {
    if (row == nullptr || word.begin != row->begin) options.push_back(word.text);
  }
  options.emplace_back("-fold=false");
  if (row != nullptr) {
    TFPROF_ASSIGN(const std::string name, FoldedRow(session, line, *row));
    options.back() = "-unfold=" + name;
  }
  return RunAgain(session, RepeatedLine(session, line, options, row == nullptr), place);
}

}  // namespace tfprof
