// SPDX-License-Identifier: Apache-2.0
#include "emitters/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "core/base/nearest.h"
#include "core/text/units.h"

namespace tfprof {
namespace {

constexpr size_t kMaxNotes = 8;

}  // namespace

std::string NoteText(const Note& note) {
  std::string known;
  if (note.count > 1) known = fmt::format("{} times", note.count);
  if (note.cost_ps != kNoInt) {
    known += known.empty() ? "" : ", ";
    known += note.cost_ps == 0 ? "0 s" : Human(note.cost_ps, Unit::ps);
  }
  std::string text = note.what.Text();
  if (!known.empty()) text += " (" + known + ")";
  if (!note.first_place.empty()) text += ", first at " + note.first_place;
  return text;
}

bool TableShowsNotes(const Report& report) { return FindNamed(report.tables, "notes") != nullptr; }

std::vector<std::string> NotesBelow(const Report& report) {
  std::vector<std::string> texts;
  if (TableShowsNotes(report)) return texts;
  for (const Note& note : report.notes) {
    if (texts.size() == kMaxNotes) {
      const size_t more = report.notes.size() - kMaxNotes;
      texts.push_back(fmt::format("and {} more note{}; info shows all", more, more > 1 ? "s" : ""));
      break;
    }
    texts.push_back("note: " + NoteText(note));
  }
  return texts;
}

std::string FoldedText(const Report& report, std::string_view how) {
  int64_t rows = 0, shown = 0;
  for (const Table& table : report.tables) {
    const auto counts =
        std::ranges::find(table.columns, ColumnRole::folded_rows,
                          [](const ReportColumn& column) { return column.spec.role; });
    if (!table.human_readable || counts == table.columns.end()) continue;
    for (size_t row = 0; row < table.rows; ++row) {
      if (counts->Integer(row) < 2) continue;
      rows += counts->Integer(row);
      ++shown;
    }
  }
  return shown == 0 ? std::string() : fmt::format("folded {} rows into {}: {}", rows, shown, how);
}

}  // namespace tfprof
