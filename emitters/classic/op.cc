// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "core/base/arith.h"
#include "core/base/nearest.h"
#include "core/text/append_format.h"
#include "emitters/cells.h"
#include "emitters/classic/classic.h"
#include "emitters/emitter.h"

namespace tfprof {
namespace {

using Kind = ClassicCell::Kind;

struct BoundOpCell {
  ClassicCell cell;
  const ReportColumn* self = nullptr;
  const ReportColumn* remainder = nullptr;  // sum of the row and all rows below it
  const ReportColumn* defined = nullptr;
  int64_t total = 0;
};

// The second table: one line per combination of input shapes, rows in the order of the first.
struct InputShapes {
  const ReportColumn* row = nullptr;  // null: not selected
  const ReportColumn* inputs = nullptr;
  const ReportColumn* run = nullptr;
  const ReportColumn* defined = nullptr;
  const ReportColumn* micros = nullptr;
  size_t rows = 0;
  size_t next = 0;
};

Result<BoundOpCell> Bind(const ClassicCell& cell, const Report& report) {
  const Table& table = report.tables[0];
  BoundOpCell bound{.cell = cell};
  TFPROF_ASSIGN(bound.self, ClassicColumn(table, "", cell.id));
  if (cell.kind <= Kind::count) {
    TFPROF_ASSIGN(bound.remainder, ClassicColumn(table, "classic_remainder_", cell.id));
    bound.total = ZeroIfAbsent(TotalOf(report, cell.id));
  } else if (cell.kind == Kind::occurrence) {
    TFPROF_ASSIGN(bound.defined, ClassicColumn(table, "", "occurrence_defined"));
  }
  return bound;
}

Result<InputShapes> BindInputShapes(const Report& report) {
  InputShapes shapes;
  const Table* table = FindNamed(report.tables, "input_shapes");
  if (table == nullptr) return shapes;
  TFPROF_ASSIGN(shapes.row, ClassicColumn(*table, "", "row"));
  TFPROF_ASSIGN(shapes.inputs, ClassicColumn(*table, "", "input_shapes"));
  TFPROF_ASSIGN(shapes.run, ClassicColumn(*table, "", "run"));
  TFPROF_ASSIGN(shapes.defined, ClassicColumn(*table, "", "defined"));
  TFPROF_ASSIGN(shapes.micros, ClassicColumn(*table, "", "micros"));
  shapes.rows = table->rows;
  return shapes;
}

void AppendRightAligned(std::string_view text, size_t width, std::string* out) {
  if (text.size() < width) out->append(width - text.size(), ' ');
  out->append(text);
}

// Division by 0 prints nan or inf, as the original does.
void AppendShares(const BoundOpCell& bound, size_t row, std::string* out) {
  const int64_t self = ZeroIfAbsent(bound.self->Integer(row));
  const int64_t remainder = ZeroIfAbsent(bound.remainder->Integer(row));
  const bool counts = (bound.cell.kind == Kind::memory ? self : remainder) > 0;
  const double total = static_cast<double>(bound.total);
  out->append(" (");
  AppendTwoDecimals(counts ? 100.0 * static_cast<double>(remainder) / total : 0.0, out);
  out->append("%, ");
  AppendTwoDecimals(counts ? 100.0 * static_cast<double>(self) / total : 0.0, out);
  out->append("%)");
}

void AppendCell(const BoundOpCell& bound, size_t row, std::string* scratch, std::string* out) {
  scratch->clear();
  if (bound.remainder != nullptr) {
    AppendClassicNumber(bound.cell.kind, ClassicValue(*bound.self, row), scratch);
    scratch->append(bound.cell.op_suffix);
    AppendShares(bound, row, scratch);
    AppendRightAligned(*scratch, 30, out);
  } else if (bound.defined != nullptr) {
    AppendInteger(ZeroIfAbsent(bound.self->Integer(row)), scratch);
    scratch->push_back('|');
    AppendInteger(ZeroIfAbsent(bound.defined->Integer(row)), scratch);
    AppendRightAligned(*scratch, 10, out);
  } else {
    AppendPlain(*bound.self, row, true, out);
  }
}

void AppendInputShapes(InputShapes* shapes, size_t row, std::string* out) {
  const auto here = [&] {
    return shapes->next < shapes->rows &&
           shapes->row->Integer(shapes->next) == static_cast<int64_t>(row);
  };
  if (!here()) return;
  for (; here(); ++shapes->next) {
    out->append("\ninput_type: ");
    bool first = true;
    for (const std::string_view input : shapes->inputs->lists[shapes->next]) {
      if (!first) out->append(",\t");
      first = false;
      out->append(input);
    }
    AppendFormat(
        out, "\t(run*{}|defined*{})\texec_time: ", ZeroIfAbsent(shapes->run->Integer(shapes->next)),
        ZeroIfAbsent(shapes->defined->Integer(shapes->next)));
    AppendClassicNumber(ClassicCell::Kind::time, ClassicValue(*shapes->micros, shapes->next), out);
  }
  out->append("\n\n");
}

}  // namespace

Result<void> EmitClassicOp(const Report& report, const Display& display, Sink& sink,
                           Context& context) {
  const Table& table = report.tables[0];
  TFPROF_ASSIGN(const ReportColumn* name, ClassicColumn(table, "", "name"));
  TFPROF_ASSIGN(InputShapes shapes, BindInputShapes(report));
  std::vector<BoundOpCell> cells;
  for (const ClassicCell& cell : ClassicCells(report.view, display)) {
    if (cell.kind == Kind::input_shapes) continue;
    TFPROF_ASSIGN(const BoundOpCell bound, Bind(cell, report));
    cells.push_back(bound);
  }
  std::string scratch;
  return EachRow(table.rows, sink, context, [&](size_t row) {
    const std::string_view text = AsCString(name->texts[row]);
    sink.Append(text);
    if (text.size() < 25) sink.buffer.append(25 - text.size(), ' ');
    for (size_t i = 0; i < cells.size(); ++i) {
      if (i > 0) sink.Append(", ");
      AppendCell(cells[i], row, &scratch, &sink.buffer);
    }
    sink.Append("\n");
    if (display.Selects(Attribute::input_shapes)) AppendInputShapes(&shapes, row, &sink.buffer);
  });
}

}  // namespace tfprof
