// SPDX-License-Identifier: Apache-2.0
// -format json: one object for the whole answer, schema version 2; with -ids original, version 1.
// -format jsonl: one object per row, one per line.
// Numbers are exact. Strings are valid UTF-8 whatever the profile contains: an invalid byte becomes
// U+FFFD followed by its two hexadecimal digits, so that different names stay different.
#include <utility>

#include "emitters/cells.h"
#include "emitters/data/json_values.h"
#include "emitters/emitter.h"

namespace tfprof {
namespace {

std::string_view TypeName(CellType type) {
  switch (type) {
    case CellType::integer:
    case CellType::real: return "number";
    case CellType::boolean: return "boolean";
    case CellType::text: return "string";
    case CellType::texts: return "list";
    case CellType::tensor: return "tensor";
  }
  return "string";
}

// Appends ,"key":"text".
void AppendMember(std::string_view key, std::string_view text, std::string* out) {
  out->push_back(',');
  AppendJsonString(key, out);
  out->push_back(':');
  AppendJsonString(text, out);
}

void AppendColumn(std::string_view id, CellType type, Unit unit, std::string* out) {
  out->append("{\"id\":");
  AppendJsonString(id, out);
  AppendMember("type", TypeName(type), out);
  if (!UnitName(unit).empty()) AppendMember("unit", UnitName(unit), out);
  out->push_back('}');
}

// Appends the unit of a value; null: it has none.
void AppendUnit(Unit unit, std::string* out) {
  out->append(",\"unit\":");
  UnitName(unit).empty() ? void(out->append("null")) : AppendJsonString(UnitName(unit), out);
}

void AppendDeclared(const ColumnSpec& spec, std::string* out) {
  out->append("{\"id\":");
  AppendJsonString(spec.id, out);
  AppendMember("type", TypeName(spec.type), out);
  AppendUnit(WrittenUnit(spec.unit), out);
  AppendMember("title", spec.title, out);
  AppendMember("meaning", spec.meaning, out);
  out->push_back('}');
}

// Returns depth and parent, which rows of a tree have in addition to their columns.
std::vector<ColumnSpec> TreeColumns() {
  return {
      {.id = "depth", .title = "depth", .meaning = "Number of shown ancestors."},
      {.id = "parent", .title = "parent", .meaning = "Row of the parent in this table, from 0."}};
}

// Writes the members of a row object; keys are escaped once.
struct RowWriter {
  const Table& table;
  bool original;  // -ids original
  std::vector<const ReportColumn*> columns;
  std::vector<std::string> keys;  // ,"id":

  RowWriter(const Table& t, const Query& query)
      : table(t),
        original(query.display.original_ids),
        columns(ColumnsForMachines(t, query.display)) {
    for (const ReportColumn* column : columns) {
      keys.emplace_back(",");
      AppendJsonString(IdIn(column->spec, original), &keys.back());
      keys.back().push_back(':');
    }
  }

  // Each member starts with a comma; the caller overwrites the first one.
  void AppendRow(size_t row, std::string* out) const {
    if (table.tree) {
      out->append(",\"depth\":");
      AppendInteger(table.depth[row], out);
      out->append(",\"parent\":");
      const uint32_t parent = table.parent[row];
      AppendJsonNumber(parent == Table::kNoRow ? kNoInt : int64_t{parent}, out);
    }
    for (size_t i = 0; i < columns.size(); ++i) {
      out->append(keys[i]);
      AppendJsonCell(*columns[i], row, original, out);
    }
  }
};

// Appends the object of a row, whose first members are `before`.
void AppendObject(const RowWriter& writer, size_t row, std::string_view before, Sink& sink) {
  const size_t begin = sink.buffer.size();
  sink.Append(before);
  writer.AppendRow(row, &sink.buffer);
  if (sink.buffer.size() == begin) sink.Append("{");
  sink.buffer[begin] = '{';
  sink.Append("}");
}

// `first`: no rows were written before these.
Result<void> EmitRowObjects(const RowWriter& writer, bool first, Sink& sink, Context& context) {
  return EachRow(writer.table.rows, sink, context, [&](size_t row) {
    sink.Append(first && row == 0 ? "\n" : ",\n");
    AppendObject(writer, row, {}, sink);
  });
}

// Writes the rows of tables[0] that are not kept in the table but come in blocks.
Result<void> EmitBlocks(const Report& report, const Query& query, Sink& sink, Context& context) {
  bool first = report.tables[0].rows == 0;
  while (report.blocks) {
    TFPROF_ASSIGN(const Table* block, report.blocks(context));
    if (block == nullptr) break;
    TFPROF_TRY(EmitRowObjects(RowWriter(*block, query), first, sink, context));
    first = first && block->rows == 0;
  }
  return {};
}

// Writes "columns":[..],"rows":[..], without braces.
Result<void> EmitTableMembers(const Report& report, size_t index, const Query& query, Sink& sink,
                              Context& context) {
  const Table& table = report.tables[index];
  const RowWriter writer(table, query);
  std::string columns;
  const auto append = [&](const ColumnSpec& spec) {
    columns.append(",");
    query.display.original_ids ? AppendColumn(IdIn(spec, true), spec.type, spec.unit, &columns)
                               : AppendDeclared(spec, &columns);
  };
  if (table.tree) {
    for (const ColumnSpec& spec : TreeColumns()) append(spec);
  }
  for (const ReportColumn* column : writer.columns) append(column->spec);
  if (!query.display.original_ids) {
    sink.Append("\"title\":");
    AppendJsonString(table.title.empty() ? table.name : table.title, &sink.buffer);
    sink.Append(",");
  }
  sink.Append("\"columns\":[");
  if (!columns.empty()) sink.Append(std::string_view(columns).substr(1));
  sink.Append("],\"rows\":[");
  TFPROF_TRY(EmitRowObjects(writer, true, sink, context));
  if (index == 0) TFPROF_TRY(EmitBlocks(report, query, sink, context));
  sink.Append("]");
  return {};
}

// Writes a line per row; `name` comes before its members.
Result<void> EmitLines(const Table& table, std::string_view name, const Query& query, Sink& sink,
                       Context& context) {
  const RowWriter writer(table, query);
  return EachRow(table.PrintedRows(), sink, context, [&](size_t row) {
    AppendObject(writer, row, name, sink);
    sink.Append("\n");
  });
}

Result<void> EmitTables(const Report& report, const Query& query, Sink& sink, Context& context) {
  if (query.display.original_ids && report.tables.size() == 1)
    return EmitTableMembers(report, 0, query, sink, context);
  sink.Append("\"tables\":{");
  for (size_t i = 0; i < report.tables.size(); ++i) {
    if (i > 0) sink.Append(",\n");
    AppendJsonString(report.tables[i].name, &sink.buffer);
    sink.Append(":{");
    TFPROF_TRY(EmitTableMembers(report, i, query, sink, context));
    sink.Append("}");
  }
  sink.Append("}");
  return {};
}

void AppendValue(const Property& property, bool original, std::string* out) {
  switch (property.type) {
    case CellType::real:
      return AppendJsonNumber(RealIn(property.real, property.unit, original), out);
    case CellType::text: return AppendJsonString(property.text, out);
    case CellType::texts:
      return AppendJsonStrings({property.texts.begin(), property.texts.end()}, out);
    case CellType::boolean:
      out->append(property.integer == kNoInt ? "null" : property.integer != 0 ? "true" : "false");
      return;
    default:
      return AppendJsonNumber(property.integer, out, UnitIn(property.unit, original),
                              property.divisor);
  }
}

void AppendProperty(const Property& property, bool original, std::string* out) {
  AppendJsonString(original && !property.original.empty() ? property.original : property.id, out);
  out->append(original ? ":" : ":{\"value\":");
  AppendValue(property, original, out);
  if (original) return;
  AppendUnit(WrittenUnit(property.unit), out);
  out->push_back('}');
}

void AppendNote(const Note& note, std::string* out) {
  out->append("{\"id\":");
  AppendJsonString(note.what.row->id, out);
  AppendMember("text", note.what.Text(), out);
  out->append(",\"count\":");
  AppendJsonNumber(note.count, out);
  if (!note.first_place.empty()) AppendMember("first_place", note.first_place, out);
  if (note.cost_ps != kNoInt) {
    out->append(",\"cost_us\":");
    AppendJsonNumber(note.cost_ps, out, Unit::ps_as_us);
  }
  out->push_back('}');
}

void AppendOriginalNote(const Note& note, std::string* out) {
  out->append("{\"what\":");
  AppendJsonString(note.what.Text(), out);
  out->append(",\"count\":");
  AppendJsonNumber(note.count, out);
  AppendMember("first_place", note.first_place, out);
  out->append(",\"cost_ps\":");
  AppendJsonNumber(note.cost_ps, out);
  out->push_back('}');
}

}  // namespace

Result<void> EmitJson(const Report& report, const Query& query, const Style&, Sink& sink,
                      Context& context) {
  sink.Append("{\"view\":");
  AppendJsonString(report.view, &sink.buffer);
  sink.Append(query.display.original_ids ? "," : ",\"schema_version\":2,");
  TFPROF_TRY(EmitTables(report, query, sink, context));
  sink.Append(",\n\"properties\":{");
  bool any = false;
  for (const Property& property : report.properties) {
    if (property.id.empty()) continue;
    if (std::exchange(any, true)) sink.Append(",");
    AppendProperty(property, query.display.original_ids, &sink.buffer);
  }
  sink.Append("},\"notes\":[");
  for (size_t i = 0; i < report.notes.size(); ++i) {
    if (i > 0) sink.Append(",");
    query.display.original_ids ? AppendOriginalNote(report.notes[i], &sink.buffer)
                               : AppendNote(report.notes[i], &sink.buffer);
  }
  sink.Append("]}\n");
  return {};
}

Result<void> EmitJsonLines(const Report& report, const Query& query, const Style&, Sink& sink,
                           Context& context) {
  for (size_t i = 0; i < report.tables.size(); ++i) {
    std::string name = ",\"table\":";
    AppendJsonString(report.tables[i].name, &name);
    if (report.tables.size() == 1) name.clear();
    TFPROF_TRY(EmitLines(report.tables[i], name, query, sink, context));
    while (i == 0 && report.blocks) {
      TFPROF_ASSIGN(const Table* block, report.blocks(context));
      if (block == nullptr) break;
      TFPROF_TRY(EmitLines(*block, name, query, sink, context));
    }
  }
  return {};
}

}  // namespace tfprof
