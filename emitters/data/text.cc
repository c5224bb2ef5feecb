// SPDX-License-Identifier: Apache-2.0
// -format text: the column `text` of a table. Rows with a computation are printed as XLA prints a
// program, which can be read again.
#include <algorithm>

#include "core/base/context.h"
#include "emitters/cells.h"
#include "emitters/emitter.h"
#include "emitters/printable.h"

namespace tfprof {
namespace {

// The columns that make a program of the rows; null: the table has none.
struct TextColumns {
  const Table& table;
  const ReportColumn* text = nullptr;
  const ReportColumn* entry = nullptr;
  const ReportColumn* root = nullptr;
  const ReportColumn* program = nullptr;
  const ReportColumn* stage = nullptr;
  const ReportColumn* computation = nullptr;

  // True if the row is in another program or computation than the row before.
  bool Begins(size_t row, std::initializer_list<const ReportColumn*> columns) const {
    return row == 0 || std::ranges::any_of(columns, [&](const ReportColumn* column) {
             return column->texts[row] != column->texts[row - 1];
           });
  }
};

TextColumns DescribeText(const Table& table) {
  return {table,
          table.Find("text"),
          table.Find("is_entry"),
          table.Find("is_root"),
          table.Find("program"),
          table.Find("stage"),
          table.Find("computation")};
}

void AppendHead(const TextColumns& of, size_t row, Sink& sink) {
  const bool new_program = of.Begins(row, {of.program, of.stage});
  const bool new_computation = of.Begins(row, {of.program, of.stage, of.computation});
  if (row > 0 && new_computation) sink.Append("}\n\n");
  if (new_program) {
    const std::string_view program = of.program->texts[row];
    sink.Append("HloModule " + PrintableText(program.substr(0, program.rfind('('))) + "\n\n");
  }
  if (!new_computation) return;
  sink.Append(of.entry->Integer(row) == 1 ? "ENTRY %" : "%");
  sink.Append(PrintableText(of.computation->texts[row]) + " {\n");
}

}  // namespace

Result<void> EmitText(const Report& report, const Query&, const Style&, Sink& sink,
                      Context& context) {
  TFPROF_TRY(Poll(context));
  for (const Table& table : report.tables) {
    const TextColumns of = DescribeText(table);
    if (of.text == nullptr || of.text->spec.type != CellType::text) continue;
    const bool is_program = of.entry != nullptr && of.root != nullptr;
    TFPROF_TRY(EachRow(table.PrintedRows(), sink, context, [&](size_t row) {
      if (is_program) AppendHead(of, row, sink);
      if (is_program) sink.Append(of.root->Integer(row) == 1 ? "  ROOT " : "  ");
      sink.Append(PrintableText(of.text->texts[row]) + "\n");
    }));
    if (is_program && table.PrintedRows() > 0) sink.Append("}\n");
    return {};
  }
  return UsageError(report.view + " has no texts", "hlo has: hlo -all -format text");
}

}  // namespace tfprof
