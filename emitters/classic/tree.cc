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

void AppendPair(const BoundCell& bound, size_t row, bool accounted, const ShortText& after,
                std::string* out) {
  char text[2 * kNumberBytes + ShortText::kBytes];
  const Kind kind = bound.cell.kind;
  char* end = accounted ? PutClassicNumber(kind, ClassicValue(*bound.self, row), text)
                        : ShortText("--").Put(text);
  *end++ = '/';
  end = after.Put(PutClassicNumber(kind, ClassicValue(*bound.total, row), end));
  out->append(text, static_cast<size_t>(end - text));
}

// The original always prints 1 as the row's own definition count.
void AppendOccurrence(const BoundCell& bound, size_t row, bool accounted, std::string* out) {
  AppendPair(bound, row, accounted, accounted ? ShortText("|1/") : "|--/", out);
  AppendClassicNumber(Kind::count, bound.total_defined->Integer(row), out);
  out->append(", ");
}

// Appends `, ` after each cell; the caller removes the last one.
void AppendCell(const BoundCell& bound, size_t row, bool accounted, std::string* out) {
  const Kind kind = bound.cell.kind;
  if (bound.total != nullptr) {
    if (bound.shape != nullptr && !bound.shape->texts[row].empty()) {
      out->append(bound.shape->texts[row]).append(", ");
    }
    if (kind == Kind::occurrence) return AppendOccurrence(bound, row, accounted, out);
    return AppendPair(bound, row, accounted, bound.cell.tree_after, out);
  }
  if (bound.self == nullptr) {
    out->append(kind == Kind::occurrence ? "occurrence" : "input_shapes");
    out->append(" N/A in code view");
  } else {
    if (kind == Kind::device && bound.self->lists[row].empty()) return;
    AppendPlain(*bound.self, row, true, out);
  }
  out->append(", ");
}

void AppendRow(const TreeRows& rows, const Table& table, size_t row, std::string* out) {
  const bool accounted = rows.accounted->Integer(row) == 1;
  out->append(size_t{2} * table.depth[row], ' ');
  out->append(AsCString(rows.name->texts[row])).append(" (", 2);
  const size_t begin = out->size();
  for (const BoundCell& bound : rows.cells) AppendCell(bound, row, accounted, out);
  if (out->size() > begin) out->resize(out->size() - 2);
  out->append(")\n", 2);
  if (rows.tensor != nullptr && rows.tensor->tensors[row] != nullptr) {
    AppendClassicTensor(*rows.tensor->tensors[row], out);
  }
}

}  // namespace

Result<void> EmitClassicTree(const Report& report, const Display& display, Sink& sink,
                             Context& context) {
  TFPROF_ASSIGN(const TreeRows rows, BindRows(report, display));
  const Table& table = report.tables[0];
  return EachRow(table.rows, sink, context,
                 [&](size_t row) { AppendRow(rows, table, row, &sink.buffer); });
}

}  // namespace tfprof
