// SPDX-License-Identifier: Apache-2.0
// The block of an answer (emitters/page/block.h). Its header:
//
//   view, command, facts: [[head, fact...]...], notes: [...], folded
//   tables: [{name, title, rows, left_out, ordered_by, cards, human, root, depth,
//             readers: [column...], columns: [...]}]
//
// Only trees have `depth`, where the depths of their rows are, and of these only those that begin
// with the root have `root`, its title. `readers` are the numbers of the columns that a terminal
// shows. A column has its declaration (id, title, meaning, unit, written_unit, type, role, divisor,
// long, label) and where its values are. Texts, lists and tensors are numbers of texts. A list is a
// text with a line feed between its members: printable names have none.
#include <algorithm>

#include "emitters/cells.h"
#include "emitters/data/json_values.h"
#include "emitters/notes.h"
#include "emitters/page/block.h"
#include "emitters/page/page.h"
#include "emitters/printable.h"
#include "emitters/table/facts.h"
#include "emitters/table/layout.h"
#include "emitters/table/parts.h"

namespace tfprof {
namespace {

// The page formats numbers as core/text/units.h does: it needs the unit of the stored values.
std::string_view KeyOf(Unit unit) {
  switch (unit) {
    case Unit::ps_as_us: return "ps_as_us";
    case Unit::ps_as_ms: return "ps_as_ms";
    default: return UnitName(unit);
  }
}

std::string_view KeyOf(CellType type) {
  constexpr std::string_view kKeys[] = {"integer", "real", "boolean", "text", "list", "tensor"};
  return kKeys[static_cast<size_t>(type)];
}

std::string_view KeyOf(ColumnRole role) {
  constexpr std::string_view kKeys[] = {"plain",     "self",         "total",
                                        "remainder", "row_of_first", "folded_rows"};
  return kKeys[static_cast<size_t>(role)];
}

std::string_view KeyOf(LongText text) {
  constexpr std::string_view kKeys[] = {"", "labeled", "bare", "verbatim"};
  return kKeys[static_cast<size_t>(text)];
}

class AnswerWriter : BlockWriter {
 public:
  AnswerWriter(const Report& report, const Query& query, const AboutAnswer& about, Context& context)
      : report_(report), query_(query), about_(about), context_(context) {}

  Result<std::string> Write() {
    Member("view", report_.view);
    Member("command", about_.command);
    AddFacts();
    std::vector<std::string> notes = NotesBelow(report_);
    if (!about_.unread.empty()) notes.insert(notes.begin(), about_.unread);
    List("notes", notes);
    Member("folded", FoldedText(report_, "-fold false"));
    Key("tables");
    json += '[';
    for (const Table& table : report_.tables) {
      if (&table != &report_.tables[0]) json += ',';
      TFPROF_TRY(AddTable(table));
    }
    json += ']';
    return Finish();
  }

 private:
  void AddFacts() {
    std::vector<std::vector<std::string>> lines;
    for (const FactLine& line : FactLines(report_, true)) {
      lines.push_back({line.head});
      lines.back().insert(lines.back().end(), line.facts.begin(), line.facts.end());
    }
    Key("facts");
    AppendJsonList(lines, &json, [&](const std::vector<std::string>& line) { Texts(line); });
  }

  Result<void> AddTable(const Table& table) {
    json += '{';
    Member("name", table.name);
    Member("title", HeadingOf(table));
    const size_t rows = table.PrintedRows();
    Number("rows", static_cast<int64_t>(rows));
    Number("left_out", table.omitted_rows);
    Member("ordered_by", table.ordered_by);
    Flag("cards", IsCards(table, query_.display));
    Flag("human", table.human_readable);
    if (table.tree) {
      const ReportColumn* name = table.Find("name");
      const bool has_root = name != nullptr && rows > 0 && tfprof::IsRoot(name->texts[0]);
      if (has_root) Member("root", kRootTitle);
      Key("depth");
      Integers(rows, [&](size_t row) { return int64_t{table.depth[row]}; });
    }
    const std::vector<const ReportColumn*> columns = ColumnsForMachines(table, query_.display);
    std::vector<const ReportColumn*> readers = ColumnsForHumans(table, query_.display);
    std::erase_if(readers, [&](const ReportColumn* column) {
      return std::ranges::find(columns, column) == columns.end();
    });
    Key("readers");
    AppendJsonList(readers, &json, [&](const ReportColumn* column) {
      AppendInteger(std::ranges::find(columns, column) - columns.begin(), &json);
    });
    Key("columns");
    json += '[';
    for (const ReportColumn* column : columns) {
      TFPROF_TRY(Poll(context_));
      if (column != columns.front()) json += ',';
      AddColumn(*column, rows);
    }
    json += "]}";
    return {};
  }

  void AddColumn(const ReportColumn& column, size_t rows) {
    const ColumnSpec& spec = column.spec;
    json += '{';
    Member("id", spec.id);
    Member("title", spec.title.empty() ? spec.id : spec.title);
    Member("meaning", spec.meaning);
    Member("unit", KeyOf(spec.unit));
    Member("written_unit", UnitName(WrittenUnit(spec.unit)));
    Member("type", KeyOf(spec.type));
    Member("role", KeyOf(spec.role));
    if (spec.divisor != 1) Member("divisor", std::to_string(spec.divisor));
    if (spec.long_text != LongText::no) Member("long", KeyOf(spec.long_text));
    if (!spec.label.empty()) Member("label", spec.label);
    Key("values");
    AddCells(column, rows);
    json += '}';
  }

  void AddCells(const ReportColumn& column, size_t rows) {
    switch (column.spec.type) {
      case CellType::integer:
      case CellType::boolean:
        return Integers(rows, [&](size_t row) { return column.Integer(row); });
      case CellType::real: return Place(bytes_.AddReals(std::span(column.reals).first(rows)));
      default:
        return Integers(rows, [&](size_t row) {
          return IsAbsent(column, row) ? kNoInt : texts_.Id(TextOf(column, row));
        });
    }
  }

  std::string TextOf(const ReportColumn& column, size_t row) {
    std::string text;
    if (column.spec.type == CellType::texts) {
      for (const std::string_view one : column.lists[row]) {
        if (!text.empty()) text += '\n';
        AppendPrintable(one, true, &text);
      }
      return text;
    }
    std::string plain;
    AppendPlain(column, row, false, &plain);
    AppendPrintable(plain, true, &text);
    return text;
  }

  const Report& report_;
  const Query& query_;
  const AboutAnswer& about_;
  Context& context_;
};

}  // namespace

Result<std::string> AnswerBlock(const Report& report, const Query& query, const AboutAnswer& about,
                                Context& context) {
  return AnswerWriter(report, query, about, context).Write();
}

}  // namespace tfprof
