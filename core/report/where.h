// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "core/base/result.h"
#include "core/query/query.h"
#include "core/report/report.h"

namespace tfprof {

// A -where term bound to a column: the value to compare its cells with.
struct CellTest {
  enum class Op : uint8_t { equal, unequal, less, at_most, more, at_least, like };
  const ReportColumn* column = nullptr;
  Op op = Op::equal;
  bool absence = false;  // the value is `-`
  int64_t integer = 0;
  double real = 0;
  std::string text;
  std::shared_ptr<const re2::RE2> expression;  // for Op::like
};

// Error: usage (no such operator, a value that does not fit the column's type, a bad expression).
Result<CellTest> FitTerm(const Where& term, const ReportColumn& column);

// Returns true if the cell of `row` passes the test; core/report/refine.h has the rules.
bool Holds(const CellTest& test, size_t row);

bool IsAbsent(const ReportColumn& column, size_t row);

}  // namespace tfprof
