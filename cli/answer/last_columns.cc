// SPDX-License-Identifier: Apache-2.0
#include "cli/answer/last_columns.h"

#include <fmt/core.h>

#include "cli/message.h"
#include "core/base/any_case.h"
#include "core/report/column_names.h"

namespace tfprof {

Failure NothingYet() {
  return Fail(ErrorKind::usage, "no table yet", {}, "run a command first, such as `top`");
}

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
  Error error{
      ErrorKind::usage, fmt::format("{} '{}'", why, word.text), {}, ColumnsHint(report, word.text)};
  return Failure(AtWord(std::move(error), line, word));
}

const ReportColumn* FindColumn(const Report& report, std::string_view name) {
  for (const bool seen : {true, false}) {
    for (const Table& table : report.tables) {
      const ReportColumn* column = table.people == seen ? ColumnCalled(table, name) : nullptr;
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

}  // namespace tfprof
