// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/query/query.h"
#include "core/report/report.h"
#include "emitters/emitter.h"

// Layout of a report table for readers: its columns and their widths. table and md use it.

namespace tfprof {

struct LaidColumn {
  enum class Kind { cell, share, running, bar, number, label };  // label: only labels of sums
  Kind kind = Kind::cell;
  const ReportColumn* column = nullptr;  // of Kind::cell
  std::string head;                      // printable
  bool right = false;                    // aligned right: numbers
  bool is_name = false;
  bool is_indented = false;       // a name in a tree
  std::vector<std::string> sums;  // its cells in the lines of sums below the rows
  bool labels = false;            // `sums` are the labels of those lines
  size_t width = 0;
  size_t cells_width = 0;  // width of its rows and sums, without its head
  bool narrowed = false;   // narrower than its contents
  size_t head_bytes = 0;   // if not 0: `…` replaces this many bytes, a prefix of all its cells
};

struct Layout {
  const Table* table = nullptr;
  std::vector<LaidColumn> columns;
  std::vector<LaidColumn> dropped;          // columns that did not fit
  std::vector<LaidColumn> unknown;          // columns without a value in any row
  const ReportColumn* shared = nullptr;     // the column of share, cumulative percent and bar
  int64_t total = kNoInt;                   // total of `shared`; 0 or less: no shares
  const ReportColumn* accounted = nullptr;  // null: all rows are accounted
  bool utf8 = true;
};

constexpr size_t kBarWidth = 12;
constexpr size_t kColumnGap = 2;         // cells between columns
constexpr uint32_t kDeepestIndent = 40;  // a deeper row prints its depth: `{1234} name`

// Returns the indent levels of the name of `row`.
uint32_t IndentLevels(const Table& table, size_t row);

// Returns the cells before `text`, the cell of `row`: a deep row keeps at least half of the column
// for its name, or the width of the name.
size_t Indent(const Layout& layout, const LaidColumn& column, size_t row, std::string_view text);

// Returns the tables to print: those that have one of -columns. HaveTitles: the report has several,
// each with its heading.
std::vector<const Table*> TablesForHumans(const Report& report, const Display& display);
bool HaveTitles(const Report& report);
std::string HeadingOf(const Table& table);

// Lays out columns as wide as their contents, in lines of at most `style.columns` cells
// (emitters/table/fit_width.h). If that is 0, columns are as wide as nearly all of their contents
// (emitters/table/fit_width.h).
Result<Layout> LayOut(const Report& report, const Table& table, const Query& query,
                      const Style& style, Context& context);

// Fills LaidColumn::sums. A list adds up: its rows, [N others] that -n cut off, [not shown] that
// names, thresholds or -where hide, and TOTAL. The first row of a tree is its total already, so
// there is only a line with the number of rows cut off. Adds a column for the labels if there is no
// text column.
void AddSums(const Report& report, Layout* layout);

// Returns the cells that a label may take in line `line` of sums: its column and the empty cells
// after it, up to the next sum.
size_t RoomForLabel(const Layout& layout, size_t column, size_t line);

// Lays out a column per cell and one for the share, without widths, for md. Columns without a value
// in any row are left out, unless -columns or -select names them.
Layout LayOutWithoutWidths(const Report& report, const Table& table, const Query& query,
                           const Style& style);

// Appends the printable text of a cell without indentation: numbers with units, `-` for absent. The
// self value of a row that is not accounted is empty. The name of a row of a tree is the part after
// its parent's name, preceded by its depth if that is beyond the deepest indentation. `running`:
// the sum of `shared` over the rows up to and including this one.
void AppendHumanCell(const Layout& layout, const LaidColumn& column, size_t row, int64_t running,
                     std::string* out);

// Appends "12.3" for value / whole in percent; `-` if there is no share.
void AppendShare(int64_t value, int64_t total, std::string* out);

}  // namespace tfprof
