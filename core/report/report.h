// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/attributes.h"
#include "core/base/context.h"
#include "core/base/cursor.h"
#include "core/base/text_pool.h"
#include "core/report/picture.h"
#include "core/report/trace_export.h"
#include "core/store/counting_lanes.h"
#include "core/store/store.h"
#include "core/store/tensor.h"

namespace tfprof {

enum class CellType : uint8_t {
  integer,  // ReportColumn::integers; kNoInt: absent
  real,     // reals; NaN: absent
  boolean,  // integers; 0, 1, kNoInt
  text,     // texts; data() == nullptr: absent
  texts,    // lists
  tensor,   // tensors; null: absent
};

// What a column of a tree view is to its measure. `row_of_first`: a row number of the first table.
// `folded_rows`: how many rows a row stands for.
enum class ColumnRole : uint8_t { plain, self, total, remainder, row_of_first, folded_rows };

// What a row that stands for several has in a column (core/report/fold.h).
enum class Folds : uint8_t {
  alike,  // what all of them have, absent where they differ
  same,   // what all of them have: rows that differ in it stay apart
  sum,    // of numbers: what they add up to; absent ones add nothing
  mean,   // of reals: their mean by the weights in column ColumnSpec::weight; absent ones left out
  any,    // of lists: what one of them has, each once, ascending
  names,  // of texts that differ in numbers: layer_{0..23}. Only a table that has one folds
};

// Sentences too long for a column. A table for people has instead, below its rows, a line per cell
// that is not empty; several such columns make cards: emitters/table/cards.h.
enum class LongText : uint8_t {
  no,        // it is a column like others
  labeled,   // "LABEL FIRST_CELL: cell", on a card "LABEL: cell"
  bare,      // without a label
  verbatim,  // whole on a line of its own, to be copied
};

struct ColumnSpec {
  std::string id;             // of the vocabulary; stable: JSON key, -columns, -order_by
  std::string original = {};  // the id of -ids original; empty: the same
  std::string title;          // column head
  CellType type = CellType::integer;
  Unit unit = Unit::none;
  ColumnRole role = ColumnRole::plain;
  bool people = true;          // false: for programs only, e.g. a wall time of 19 digits
  bool original_only = false;  // for programs that ask for -ids original
  bool shown = true;   // false: carried for thresholds, classic text, drill-down; not printed
  bool spare = false;  // people can do without: it goes before names are cut to fit a line
  Folds folds = Folds::alike;
  std::string weight = {};  // of Folds::mean: a column of Folds::sum. Of a rate, what it is over
  std::string meaning;      // one sentence
  LongText long_text = LongText::no;
  std::string label = {};  // of LongText::labeled
};

// Typed values of one column, one per row. Only the vector of its type is used. Texts point into
// the store or the report's own TextPool, both of which the Report keeps alive.
struct ReportColumn {
  ColumnSpec spec;
  // integer, boolean: values `stride` apart, e.g. one measure of Table::self_values; null: the
  // column's own `integers`.
  const int64_t* first = nullptr;
  size_t stride = 1;
  std::vector<int64_t> integers;
  std::vector<double> reals;
  std::vector<std::string_view> texts;
  std::vector<std::vector<std::string_view>> lists;
  std::vector<std::shared_ptr<const TensorValue>> tensors;
  int64_t omitted_sum = kNoInt;  // of lists: what the cells add up to that -n cut; kNoInt: nothing

  int64_t Integer(size_t row) const {
    return first != nullptr ? first[row * stride] : integers[row];
  }
};

struct TableDef;

// Rows form a list, or a tree in depth-first order: a parent stands before its children and its
// subtree is contiguous. Row numbers are handles for drill-down.
struct Table {
  const TableDef* def = nullptr;  // null: made up of what the profile has, as by `diff`
  std::string name;
  std::string title;   // for people; empty: the name, with spaces
  bool people = true;  // false: for programs only, what another table tells as well
  size_t rows = 0;
  std::vector<ReportColumn> columns;
  bool tree = false;
  std::vector<uint32_t> parent;  // row, or kNoRow; trees only
  std::vector<uint32_t> depth;   // trees: number of shown ancestors
  std::vector<NodeId> node;      // the graph node of a row, none for made-up ones; may be empty
  // scope, graph, op, code: own and accumulated measures of every row (kNoInt: absent), which the
  // columns of role self and total point into.
  Column<MeasureValues> self_values;
  Column<MeasureValues> total_values;
  // op, code: the accounted graph nodes of row i are members[first_member[i] .. first_member[i+1]).
  std::vector<uint32_t> first_member;
  std::vector<NodeId> members;
  // The integers of which larger ones stand first, in a tree among siblings; empty: the rows have
  // another order.
  std::string ordered_by;
  // A column of Folds::same of whose cells equal ones stand together; rows folded and ordered
  // anew stay among their equals. Lists only; empty: the rows are not parted so.
  std::string blocks_by;
  // Of a folded table: row i stands for rows that were called
  // folded[first_folded[i] .. first_folded[i + 1]); none: for itself.
  std::vector<uint32_t> first_folded;
  std::vector<std::string_view> folded;
  int64_t omitted_rows = 0;  // cut by -n; for "[N others]"
  // The one row is no row of the answer: the original prints a root where it has nothing. For
  // classic text and for JSON, from which that can be made; elsewhere PrintedRows.
  bool made_up_root = false;

  static constexpr uint32_t kNoRow = tfprof::kNoRow;

  size_t PrintedRows() const { return made_up_root ? 0 : rows; }
  // By id, else by the original one.
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
  std::string id;                     // empty: for people only
  std::string original = {};          // the id of -ids original; empty: the same
  CellType type = CellType::integer;  // integer, real, boolean, text or texts
  Unit unit = Unit::none;
  int64_t integer = kNoInt;
  double real = 0;
  std::string text;
  std::vector<std::string> texts;
  // People read lines "head  title value, title value"; neighbours of one head share a line.
  std::string head = {};   // empty: not for people
  std::string title = {};  // empty: the value tells enough
  std::string said = {};   // for people in place of a value that is a code
  bool command = false;    // a text to be typed: below the tables, whole on a line of its own
  // Not 0: `texts` are names, of which people see so many, those that are alike but for a number as
  // one; 0: sentences.
  size_t names_shown = 0;
};

// One sample of a call tree: `node` ran under the frames of `row`, the nearest row that is shown,
// and its ancestors; `values` are its own (kNoInt: absent).
struct StackSample {
  uint32_t row = Table::kNoRow;
  NodeId node;
  MeasureValues values{};
  // How often the sums of the rows count it (-account_type_regexes): values `times` over, but runs
  // and definitions once.
  uint32_t times = 1;
  // Its frame calls no other, and no shown row stands below `row`: all that the original samples.
  bool innermost = false;
};

// Of every graph node, by node.
struct NodeFacts {
  std::shared_ptr<const Column<MeasureValues>> values;  // its own; absent ones are 0
  std::shared_ptr<const CountingLanes> counting_lane;
};

struct Report;

// Draws tables[0] over time, as its rows are when that is asked for. Empty: the view has no
// drawing.
using Drawing = std::function<Result<Trace>(const Report& report, Context& context)>;

// The rows of a table that has too many to keep, block by block. The block stays valid until the
// next call; its columns are those of the table. Null: there are none left. Error: cancelled, or
// what they are read from is damaged.
using RowBlocks = std::function<Result<const Table*>(Context& context)>;

// What a file of samples says of their making, beside them.
struct Recording {
  std::string command;   // that wrote it; empty: unknown
  int64_t start_ns = 0;  // since 1970, of the first step; 0: unknown
  int64_t span_ns = 0;   // of the mean step
};

// The answer of a view: numbers with units, never formatted text.
struct Report {
  std::string view;
  StorePtr store;
  std::shared_ptr<TextPool> pool = std::make_shared<TextPool>();
  std::vector<Table> tables;  // the first is the answer; others belong to it
  std::vector<Property> properties;
  std::vector<Picture> pictures;  // only tables on a terminal have them
  std::vector<Note> notes;
  NodeFacts node_facts;  // scope, graph, op, code: in the step asked
  Drawing drawing;
  Cursor<StackSample> samples;  // of tables[0]
  RowBlocks blocks;             // further rows of tables[0]
  Recording recording;

  const Property* Find(std::string_view id) const {
    for (const Property& property : properties) {
      if (property.id == id || (property.original == id && !id.empty())) return &property;
    }
    return nullptr;
  }
};

}  // namespace tfprof
