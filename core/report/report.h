// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/attributes.h"
#include "core/base/context.h"
#include "core/report/measure_scale.h"
#include "core/report/trace_export.h"
#include "core/store/details.h"
#include "core/store/lanes.h"
#include "core/store/store.h"
#include "core/text/kept_texts.h"

namespace tfprof {

// A small picture for terminals. The tables contain all of its data.
struct Chart {
  enum class Kind : uint8_t {
    bars,   // a line per row: its parts side by side, scaled by value
    curve,  // one line: the rows, with one part each, as heights from left to right
  };
  Kind kind = Kind::bars;
  std::string title;  // plain ASCII, short
  Unit unit = Unit::ps;
  std::vector<std::string> parts;   // their names, plain ASCII
  std::vector<std::string> labels;  // of the rows, any bytes; empty for a curve
  std::vector<int64_t> values;      // row by row, one per part; >= 0, or kNoInt: not measured
};

enum class CellType : uint8_t {
  integer,  // ReportColumn::integers; kNoInt: absent
  real,     // reals; NaN: absent
  boolean,  // integers; 0, 1, kNoInt
  text,     // texts; data() == nullptr: absent
  texts,    // lists
  tensor,   // tensors; null: absent
};

// The role of a column with respect to its measure. `row_of_first`: a row number of the first
// table. `folded_rows`: the number of rows in a folded row.
enum class ColumnRole : uint8_t { plain, self, total, remainder, row_of_first, folded_rows };

// The value of a folded row in a column (core/report/fold.h).
enum class Folds : uint8_t {
  alike,  // the common value; absent if they differ
  same,   // the common value: rows that differ in it do not fold
  sum,    // of numbers: the sum, without absent values
  mean,   // of reals: the mean weighted by ColumnSpec::weight, without absent values
  any,    // of lists: the union, without duplicates, ascending
  names,  // of texts that differ in numbers: layer_{0..23}. Required for a table to fold
};

// Sentences too long for a column. Human-readable tables print them below the rows, one line per
// non-empty cell; several such columns make cards: emitters/table/parts.h.
enum class LongText : uint8_t {
  no,        // an ordinary column
  labeled,   // "LABEL FIRST_CELL: cell", on a card "LABEL: cell"
  bare,      // without a label
  verbatim,  // whole on a separate line, for copying
};

struct ColumnSpec {
  std::string id;             // in the vocabulary; stable: JSON key, -columns, -order_by
  std::string original = {};  // the id of -ids original; empty: the same
  std::string title;          // column head
  CellType type = CellType::integer;
  Unit unit = Unit::none;
  int64_t divisor = 1;  // of integers: the printed value is their quotient
  ColumnRole role = ColumnRole::plain;
  bool human_readable = true;  // false: machine-readable only, e.g. a wall time of 19 digits
  bool original_only = false;  // machine-readable, only with -ids original
  bool shown = true;           // false: kept for thresholds, classic text, drill-down; not printed
  bool droppable = false;      // droppable: hidden before names are cut to fit a line
  bool beside_time = false;    // tables for readers show it where they show the time of rows
  Folds folds = Folds::alike;
  std::string weight = {};  // for Folds::mean: a column of Folds::sum. For a rate, its denominator
  std::string meaning;      // one sentence
  LongText long_text = LongText::no;
  std::string label = {};  // for LongText::labeled
};

// Typed values of one column, one per row. Only the vector of the column's type is used. Texts
// point into the store or the report's TextPool; the Report keeps both alive.
struct ReportColumn {
  // Out of line: every function that returns one would contain a copy of these.
  ReportColumn();
  ReportColumn(const ReportColumn&);
  ReportColumn(ReportColumn&&) noexcept;
  ReportColumn& operator=(const ReportColumn&);
  ReportColumn& operator=(ReportColumn&&) noexcept;
  ~ReportColumn();

  ColumnSpec spec;
  // integer, boolean: values with a distance of `stride`, e.g. one measure of Table::self_values;
  // null: the column's own `integers`.
  const int64_t* first = nullptr;
  size_t stride = 1;
  std::vector<int64_t> integers;
  std::vector<double> reals;
  std::vector<std::string_view> texts;
  std::vector<std::vector<std::string_view>> lists;
  std::vector<std::shared_ptr<const TensorValue>> tensors;
  int64_t omitted_sum = kNoInt;  // of lists: the sum of the cells that -n cut; kNoInt: none
  // Of a table of changes, in the unit of the cells; NaN: none. Readers see them below the rows.
  double total = kNoReal;    // of all rows; for a tree, of its root
  bool adds_up = false;      // the rows add up to the total
  double cut_sum = 0;        // if they add up: of the rows that -n cut,
  double unchanged_sum = 0;  // and of those that HideUnchanged removed
  // Role total, trees: by row, the sum of its children that -n cut, kNoInt: none. Empty: not cut.
  std::vector<int64_t> omitted_below;

  int64_t Integer(size_t row) const {
    return first != nullptr ? first[row * stride] : integers[row];
  }
};

struct TableDef;

// Rows are a list, or a tree in depth-first order: a parent precedes its children and its subtree
// is contiguous. Row numbers are handles for drill-down.
struct Table {
  Table();
  Table(Table&&) noexcept;
  Table& operator=(Table&&) noexcept;
  ~Table();

  const TableDef* def = nullptr;  // null: built from the profile's contents, as by `diff`
  std::string name;
  std::string title;           // human-readable; empty: the name, with spaces
  bool human_readable = true;  // false: machine-readable only, duplicates another table
  size_t rows = 0;
  std::vector<ReportColumn> columns;
  bool tree = false;
  std::vector<uint32_t> parent;  // row, or kNoRow; trees only
  std::vector<uint32_t> depth;   // trees: number of shown ancestors
  std::vector<NodeId> node;      // the graph node of a row, none for made-up rows; may be empty
  // scope, graph, op, code: self and total measures of every row (kNoInt: absent); the columns of
  // role self and total point into them.
  Column<MeasureValues> self_values;
  Column<MeasureValues> total_values;
  // op, code: the accounted graph nodes of row i are members[first_member[i] .. first_member[i+1]).
  std::vector<uint32_t> first_member;
  std::vector<NodeId> members;
  // The integer column that orders the rows, descending, in a tree among siblings; empty: another
  // order.
  std::string ordered_by;
  // A column of Folds::same whose equal cells form blocks; folded and reordered rows stay in their
  // block. Lists only; empty: no blocks.
  std::string blocks_by;
  // In a folded table, row i combines the rows with the names folded[first_folded[i] ..
  // first_folded[i + 1]); none: it is not folded.
  std::vector<uint32_t> first_folded;
  std::vector<std::string_view> folded;
  int64_t omitted_rows = 0;            // cut by -n; for "[N others]"
  int64_t unchanged_rows = 0;          // removed by HideUnchanged; for "[N unchanged]"
  std::vector<int64_t> omitted_below;  // trees: by row, those of them below it; empty: not cut
  // The only row is not part of the answer: the original prints a root for an empty answer. For
  // classic text, and for JSON so that classic text can be made from it; others use PrintedRows.
  bool synthetic_root = false;

  static constexpr uint32_t kNoRow = tfprof::kNoRow;

  size_t PrintedRows() const { return synthetic_root ? 0 : rows; }
  // By id, else by original id.
  const ReportColumn* Find(std::string_view id) const {
    for (const ReportColumn& column : columns) {
      if (column.spec.id == id) return &column;
    }
    for (const ReportColumn& column : columns) {
      if (column.spec.original == id && !id.empty()) return &column;
    }
    return nullptr;
  }
};

struct Property {
  std::string id;                     // empty: human-readable only
  std::string original = {};          // the id of -ids original; empty: the same
  CellType type = CellType::integer;  // integer, real, boolean, text or texts
  Unit unit = Unit::none;
  int64_t integer = kNoInt;
  int64_t divisor = 1;  // of `integer`, as ColumnSpec::divisor
  double real = 0;
  std::string text;
  std::vector<std::string> texts;
  // Printed as lines "head  title value, title value"; adjacent facts with the same head share a
  // line.
  std::string head = {};          // empty: machine-readable only
  std::string title = {};         // empty: the value is self-explanatory
  std::string display_text = {};  // display text of a value that is a code
  bool command = false;  // a command line, printed whole on a separate line below the tables
  // Not 0: `texts` are names; human-readable output shows at most this many, with names that differ
  // in numbers as one. 0: they are sentences.
  size_t names_shown = 0;
};

// One sample of a call tree: `node` ran under the frames of `row`, the nearest shown row, and its
// ancestors; `values` are its self values (kNoInt: absent).
struct StackSample {
  uint32_t row = Table::kNoRow;
  NodeId node;
  MeasureValues values{};
  // The number of times that the sums of the rows count it (-account_type_regexes): values count
  // `times` times, runs and definitions once.
  uint32_t times = 1;
  // Its frame calls no other frame, and no shown row is below `row`: the original samples only
  // these.
  bool innermost = false;
};

// Facts of every graph node, by node.
struct NodeFacts {
  std::shared_ptr<const Column<MeasureValues>> values;  // self values; absent ones are 0
  std::shared_ptr<const CountingLanes> counting_lane;
};

struct Report;

// Exports tables[0] as a trace over time, with its rows at the time of the call. Empty: the view
// has no trace.
using TraceExport = std::function<Result<Trace>(const Report& report, Context& context)>;

// Pulls the rows of a table that is too large to keep in memory, in blocks. A block is valid until
// the next call; its columns are those of the table. Null: the end. Error: cancelled, or the
// underlying data is damaged.
using RowBlocks = std::function<Result<const Table*>(Context& context)>;

// Facts about the recording that are stored in a file of samples.
struct Recording {
  std::string command;   // the command that wrote it; empty: unknown
  int64_t start_ns = 0;  // start of the first step, since 1970; 0: unknown
  int64_t span_ns = 0;   // duration of the mean step
};

// The answer of a view: numbers with units, never formatted text.
struct Report {
  Report();
  Report(Report&&) noexcept;
  Report& operator=(Report&&) noexcept;
  ~Report();

  std::string view;
  StorePtr store;
  std::shared_ptr<TextPool> pool = std::make_shared<TextPool>();
  std::vector<Table> tables;  // the first is the answer; the others supplement it
  std::vector<Property> properties;
  std::vector<Chart> charts;  // shown only with tables on a terminal
  std::vector<Note> notes;
  NodeFacts node_facts;  // scope, graph, op, code: in the selected step
  MeasureScale scale;    // of the measures of graph nodes
  TraceExport trace_export;
  Cursor<StackSample> samples;  // of tables[0]
  RowBlocks blocks;             // further rows of tables[0]
  Recording recording;
  // The same answer for a profile to compare with, for flame graphs; null: none. Its printed values
  // times base_factor are comparable: sums over as many steps.
  std::shared_ptr<const Report> base;
  double base_factor = 1;

  const Property* Find(std::string_view id) const {
    for (const Property& property : properties) {
      if (property.id == id || (property.original == id && !id.empty())) return &property;
    }
    return nullptr;
  }
};

}  // namespace tfprof
