// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/query/query.h"
#include "core/report/report.h"
#include "emitters/emitter.h"

// How a table of a report is laid out for people: which columns, how wide. Used by table and md.

namespace tfprof {

struct LaidColumn {
  enum class Kind { cell, share, running, bar, number, label };  // label: nothing but its sums
  Kind kind = Kind::cell;
  const ReportColumn* column = nullptr;  // of Kind::cell
  std::string head;                      // printable
  bool right = false;                    // aligned right: numbers
  bool is_name = false;                  // indented in trees
  std::vector<std::string> sums;         // its cells in the lines below the rows
  bool labels = false;                   // `sums` say what those lines are
  size_t width = 0;
  size_t cells_width = 0;  // what its rows and sums need, whatever its head does
  bool narrowed = false;   // below the widths of its contents
  size_t head_bytes = 0;   // not 0: `…` stands for so many, with which all its cells begin
};

struct Layout {
  const Table* table = nullptr;
  std::vector<LaidColumn> columns;
  std::vector<LaidColumn> dropped;          // columns that did not fit
  std::vector<LaidColumn> unknown;          // columns that no row has a value of
  const ReportColumn* shared = nullptr;     // what share, running percent and bar are of
  int64_t whole = kNoInt;                   // of `shared`; 0 or less: no shares
  const ReportColumn* accounted = nullptr;  // null: everything is
  bool utf8 = true;
};

constexpr size_t kBarWidth = 12;
constexpr size_t kColumnGap = 2;         // cells between columns
constexpr uint32_t kDeepestIndent = 40;  // a row below it tells its depth: `{1234} name`

// The levels by which the name of `row` is indented.
uint32_t IndentLevels(const Table& table, size_t row);

// The cells that stand before `text`, the cell of `row`: a deep row keeps at least half of the
// column for its name, or what the name takes.
size_t Indent(const Layout& layout, const LaidColumn& column, size_t row, std::string_view text);

// The tables that people see: those that have one of -columns; and what stands above one where the
// report has several for people.
std::vector<const Table*> TablesForPeople(const Report& report, const Display& display);
bool AreHeaded(const Report& report);
std::string HeadingOf(const Table& table);

// All columns with the widths of their contents, in lines of at most `style.columns` cells
// (emitters/table/fit_width.h); where that is 0, of nearly all of their contents
// (emitters/table/pad_width.h).
Result<Layout> LayOut(const Report& report, const Table& table, const Query& query,
                      const Style& style, Context& context);

// Fills LaidColumn::sums. A list adds up: its rows, [N others] that -n cut off, [not shown]
// that names, thresholds or -where hide, and TOTAL. The first row of a tree is its total already;
// there is only a line that tells how many rows were cut off. Adds a column for the labels where
// there is none of text.
void AddSums(const Report& report, Layout* layout);

// The cells that a label may take in the line `line` of sums: its column and, up to the next sum,
// what stands empty behind it.
size_t RoomForLabel(const Layout& layout, size_t column, size_t line);

// A column per cell and one for the share, without widths: what md needs. Columns that have no
// value in any row are left out, unless -columns or -select asks for them.
Layout LayOutWithoutWidths(const Report& report, const Table& table, const Query& query,
                           const Style& style);

// The printable text of a cell without indentation: numbers with units, `-` for absent. The own
// value of a row that is not accounted is empty. The name of a row of a tree is what stands behind
// its parent's, headed by its depth where that is beyond the deepest indentation. `running`: the
// sum of `shared` over the rows so far, this one included.
void AppendHumanCell(const Layout& layout, const LaidColumn& column, size_t row, int64_t running,
                     std::string* out);

// "12.3" for value / whole in percent; `-` when there is none.
void AppendShare(int64_t value, int64_t whole, std::string* out);

}  // namespace tfprof
