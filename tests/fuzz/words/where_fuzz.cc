// SPDX-License-Identifier: Apache-2.0
// Any text as the value of a term of -where, about cells of every type, and as a condition. A term
// and its opposite part the rows, and so do a condition and its negation. A condition is printed as
// it can be typed.
#include "core/report/refine.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/refining.h"

namespace tfprof {
namespace {

// How many rows hold. -1: the term does not fit the column.
int RowsWith(const ReportColumn& column, std::string_view op, std::string_view value) {
  const Where term{column.spec.id, std::string(op), std::string(value)};
  const Result<CellTest> test = FitTerm(term, column);
  if (!test) return -1;
  int rows = 0;
  for (size_t row = 0; row < 3; ++row) rows += Holds(*test, row) ? 1 : 0;
  return rows;
}

void CheckColumn(const ReportColumn& column, std::string_view value) {
  int present = 0;
  for (size_t row = 0; row < 3; ++row) present += IsAbsent(column, row) ? 0 : 1;
  const auto rows = [&](std::string_view op) { return RowsWith(column, op, value); };
  Require(rows("=") < 0 || rows("=") + rows("!=") == 3, "= and != do not part the rows");
  const bool is_list = column.spec.type == CellType::texts;  // holds when one of its texts does
  if (is_list || rows("<") < 0) return;
  Require(rows("<") + rows(">=") == present, "< and >= do not part the rows");
  Require(rows(">") + rows("<=") == present, "> and <= do not part the rows");
  (void)rows("~");
}

std::string TextOfTerms(const Condition& condition) {
  std::string text;
  EachTerm(condition,
           [&](const Where& term) { text += term.column + term.op + term.value + "\n"; });
  return text;
}

void CheckCondition(const Table& table, std::string_view text) {
  const Result<Condition> condition = ParseCondition(text);
  if (!condition) {
    const ValuePart& part = condition.error().part;
    Require(part.begin <= part.end && part.end <= text.size() + 1, "an error beyond the text");
    return;
  }
  const std::string printed = PrintCondition(*condition);
  const Result<Condition> again = ParseCondition(printed);
  Require(again.has_value() && PrintCondition(*again) == printed, "prints otherwise: " + printed);
  Require(TextOfTerms(*again) == TextOfTerms(*condition), "other terms: " + printed);
  Condition negation{.kind = Condition::Kind::none};
  negation.parts.push_back(*condition);
  const Result<RowTest> test = FitCondition(*condition, table);
  const Result<RowTest> opposite = FitCondition(negation, table);
  Require(test.has_value() == opposite.has_value(), "a negation that fits otherwise");
  if (!test || test->empty()) return;
  for (size_t row = 0; row < table.rows; ++row) {
    Require(Holds(*test, row) != Holds(*opposite, row), "a condition and its negation do not part");
  }
}

}  // namespace
}  // namespace tfprof

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  Report report = List();
  for (const ReportColumn& column : report.tables[0].columns) {
    CheckColumn(column, BytesOf(data, size));
  }
  CheckCondition(report.tables[0], BytesOf(data, size));
  return 0;
}
