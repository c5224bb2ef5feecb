// SPDX-License-Identifier: Apache-2.0
// -format csv and tsv: a line of column ids, then a line per row; raw numbers; absent cells are
// empty. csv quotes as in RFC 4180 (lines end in a line feed alone). tsv has no quotes: tab, line
// feed, carriage return and backslash are \t, \n, \r and \\. Trees begin with the columns depth and
// parent. Only one table is written: that of -table, else the first. With -ids original all tables
// are written, each under a line `# NAME`, separated by empty lines.
#include <fmt/format.h>

#include <string>

#include "core/base/nearest.h"
#include "emitters/cells.h"
#include "emitters/emitter.h"

namespace tfprof {
namespace {

void AppendCsv(std::string_view text, std::string* out) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    out->append(text);
    return;
  }
  out->push_back('"');
  for (const char c : text) {
    if (c == '"') out->push_back('"');
    out->push_back(c);
  }
  out->push_back('"');
}

void AppendTsv(std::string_view text, std::string* out) {
  if (text.find_first_of("\t\r\n\\") == std::string_view::npos) {
    out->append(text);
    return;
  }
  for (const char c : text) {
    switch (c) {
      case '\t': out->append("\\t"); break;
      case '\n': out->append("\\n"); break;
      case '\r': out->append("\\r"); break;
      case '\\': out->append("\\\\"); break;
      default: out->push_back(c);
    }
  }
}

struct Dialect {
  char separator;
  void (*append)(std::string_view text, std::string* out);
};

void AppendHeader(const Table& table, const std::vector<const ReportColumn*>& columns,
                  bool original, const Dialect& dialect, std::string* out) {
  const size_t begin = out->size();
  if (table.tree) {
    out->append("depth").push_back(dialect.separator);
    out->append("parent").push_back(dialect.separator);
  }
  for (const ReportColumn* column : columns) {
    dialect.append(IdIn(column->spec, original), out);
    out->push_back(dialect.separator);
  }
  if (out->size() > begin) out->pop_back();
  out->push_back('\n');
}

Result<void> EmitRows(const Table& table, const Display& display, const Dialect& dialect,
                      Sink& sink, Context& context) {
  const std::vector<const ReportColumn*> columns = ColumnsForMachines(table, display);
  std::string& out = sink.buffer;
  std::string cell;
  return EachRow(table.PrintedRows(), sink, context, [&](size_t row) {
    const size_t begin = out.size();
    if (table.tree) {
      AppendInteger(table.depth[row], &out);
      out.push_back(dialect.separator);
      if (table.parent[row] != Table::kNoRow) AppendInteger(table.parent[row], &out);
      out.push_back(dialect.separator);
    }
    for (const ReportColumn* column : columns) {
      cell.clear();
      AppendPlain(*column, row, display.original_ids, &cell);
      dialect.append(cell, &out);
      out.push_back(dialect.separator);
    }
    if (out.size() > begin) out.pop_back();
    out.push_back('\n');
  });
}

Result<void> EmitSeparated(const Report& report, size_t index, const Display& display,
                           const Dialect& dialect, Sink& sink, Context& context) {
  const Table& table = report.tables[index];
  AppendHeader(table, ColumnsForMachines(table, display), display.original_ids, dialect,
               &sink.buffer);
  TFPROF_TRY(EmitRows(table, display, dialect, sink, context));
  if (index > 0 || !report.blocks) return {};
  while (true) {
    TFPROF_ASSIGN(const Table* block, report.blocks(context));
    if (block == nullptr) return {};
    TFPROF_TRY(EmitRows(*block, display, dialect, sink, context));
  }
}

Result<size_t> ChosenTable(const Report& report, const std::string& name) {
  if (name.empty()) return size_t{0};
  const Table* found = FindNamed(report.tables, name);
  if (found == nullptr) {
    return UsageError("-table: " + report.view + " has no table '" + name + "'",
                      fmt::format("tables: {}", fmt::join(NamesIn(report.tables), " ")));
  }
  return static_cast<size_t>(found - report.tables.data());
}

Result<void> Emit(const Report& report, const Display& display, const Dialect& dialect, Sink& sink,
                  Context& context) {
  if (!display.original_ids) {
    if (report.tables.empty()) return {};
    TFPROF_ASSIGN(const size_t index, ChosenTable(report, display.table));
    return EmitSeparated(report, index, display, dialect, sink, context);
  }
  for (size_t i = 0; i < report.tables.size(); ++i) {
    if (i > 0) sink.Append("\n");
    if (report.tables.size() > 1) sink.Append("# " + report.tables[i].name + "\n");
    TFPROF_TRY(EmitSeparated(report, i, display, dialect, sink, context));
  }
  return {};
}

}  // namespace

Result<void> EmitCsv(const Report& report, const Query& query, const Style&, Sink& sink,
                     Context& context) {
  return Emit(report, query.display, {',', AppendCsv}, sink, context);
}

Result<void> EmitTsv(const Report& report, const Query& query, const Style&, Sink& sink,
                     Context& context) {
  return Emit(report, query.display, {'\t', AppendTsv}, sink, context);
}

}  // namespace tfprof
