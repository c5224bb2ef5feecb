// SPDX-License-Identifier: Apache-2.0
#include "core/report/refine.h"

#include <re2/re2.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "core/base/arith.h"
#include "core/base/nearest.h"
#include "core/report/column_names.h"
#include "core/text/units.h"

namespace tfprof {
namespace {

using Op = CellTest::Op;

struct Operator {
  std::string_view name;
  Op op;
};
constexpr Operator kOps[] = {{"=", Op::equal},    {"!=", Op::unequal}, {"<", Op::less},
                             {"<=", Op::at_most}, {">", Op::more},     {">=", Op::at_least},
                             {"~", Op::like}};

bool IsText(CellType type) { return type == CellType::text || type == CellType::texts; }

Failure TypeMismatch(const Where& term, std::string why, std::string hint) {
  Error error{ErrorKind::usage, "-where: " + std::move(why), {}, std::move(hint)};
  error.part = term.part;
  return Failure(std::move(error));
}

// Returns true if the number of `term` is in the unit that JSON has with `-ids original`.
bool IsOriginal(const Where& term, const ColumnSpec& spec) {
  return term.original || (term.column == spec.original && term.column != spec.id);
}

Result<void> FitInteger(const Where& term, const ColumnSpec& spec, int64_t* value) {
  const Unit unit = spec.unit;
  std::string text = term.value;
  // A bare number is in the unit of machine-readable output; ps columns use us.
  const bool bare = !text.empty() && text.find_first_not_of("+-0123456789.") == text.npos;
  if ((unit == Unit::ps || unit == Unit::ps_as_us) && bare) text += "us";
  if (unit == Unit::ps_as_ms && bare) text += IsOriginal(term, spec) ? "ms" : "us";
  Result<int64_t> parsed = ParseQuantity(text, unit);
  if (!parsed) return TypeMismatch(term, parsed.error().what, parsed.error().hint);
  *value = *parsed;
  return {};
}

// 1.5ms is 1500 for a column in us, 20% is 0.2 for a fraction.
double InUnit(double value, std::string_view suffix, Unit unit, bool* known) {
  *known = true;
  if (suffix.empty()) return value;
  if (suffix == "%" && unit == Unit::percent) return value;
  if (suffix == "%" && unit == Unit::fraction) return value / 100;
  if (unit == Unit::us || unit == Unit::ms) {
    const double us = unit == Unit::us ? 1 : 1e-3;
    if (suffix == "ns") return value * us / 1e3;
    if (suffix == "us") return value * us;
    if (suffix == "ms") return value * us * 1e3;
    if (suffix == "s") return value * us * 1e6;
  }
  *known = false;
  return value;
}

Result<void> FitReal(const Where& term, const ColumnSpec& spec, double* value) {
  char* end = nullptr;
  const double number = std::strtod(term.value.c_str(), &end);
  const std::string_view suffix(end);
  bool known = false;
  const bool written = suffix.empty() && !IsOriginal(term, spec);
  *value = InUnit(written ? number / WrittenScale(spec.unit) : number, suffix, spec.unit, &known);
  if (end != term.value.c_str() && known && std::isfinite(*value)) return {};
  return TypeMismatch(term, "'" + term.value + "' is not a number", "write 12 or 1.5");
}

Result<void> FitBoolean(const Where& term, int64_t* value) {
  for (const std::string_view yes : {"true", "yes", "1"}) {
    if (term.value == yes) *value = 1;
  }
  for (const std::string_view no : {"false", "no", "0"}) {
    if (term.value == no) *value = 0;
  }
  if (*value != kNoInt) return {};
  return TypeMismatch(term, "'" + term.value + "' is not a boolean", "write true or false");
}

Result<void> FitExpression(const Where& term, CellTest* test) {
  if (!IsText(test->column->spec.type)) {
    return TypeMismatch(term, "~ matches text, and " + term.column + " is not text",
                        "use = != < <= > >=");
  }
  auto expression = std::make_shared<re2::RE2>(term.value, re2::RE2::Quiet);
  if (!expression->ok()) return TypeMismatch(term, expression->error(), "see help regex");
  test->expression = std::move(expression);
  return {};
}

// Texts are ordered alphabetically: a comparison with a number is likely meant for another column.
Result<void> FitText(const Where& term, Op op) {
  const bool orders = op != Op::equal && op != Op::unequal;
  double number = 0;
  const char* const end = term.value.data() + term.value.size();
  if (!orders || std::from_chars(term.value.data(), end, number).ptr != end) return {};
  return TypeMismatch(term, term.column + " is text, not a number", "use = != or ~");
}

// A value in the unit of the column that its integers are multiples of: 1.5ms of a mean of 3 steps
// is 4.5 ms of their sum.
int64_t Multiplied(int64_t value, int64_t divisor) {
  bool clamped = false;
  return SaturatingMul(value, divisor, &clamped);
}

template <class T>
bool Compare(Op op, const T& cell, const T& value) {
  switch (op) {
    case Op::equal: return cell == value;
    case Op::unequal: return cell != value;
    case Op::less: return cell < value;
    case Op::at_most: return cell <= value;
    case Op::more: return cell > value;
    case Op::at_least: return cell >= value;
    case Op::like: break;
  }
  return false;
}

bool TextHolds(const CellTest& test, std::string_view cell) {
  if (test.op == Op::like) return re2::RE2::PartialMatch(cell, *test.expression);
  return Compare<std::string_view>(test.op, cell, test.text);
}

bool ListHolds(const CellTest& test, const std::vector<std::string_view>& cells) {
  // `!=` is the negation of `=`: no text of the list equals the value.
  if (test.op == Op::unequal) {
    return std::find(cells.begin(), cells.end(), test.text) == cells.end();
  }
  return std::any_of(cells.begin(), cells.end(),
                     [&](std::string_view cell) { return TextHolds(test, cell); });
}

}  // namespace

Result<CellTest> FitTerm(const Where& term, const ReportColumn& column) {
  CellTest test;
  test.column = &column;
  const Operator* known = FindNamed(kOps, term.op);
  if (known == nullptr) {
    return TypeMismatch(term, "'" + term.op + "' is not a comparison operator",
                        "use = != < <= > >= ~");
  }
  test.op = known->op;
  test.text = term.value;
  const bool tests_absence = test.op == Op::equal || test.op == Op::unequal;
  if (term.value == "-" && tests_absence) {
    test.absence = true;
    return test;
  }
  const ColumnSpec& spec = column.spec;
  if (test.op == Op::like) {
    TFPROF_TRY(FitExpression(term, &test));
  } else if (spec.type == CellType::integer) {
    TFPROF_TRY(FitInteger(term, spec, &test.integer));
    test.integer = Multiplied(test.integer, spec.divisor);
  } else if (spec.type == CellType::real) {
    TFPROF_TRY(FitReal(term, spec, &test.real));
  } else if (spec.type == CellType::boolean) {
    test.integer = kNoInt;
    TFPROF_TRY(FitBoolean(term, &test.integer));
  } else if (spec.type == CellType::tensor) {
    return TypeMismatch(term, "tensors cannot be compared", "use `" + term.column + " != -`");
  } else {
    TFPROF_TRY(FitText(term, test.op));
  }
  return test;
}

bool IsAbsent(const ReportColumn& column, size_t row) {
  switch (column.spec.type) {
    case CellType::integer:
    case CellType::boolean: return column.Integer(row) == kNoInt;
    case CellType::real: return std::isnan(column.reals[row]);
    case CellType::text: return column.texts[row].data() == nullptr;
    case CellType::texts: return column.lists[row].empty();
    case CellType::tensor: return column.tensors[row] == nullptr;
  }
  return true;
}

bool Holds(const CellTest& test, size_t row) {
  const ReportColumn& column = *test.column;
  const bool absent = IsAbsent(column, row);
  if (test.absence) return absent == (test.op == Op::equal);
  if (absent) return test.op == Op::unequal;
  switch (column.spec.type) {
    case CellType::integer:
    case CellType::boolean: return Compare(test.op, column.Integer(row), test.integer);
    case CellType::real: return Compare(test.op, column.reals[row], test.real);
    case CellType::text: return TextHolds(test, column.texts[row]);
    case CellType::texts: return ListHolds(test, column.lists[row]);
    case CellType::tensor: break;
  }
  return false;
}

Result<RowTest> FitCondition(const Condition& condition, const Table& table) {
  RowTest test{.kind = condition.kind};
  if (condition.kind == Condition::Kind::term) {
    const ReportColumn* column = ColumnCalled(table, condition.term.column);
    if (column == nullptr) return RowTest();
    TFPROF_ASSIGN(test.cell, FitTerm(condition.term, *column));
    return test;
  }
  for (const Condition& part : condition.parts) {
    TFPROF_ASSIGN(RowTest fitted, FitCondition(part, table));
    if (!fitted.empty()) test.parts.push_back(std::move(fitted));
  }
  return test;
}

bool Holds(const RowTest& test, size_t row) {
  const auto holds = [row](const RowTest& part) { return Holds(part, row); };
  switch (test.kind) {
    case Condition::Kind::term: return Holds(test.cell, row);
    case Condition::Kind::all: return std::all_of(test.parts.begin(), test.parts.end(), holds);
    case Condition::Kind::any: return std::any_of(test.parts.begin(), test.parts.end(), holds);
    case Condition::Kind::none: return std::none_of(test.parts.begin(), test.parts.end(), holds);
  }
  return false;
}

}  // namespace tfprof
