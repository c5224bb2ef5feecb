// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>

#include "cli/answer/destination.h"
#include "cli/answer/last_answer.h"
#include "cli/message.h"
#include "core/base/ascii.h"
#include "core/base/nearest.h"
#include "core/query/options.h"
#include "core/report/column_names.h"
#include "core/text/units.h"
#include "emitters/cells.h"
#include "emitters/table/layout.h"
#include "views/columns/fact_meanings.h"
#include "views/columns/measure_meaning.h"

namespace tfprof {
namespace {

std::string About(std::string_view id, std::string_view title, Unit unit,
                  std::string_view meaning) {
  const std::string name(UnitName(WrittenUnit(unit)));
  return fmt::format("{}{}{}: {}\n", id, title == id ? "" : fmt::format(" ({})", title),
                     name.empty() ? "" : ", " + name, meaning);
}

std::string About(const ColumnSpec& spec) {
  return About(spec.id, spec.title, spec.unit, spec.meaning);
}

void AppendShare(std::string_view head, bool running, std::string_view whole, Sink& out) {
  out.Append(fmt::format("{}: share of the row{} in the {}.\n", head,
                         running ? " and all rows above it" : "", whole));
}

// Appends headings of a table that are not columns of the answer: parts of the column before them.
void AppendShares(const Report& report, std::string_view name, Sink& out) {
  for (const Table& table : report.tables) {
    const Layout layout = LayOutWithoutWidths(report, table, {}, {});
    for (const LaidColumn& column : layout.columns) {
      if (column.kind == LaidColumn::Kind::cell || layout.shared == nullptr) continue;
      if (!name.empty() && name != column.head) continue;
      AppendShare(column.head, column.kind == LaidColumn::Kind::running,
                  fmt::format("{} of everything counted (TOTAL)", layout.shared->spec.title), out);
    }
  }
}

bool IsCalled(const Property& fact, std::string_view name) {
  return EqualAnyCase(fact.id, name) || EqualAnyCase(fact.head, name) ||
         EqualAnyCase(fact.title, name) || EqualAnyCase(fact.head + " " + fact.title, name);
}

// Appends the facts above the tables with that name (label, title, both or id). No name: all.
void AppendFacts(const Report& report, std::string_view name, Sink& out) {
  std::string_view last_label;
  for (const Property& fact : report.properties) {
    const bool selected = name.empty() || IsCalled(fact, name);
    const std::string_view meaning = MeaningOfFact(fact.head);
    if (!selected || fact.head.empty() || fact.head == last_label || meaning.empty()) continue;
    out.Append(fmt::format("{}: {}\n", fact.head, meaning));
    last_label = fact.head;
  }
}

// Appends the -select attribute of that name, for the open profile.
void AppendAttribute(const Session& session, std::string_view name, Sink& out) {
  for (const AttributeInfo& info : Attributes()) {
    if (info.name != name) continue;
    const std::string meaning =
        session.profile.store == nullptr
            ? std::string(info.meaning)
            : MeaningIn(*session.profile.store, {.exact = !session.classic}, info.attribute);
    out.Append(fmt::format("-select {}: {}\n", info.name, meaning));
  }
}

// Appends the meaning of the name in other views: one line for all with the same meaning.
void AppendOfViews(std::string_view name, Sink& out) {
  struct Meaning {
    std::string views, text;
  };
  std::vector<Meaning> meanings;
  for (const View& view : Views()) {
    const ColumnDef* const def = ColumnCalled(view.tables(), name);
    if (def == nullptr) continue;
    const std::string text = About(def->id, def->title, def->unit, def->meaning);
    const auto same = std::find_if(meanings.begin(), meanings.end(),
                                   [&](const Meaning& one) { return one.text == text; });
    if (same == meanings.end()) {
      meanings.push_back({std::string(view.name), text});
    } else {
      same->views.append(", ").append(view.name);
    }
  }
  for (const Meaning& one : meanings) out.Append(fmt::format("{}: {}", one.views, one.text));
}

// Appends explanations that need no answer.
void AppendKnown(const Session& session, const std::string& name, Sink& out) {
  if (name == "#") out.Append("#: Row number; commands accept it as the name.\n");
  if (name == "%" || name == "cum %") {
    AppendShare(name, name == "cum %", "total of the column that the bars show", out);
  }
  if (out.buffer.empty()) AppendAttribute(session, name, out);
  if (out.buffer.empty()) AppendOfViews(name, out);
  const std::string_view fact = MeaningOfFact(name);
  if (out.buffer.empty() && !fact.empty()) out.Append(fmt::format("{}: {}\n", name, fact));
}

Failure Unknown(const CommandLine& line) {
  const Word word = NameTyped(line);
  const std::string near = DidYouMean(word.text, AttributeNames());
  const std::string hint =
      near.empty() ? "show a table with that column first" : "did you mean '" + near + "'?";
  return Refused(
      line, word, fmt::format("no column named '{}'", word.text),
      hint + (near.empty() ? "; " : " ") + "`help attributes` lists what -select accepts");
}

// Appends all columns and facts, for a command without a column.
void AppendAll(const Report& report, Sink& out) {
  AppendFacts(report, {}, out);
  for (const Table& table : report.tables) {
    for (const ReportColumn& column : table.columns) {
      if (column.spec.shown) out.Append(About(column.spec));
    }
  }
  AppendShares(report, {}, out);
}

Result<int> Explain(const Session& session, const CommandLine& line, Sink& out) {
  const Report* last = session.last.get();
  if (line.words.size() == 1) {
    if (last == nullptr) return NoAnswerYet();
    AppendAll(*last, out);
    return 0;
  }
  const std::string name = NameTyped(line).text;
  if (last != nullptr) {
    const ReportColumn* column = FindColumn(*last, name);
    if (column != nullptr) out.Append(About(column->spec));
    if (column == nullptr) AppendShares(*last, name, out);
    AppendFacts(*last, name, out);
  }
  if (out.buffer.empty()) AppendKnown(session, name, out);
  if (!out.buffer.empty()) return 0;
  return last != nullptr ? NoColumn(line, *last, "no column named") : Unknown(line);
}

}  // namespace

Result<int> RunExplain(Session& session, const CommandLine& line, std::string_view, Sink& out) {
  TFPROF_ASSIGN(const int status, Explain(session, line, out));
  out.buffer = FitEntries(out.buffer, static_cast<size_t>(ScreenColumns(session, line)));
  return status;
}

}  // namespace tfprof
