// SPDX-License-Identifier: Apache-2.0
#include "cli/folding.h"

#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/filters.h"
#include "cli/message.h"
#include "cli/row_names.h"
#include "core/fold.h"
#include "core/options.h"
#include "core/refine.h"

namespace tfprof {
namespace {

const Option& FoldOption() { return *FindOption("fold"); }

Failure NothingFolded(const CommandLine& line) {
  return Failure(AtWord({ErrorKind::usage, "nothing is folded in the last table", {}, {}}, line,
                        line.words.front()));
}

// The last question with other options about folding.
CommandLine AskedAgain(const Session& session, const CommandLine& typed, std::string option) {
  std::vector<std::string> words;
  for (const Word& word : session.last_line.words) {
    const bool ours = word.text.starts_with("-fold=") || word.text.starts_with("-unfold=");
    if (!ours) words.push_back(word.text);
  }
  words.push_back(std::move(option));
  CommandLine line = JoinWords(words);
  line.redirect = typed.redirect;
  return line;
}

int AskAgain(Session& session, const CommandLine& typed, std::string option,
             std::string_view place) {
  KeptOptions before{session.options, session.given, session.last_line};
  const int status = Execute(session, AskedAgain(session, typed, std::move(option)), place);
  if (status == 0) RememberOptions(session, std::move(before));
  return status;
}

// The name of the folded row that `word` names or is the number of.
Result<std::string> FoldedRow(const Session& session, const CommandLine& line, const Word& word) {
  const Table& table = session.last->tables.front();
  TFPROF_ASSIGN(const std::optional<size_t> row, NumberedRow(*session.last, line, word));
  if (!row) return word.text;
  const ReportColumn* names = NameColumn(*session.last);
  if (names != nullptr && !FoldedNames(table, *row).empty()) return std::string(names->texts[*row]);
  const Error error{ErrorKind::usage, fmt::format("row {} stands for itself", word.text), {}, {}};
  return Failure(AtWord(error, line, word));
}

}  // namespace

bool FoldsByItself(const Session& session, const Query& query) {
  return !session.classic && (query.format == "table" || query.format == "md");
}

Result<Query> FoldAsked(const View& view, const Query& query, Report* report, Context& context) {
  const bool unfolds = !query.unfold.empty();
  const bool rows = query.output.kind == OutputKind::stdout_text ||
                    query.output.kind == OutputKind::file;  // others draw the profile
  const bool asked = rows && (query.fold || unfolds);
  if (!Reads(view.options, FoldOption()) || !asked) return query;
  Query chosen;
  chosen.where = query.where;
  TFPROF_TRY(Refine(*report, chosen));
  TFPROF_TRY(unfolds ? Unfold(query.unfold, report, context) : Fold(report, context));
  Query left = query;
  left.where.clear();
  return left;
}

std::vector<std::string> FoldedRowNames(const Session& session) {
  std::vector<std::string> folded;
  if (session.last == nullptr) return folded;
  const ReportColumn* names = NameColumn(*session.last);
  const Table& table = session.last->tables.front();
  for (size_t row = 0; names != nullptr && row < table.rows; ++row) {
    if (!FoldedNames(table, row).empty()) folded.emplace_back(names->texts[row]);
  }
  return folded;
}

Result<int> RunFold(Session& session, const CommandLine& line, std::string_view place, Sink&) {
  const View* view = session.last == nullptr ? nullptr : FindView(session.last->view);
  if (view == nullptr || !Reads(view->options, FoldOption())) {
    const Error error{ErrorKind::usage, "the last table is none whose rows fold", {}, {}};
    return Failure(AtWord(error, line, line.words.front()));
  }
  return AskAgain(session, line, "-fold=true", place);
}

Result<int> RunUnfold(Session& session, const CommandLine& line, std::string_view place, Sink&) {
  if (FoldedRowNames(session).empty()) return NothingFolded(line);
  if (line.words.size() == 1) return AskAgain(session, line, "-fold=false", place);
  TFPROF_ASSIGN(const std::string name, FoldedRow(session, line, line.words[1]));
  return AskAgain(session, line, "-unfold=" + name, place);
}

}  // namespace tfprof
