// SPDX-License-Identifier: Apache-2.0
#include "cli/ask/row_names.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/message.h"
#include "core/query/query.h"
#include "core/report/fold.h"
#include "views/view.h"

namespace tfprof {
namespace {

void DropLast(std::string* path) {
  const size_t slash = path->rfind('/');
  path->resize(slash == std::string::npos ? 0 : slash);
}

// The folded row of that name, with or without the slash of scopes, in the last answer with names.
std::optional<size_t> FoldedRowCalled(const Session& session, const std::string& name) {
  if (session.named == nullptr) return {};
  const Table& table = session.named->tables.front();
  const ReportColumn& names = *NameColumn(*session.named);
  for (size_t row = 0; row < table.first_folded.size() && row < table.rows; ++row) {
    if (FoldedNames(table, row).empty()) continue;
    if (names.texts[row] == name || names.texts[row] == name + "/") return row;
  }
  return {};
}

bool IsNumber(const std::string& word) {
  return !word.empty() && word.size() < 9 &&
         std::all_of(word.begin(), word.end(), [](char c) { return '0' <= c && c <= '9'; });
}

// The view of a later list of other things, which hides the named rows; null: none. An answer about
// a single thing does not hide the list that it was chosen from.
const View* ListSinceNamed(const Session& session) {
  if (session.last == nullptr || session.last == session.named) return nullptr;
  const View* view = FindView(session.last->view);
  return view == nullptr || view->subject == Subject::name ? nullptr : view;
}

}  // namespace

std::string ScopePath::Full() const {
  if (from.empty() || rest.empty()) return from + rest;
  return from + "/" + rest;
}

ScopePath ReadScopePath(std::string_view path, std::string under) {
  ScopePath read{std::move(under), {}, true};
  if (path.starts_with('/')) read = {{}, {}, false};
  for (size_t begin = 0; begin < path.size();) {
    const size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view part = path.substr(begin, end - begin);
    begin = end + 1;
    if (part == "." || part == "..") {
      if (read.rest.empty()) read.anywhere = false;
      if (part == "..") DropLast(read.rest.empty() ? &read.from : &read.rest);
    } else if (!part.empty()) {
      if (!read.rest.empty()) read.rest += '/';
      read.rest += part;
    }
  }
  if (read.rest.empty() && !path.empty()) read.anywhere = false;
  if (!read.rest.empty() && path.ends_with('/')) read.rest += '/';
  return read;
}

const ReportColumn* NameColumn(const Report& report) {
  const View* view = FindView(report.view);
  const bool of_entities = view != nullptr && view->row_meaning != RowMeaning::facts;
  if (report.tables.empty() || !of_entities) return nullptr;
  for (const ReportColumn& column : report.tables.front().columns) {
    const std::string& id = column.spec.id;
    if (column.spec.type == CellType::text && (id == "name" || id.ends_with("_name"))) {
      return &column;
    }
  }
  return nullptr;
}

Result<std::optional<size_t>> NumberedRow(const Report& report, const CommandLine& line,
                                          const Word& typed) {
  const std::string& word = typed.text;
  if (!IsNumber(word)) return std::optional<size_t>();
  const Table& table = report.tables.front();
  const size_t row = static_cast<size_t>(std::stoul(word));
  if (row > 0 && row <= table.PrintedRows()) return std::optional<size_t>(row - 1);
  return Refused(
      line, typed,
      fmt::format("no row {}: the last answer with names has {}", word, table.PrintedRows()),
      table.PrintedRows() == 0 ? "type a name; `find TEXT` searches names"
                               : "type the number of one of its rows, or a name");
}

Result<std::vector<std::string>> NamesOrRow(const Session& session, const CommandLine& line,
                                            const Word& word) {
  std::optional<size_t> row = FoldedRowCalled(session, word.text);
  const View* const since = ListSinceNamed(session);
  if (since != nullptr && IsNumber(word.text)) {
    return Refused(line, word, fmt::format("rows of {} have no numbers", since->name),
                   "type a name, or repeat the command that listed the row");
  }
  if (!row && session.named != nullptr) {
    TFPROF_ASSIGN(row, NumberedRow(*session.named, line, word));
  }
  if (!row) return std::vector<std::string>{word.text};
  const std::span<const std::string_view> folded = FoldedNames(session.named->tables.front(), *row);
  if (!folded.empty()) return std::vector<std::string>(folded.begin(), folded.end());
  const std::string_view name = NameColumn(*session.named)->texts[*row];
  return std::vector<std::string>{name.data() == nullptr ? word.text : std::string(name)};
}

bool IsRowOfLast(const Session& session, std::string_view name) {
  if (session.named == nullptr || ListSinceNamed(session) != nullptr) return false;
  const std::vector<std::string_view>& names = NameColumn(*session.named)->texts;
  return std::find(names.begin(), names.end(), name) != names.end();
}

Result<std::string> NameOrRow(const Session& session, const CommandLine& line, const Word& word) {
  TFPROF_ASSIGN(const std::vector<std::string> names, NamesOrRow(session, line, word));
  if (names.size() == 1) return names.front();
  return Refused(line, word,
                 fmt::format("'{}' is {} folded rows: {}, ...", Printable(word.text), names.size(),
                             Printable(names.front())),
                 fmt::format("unfold {} shows them", Printable(word.text)));
}

Failure WholeProfile(const CommandLine& line, const Word& word, std::string hint) {
  const bool number = !IsRoot(word.text);
  const std::string what = number ? "row " + word.text : "'" + word.text + "'";
  return Refused(line, word, what + " is the whole profile", std::move(hint));
}

Result<std::string> ScopeBefore(const Session& session, const CommandLine& line, const Word& word) {
  if (session.came_from) return *session.came_from;
  return Refused(line, word, line.words.front().text + " -: there is no previous scope");
}

Result<ScopePath> PathOrRow(const Session& session, const CommandLine& line, const Word& word,
                            const std::string& under) {
  TFPROF_ASSIGN(std::string name, NameOrRow(session, line, word));
  if (IsRoot(name)) return ScopePath{};
  if (name == word.text) return ReadScopePath(name, under);
  return ScopePath{{}, std::move(name), false};
}

}  // namespace tfprof
