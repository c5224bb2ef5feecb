// SPDX-License-Identifier: Apache-2.0
// -format md: a GitHub table with the numbers of -format table and full names. Characters that
// Markdown would interpret as markup are escaped. Trees indent names with no-break spaces. Several
// tables have their names as headings. Facts come before the tables and notes after them, each as a
// list.
#include "emitters/data/markdown.h"

#include "core/base/arith.h"
#include "emitters/emitter.h"
#include "emitters/notes.h"
#include "emitters/printable.h"
#include "emitters/table/facts.h"
#include "emitters/table/layout.h"
#include "emitters/table/parts.h"

namespace tfprof {
namespace {

constexpr std::string_view kLevel = "&nbsp;&nbsp;";

void AppendHead(const Layout& layout, std::string* out) {
  for (const LaidColumn& column : layout.columns) {
    out->append("| ");
    AppendMarkdown(column.head, out);
    out->push_back(' ');
  }
  out->append("|\n");
  for (const LaidColumn& column : layout.columns) out->append(column.right ? "| ---: " : "| --- ");
  out->append("|\n");
}

void AppendRow(const Layout& layout, size_t row, int64_t running, std::string* out) {
  std::string cell;
  for (const LaidColumn& column : layout.columns) {
    out->append("| ");
    if (column.is_name && layout.table->tree) {
      const uint32_t depth = IndentLevels(*layout.table, row);
      for (uint32_t i = 0; i < depth; ++i) out->append(kLevel);
    }
    cell.clear();
    AppendHumanCell(layout, column, row, running, &cell);
    AppendMarkdown(cell, out);
    out->push_back(' ');
  }
  out->append("|\n");
}

// Appends the lines of sums: what -n cut off, rows without a change, the total.
void AppendSums(const Layout& layout, std::string* out) {
  for (size_t line = 0; line < layout.columns.front().sums.size(); ++line) {
    for (const LaidColumn& column : layout.columns) {
      out->append("| ");
      AppendMarkdown(column.sums[line], out);
      out->push_back(' ');
    }
    out->append("|\n");
  }
}

Result<void> EmitRows(const Report& report, const Table& table, const Query& query,
                      const Style& style, Sink& sink, Context& context) {
  Layout layout = LayOutWithoutWidths(report, table, query, style);
  if (layout.columns.empty()) return {};
  AddSums(report, &layout);
  AppendHead(layout, &sink.buffer);
  int64_t running = 0;
  TFPROF_TRY(EachRow(table.PrintedRows(), sink, context, [&](size_t row) {
    if (layout.shared != nullptr && layout.shared->Integer(row) != kNoInt) {
      running = SaturatingAdd(running, layout.shared->Integer(row));
    }
    AppendRow(layout, row, running, &sink.buffer);
  }));
  AppendSums(layout, &sink.buffer);
  return {};
}

void AppendFacts(const std::vector<FactLine>& facts, std::string* out) {
  for (const FactLine& fact : facts) {
    out->append("- " + fact.head + ": ");
    for (size_t i = 0; i < fact.facts.size(); ++i) {
      if (i > 0) out->append(", ");
      AppendMarkdown(fact.facts[i], out);
    }
    out->push_back('\n');
  }
  if (!facts.empty()) out->push_back('\n');
}

// Appends the notes as a list: without list marks, the lines would run into one paragraph.
void AppendNoteList(const Report& report, const Style& style, std::string* out) {
  std::vector<std::string> notes = NotesBelow(report);
  const std::string folded = FoldedText(report, UnfoldWith(style));
  if (!folded.empty()) notes.insert(notes.begin(), folded);
  if (!notes.empty()) out->push_back('\n');
  for (const std::string& note : notes) {
    out->append("- ");
    AppendMarkdown(PrintableText(note, style.utf8), out);
    out->push_back('\n');
  }
}

}  // namespace

void AppendMarkdown(std::string_view text, std::string* out) {
  for (const char c : text) {
    if (std::string_view("\\|`*_<[~&").find(c) != std::string_view::npos) out->push_back('\\');
    out->push_back(c);
  }
}

Result<void> EmitMarkdown(const Report& report, const Query& query, const Style& style, Sink& sink,
                          Context& context) {
  AppendFacts(FactLines(report, style.utf8), &sink.buffer);
  const std::vector<const Table*> tables = TablesForHumans(report, query.display);
  for (const Table* table : tables) {
    if (table != tables.front()) sink.Append("\n");
    if (HaveTitles(report)) sink.Append("### " + HeadingOf(*table) + "\n\n");
    TFPROF_TRY(EmitRows(report, *table, query, style, sink, context));
  }
  AppendNoteList(report, style, &sink.buffer);
  return {};
}

}  // namespace tfprof
