// SPDX-License-Identifier: Apache-2.0
#include "emitters/cells.h"
#include "emitters/classic/classic.h"
#include "emitters/emitter.h"

namespace tfprof {
namespace {

using Kind = ClassicCell::Kind;

// A cell with the columns that it reads; null: its kind does not need the column.
struct BoundCell {
  ClassicCell cell;
  const ReportColumn* self = nullptr;
  const ReportColumn* total = nullptr;
  const ReportColumn* total_defined = nullptr;
  const ReportColumn* shape = nullptr;  // printed before the parameters
};

struct TreeRows {
  const ReportColumn* name = nullptr;
  const ReportColumn* accounted = nullptr;
  const ReportColumn* tensor = nullptr;  // null: not selected
  std::vector<BoundCell> cells;
  bool code = false;
};

Result<BoundCell> Bind(const ClassicCell& cell, const Table& table, bool code) {
  BoundCell bound{.cell = cell};
  const bool not_available =
      code && (cell.kind == Kind::occurrence || cell.kind == Kind::input_shapes);
  if (not_available) return bound;
  TFPROF_ASSIGN(bound.self, ClassicColumn(table, "", cell.id));
  if (cell.kind <= Kind::count || cell.kind == Kind::occurrence) {
    TFPROF_ASSIGN(bound.total, ClassicColumn(table, "total_", cell.id));
  }
  if (cell.kind == Kind::occurrence) {
    TFPROF_ASSIGN(bound.total_defined, ClassicColumn(table, "total_", "occurrence_defined"));
  }
  if (cell.attribute == Attribute::params && !code) bound.shape = table.Find("shape");
  return bound;
}

Result<TreeRows> BindRows(const Report& report, const Display& display) {
  const Table& table = report.tables[0];
  TreeRows rows;
  rows.code = report.view == "code";
  TFPROF_ASSIGN(rows.name, ClassicColumn(table, "", "name"));
  TFPROF_ASSIGN(rows.accounted, ClassicColumn(table, "", "accounted"));
  if (!rows.code && display.Selects(Attribute::tensor_value)) {
    TFPROF_ASSIGN(rows.tensor, ClassicColumn(table, "", "tensor_value"));
  }
  for (const ClassicCell& cell : ClassicCells(report.view, display)) {
    TFPROF_ASSIGN(const BoundCell bound, Bind(cell, table, rows.code));
    rows.cells.push_back(bound);
  }
  return rows;
}

// The numbers of a row, which are appended together: most of a tree is numbers.
struct Numbers {
  static constexpr size_t kCellBytes = 4 * kNumberBytes;

  char text[(kMostClassicCells + 1) * kCellBytes];  // and the bracket before them
  char* end = text;

  void MoveTo(std::string* out) {
    out->append(text, static_cast<size_t>(end - text));
    end = text;
  }
};

char* PutPair(const BoundCell& bound, size_t row, bool accounted, const ShortText& after,
              char* end) {
  const Kind kind = bound.cell.kind;
  end = accounted ? PutClassicNumber(kind, ClassicValue(*bound.self, row), end)
                  : ShortText("--").Put(end);
  *end++ = '/';
  return after.Put(PutClassicNumber(kind, ClassicValue(*bound.total, row), end));
}

// The original always prints 1 as the row's own definition count.
char* PutOccurrence(const BoundCell& bound, size_t row, bool accounted, char* end) {
  end = PutPair(bound, row, accounted, accounted ? ShortText("|1/") : "|--/", end);
  end = PutClassicNumber(Kind::count, bound.total_defined->Integer(row), end);
  return ShortText(", ").Put(end);
}

void AppendTexts(const BoundCell& bound, size_t row, std::string* out) {
  const Kind kind = bound.cell.kind;
  if (bound.self == nullptr) {
    out->append(kind == Kind::occurrence ? "occurrence" : "input_shapes");
    out->append(" N/A in code view");
  } else {
    if (kind == Kind::device && bound.self->lists[row].empty()) return;
    AppendPlain(*bound.self, row, true, out);
  }
  out->append(", ");
}

// Puts `, ` after each cell; the caller removes the last one.
void PutCell(const BoundCell& bound, size_t row, bool accounted, Numbers* numbers,
             std::string* out) {
  if (bound.total == nullptr) {
    numbers->MoveTo(out);
    return AppendTexts(bound, row, out);
  }
  if (bound.shape != nullptr && !bound.shape->texts[row].empty()) {
    numbers->MoveTo(out);
    out->append(bound.shape->texts[row]).append(", ");
  }
  numbers->end = bound.cell.kind == Kind::occurrence
                     ? PutOccurrence(bound, row, accounted, numbers->end)
                     : PutPair(bound, row, accounted, bound.cell.tree_after, numbers->end);
}

void AppendRow(const TreeRows& rows, const Table& table, size_t row, std::string* out) {
  const bool accounted = rows.accounted->Integer(row) == 1;
  out->append(size_t{2} * table.depth[row], ' ').append(AsCString(rows.name->texts[row]));
  Numbers numbers;
  numbers.end = ShortText(" (").Put(numbers.end);
  for (const BoundCell& bound : rows.cells) PutCell(bound, row, accounted, &numbers, out);
  numbers.MoveTo(out);
  if (!out->ends_with(" (")) out->resize(out->size() - 2);
  out->append(")\n", 2);
  if (rows.tensor != nullptr && rows.tensor->tensors[row] != nullptr) {
    AppendClassicTensor(*rows.tensor->tensors[row], out);
  }
}

}  // namespace

Result<void> EmitClassicTree(const Report& report, const Display& display, Sink& sink,
                             Context& context) {
  constexpr size_t kAhead = 8;  // rows whose names, which are anywhere in the store, are prefetched
  TFPROF_ASSIGN(const TreeRows rows, BindRows(report, display));
  const Table& table = report.tables[0];
  return EachRow(table.rows, sink, context, [&](size_t row) {
    if (row + kAhead < table.rows) __builtin_prefetch(rows.name->texts[row + kAhead].data());
    AppendRow(rows, table, row, &sink.buffer);
  });
}

}  // namespace tfprof
