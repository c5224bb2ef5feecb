// SPDX-License-Identifier: Apache-2.0
// An answer as bytes, compressed with gzip: the length of the header (4 bytes), the header, and the
// columns (emitters/page/bytes.h). The header is JSON:
//
//   view, facts: [[head, fact...]...], notes: [...], folded, charts: [...], strings: N
//   tables: [{name, title, rows, tree, left_out, ordered_by, readers: [column...], columns: [...]}]
//
// A column has its declaration (id, title, meaning, unit, written_unit, type, role, divisor, long)
// and where its values are: at, width, base. Texts, lists and tensors are numbers of texts. A list
// is a text with a line feed between its members: printable names have none. The texts themselves
// are a column of their lengths in bytes, `lengths`, and their bytes, from `texts` on.
#include <algorithm>

#include "emitters/cells.h"
#include "emitters/data/json_values.h"
#include "emitters/notes.h"
#include "emitters/page/bytes.h"
#include "emitters/page/page.h"
#include "emitters/printable.h"
#include "emitters/table/facts.h"
#include "emitters/table/layout.h"
#include "emitters/table/parts.h"

namespace tfprof {
namespace {

// The page formats numbers as core/base/units.h does: it needs the unit of the stored values.
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

class AnswerWriter {
 public:
  AnswerWriter(const Report& report, const Query& query, Context& context)
      : report_(report), query_(query), context_(context) {}

  Result<std::string> Write() {
    header_ = "{";
    Member("view", report_.view);
    AddFacts();
    List("notes", NotesBelow(report_));
    Member("folded", FoldedText(report_, "-fold false"));
    AddCharts();
    Key("tables");
    header_ += '[';
    for (const Table& table : report_.tables) {
      if (&table != &report_.tables[0]) header_ += ',';
      TFPROF_TRY(AddTable(table));
    }
    header_ += ']';
    AddStrings();
    header_ += '}';
    return Compressed();
  }

 private:
  void Key(std::string_view key) {
    if (header_.back() != '{') header_ += ',';
    AppendJsonString(key, &header_);
    header_ += ':';
  }
  void Member(std::string_view key, std::string_view text) {
    Key(key);
    AppendJsonString(PrintableText(text), &header_);
  }
  void Number(std::string_view key, int64_t value) {
    Key(key);
    AppendJsonNumber(value, &header_);
  }
  void Texts(const std::vector<std::string>& texts) {
    AppendJsonList(texts, &header_, [&](const std::string& text) {
      AppendJsonString(PrintableText(text), &header_);
    });
  }
  void List(std::string_view key, const std::vector<std::string>& texts) {
    Key(key);
    Texts(texts);
  }

  void AddFacts() {
    std::vector<std::vector<std::string>> lines;
    for (const FactLine& line : FactLines(report_, true)) {
      lines.push_back({line.head});
      lines.back().insert(lines.back().end(), line.facts.begin(), line.facts.end());
    }
    Key("facts");
    AppendJsonList(lines, &header_, [&](const std::vector<std::string>& line) { Texts(line); });
  }

  void AddCharts() {
    Key("charts");
    AppendJsonList(report_.charts, &header_, [&](const Chart& chart) {
      header_ += '{';
      Member("kind", chart.kind == Chart::Kind::bars ? "bars" : "curve");
      Member("title", chart.title);
      Member("unit", KeyOf(chart.unit));
      List("parts", chart.parts);
      List("labels", chart.labels);
      Key("values");
      AppendJsonList(chart.values, &header_,
                     [&](int64_t value) { AppendJsonNumber(value, &header_); });
      header_ += '}';
    });
  }

  Result<void> AddTable(const Table& table) {
    header_ += '{';
    Member("name", table.name);
    Member("title", HeadingOf(table));
    const size_t rows = table.PrintedRows();
    Number("rows", static_cast<int64_t>(rows));
    Number("left_out", table.omitted_rows);
    Member("ordered_by", table.ordered_by);
    Key("cards");
    header_ += IsCards(table, query_.display) ? "true" : "false";
    Key("human");
    header_ += table.human_readable ? "true" : "false";
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
    AppendJsonList(readers, &header_, [&](const ReportColumn* column) {
      AppendInteger(std::ranges::find(columns, column) - columns.begin(), &header_);
    });
    Key("columns");
    header_ += '[';
    for (const ReportColumn* column : columns) {
      TFPROF_TRY(Poll(context_));
      if (column != columns.front()) header_ += ',';
      AddColumn(*column, rows);
    }
    header_ += "]}";
    return {};
  }

  void AddColumn(const ReportColumn& column, size_t rows) {
    const ColumnSpec& spec = column.spec;
    header_ += '{';
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
    header_ += '}';
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

  template <class ValueOf>
  void Integers(size_t rows, ValueOf value_of) {
    std::vector<int64_t> values(rows);
    for (size_t row = 0; row < rows; ++row) values[row] = value_of(row);
    Place(bytes_.AddIntegers(values));
  }

  void Place(const StoredColumn& column) {
    header_ += '{';
    Number("at", static_cast<int64_t>(column.at));
    Number("width", column.width);
    if (column.base != kNoInt) Member("base", std::to_string(column.base));
    header_ += '}';
  }

  void AddStrings() {
    std::vector<int64_t> lengths;
    std::string all;
    for (const std::string* text : texts_.texts) {
      lengths.push_back(static_cast<int64_t>(text->size()));
      all += *text;
    }
    Number("strings", static_cast<int64_t>(lengths.size()));
    Key("lengths");
    Place(bytes_.AddIntegers(lengths));
    Number("texts", static_cast<int64_t>(bytes_.data.size()));
    bytes_.data += all;
  }

  Result<std::string> Compressed() {
    Sink whole;
    GzipSink gzip(whole);
    std::string size;
    for (int shift = 0; shift < 32; shift += 8)
      size += static_cast<char>(header_.size() >> shift & 255);
    gzip.sink().Append(size);
    gzip.sink().Append(header_);
    gzip.sink().Append(bytes_.data);
    TFPROF_TRY(gzip.Finish());
    return std::move(whole.buffer);
  }

  const Report& report_;
  const Query& query_;
  Context& context_;
  std::string header_;
  PageBytes bytes_;
  PageTexts texts_;
};

}  // namespace

Result<std::string> AnswerBlock(const Report& report, const Query& query, Context& context) {
  return AnswerWriter(report, query, context).Write();
}

}  // namespace tfprof
