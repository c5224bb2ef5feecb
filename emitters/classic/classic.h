// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/arith.h"
#include "core/base/context.h"
#include "core/base/sink.h"
#include "core/query/query.h"
#include "core/report/report.h"

// The original's text for scope, graph, op, code and advise. From the line `Profile:` on it is
// fixed byte for byte; the prose before it is ours. The parts are declared here; classic.cc joins
// them.

namespace tfprof {

// A few characters that are copied at once, whatever their number.
struct ShortText {
  static constexpr size_t kBytes = 16;  // that Put writes

  template <size_t kSize>
  constexpr ShortText(const char (&text)[kSize]) : size(kSize - 1) {
    static_assert(kSize <= kBytes);
    std::copy_n(text, kSize, bytes);
  }
  char* Put(char* to) const {
    std::memcpy(to, bytes, sizeof bytes);
    return to + size;
  }

  char bytes[kBytes] = {};
  uint8_t size;
};

// One cell of a row; cells are printed in this order.
struct ClassicCell {
  enum class Kind { memory, time, count, device, op_types, occurrence, input_shapes };
  Kind kind = Kind::count;
  Attribute attribute = Attribute::bytes;
  std::string_view id;          // of the column of self values
  std::string_view legend;      // its part of the legend line
  ShortText tree_after = ", ";  // after the number
  std::string_view op_suffix = {};
};

// Returns the cells that -select picks, at most kMostClassicCells, in the view's order, not that of
// -select.
inline constexpr size_t kMostClassicCells = 13;
std::vector<ClassicCell> ClassicCells(std::string_view view, const Display& display);

// Appends the block that explains the view and its columns.
void AppendClassicDoc(std::string_view view, const Display& display, std::string* out);

// Writes the rows of scope, graph and code; EmitClassicOp writes those of op.
Result<void> EmitClassicTree(const Report& report, const Display& display, Sink& sink,
                             Context& context);
Result<void> EmitClassicOp(const Report& report, const Display& display, Sink& sink,
                           Context& context);

// A section of advise: the original's reports of one checker, each of one or more lines.
struct ClassicSection {
  std::string_view name;
  std::vector<std::string> reports;
};
// Returns the sections of the selected checkers, by name.
Result<std::vector<ClassicSection>> ClassicSections(const Report& report);

// Writes the sections of advise.
Result<void> EmitClassicAdvice(const Report& report, Sink& sink);

// Returns the value of a cell as the original has it: times are whole microseconds.
inline int64_t ClassicValue(const ReportColumn& column, size_t row) {
  const int64_t value = column.Integer(row);
  const bool in_ps = column.spec.unit == Unit::ps_as_us && value != kNoInt;
  return in_ps ? value / kPsPerUs : value;
}

// Appends the values of a tensor in nested brackets, a line per bracket; at most about 10000
// characters.
void AppendClassicTensor(const TensorValue& tensor, std::string* out);

// Returns the column `prefix` + `id`. Error: internal, if the view did not fill it.
Result<const ReportColumn*> ClassicColumn(const Table& table, std::string_view prefix,
                                          std::string_view id);

// The original prints names as C strings, up to the first NUL.
inline std::string_view AsCString(std::string_view text) { return text.substr(0, text.find('\0')); }

// Numbers as the original prints them: %.2f followed by the unit. The unit is chosen before
// rounding (999995us is 1000.00ms). Absent values (kNoInt) print as 0. Most of a tree is numbers,
// so they are written to an array: put functions write at most kNumberBytes bytes from `to` on and
// return their end.

inline constexpr size_t kNumberBytes = 48;  // 20 digits, a point, and ShortText::kBytes

// The number of a cell with its unit: 999B, 1.00KB, 1.00MB; 999us, 1.00ms, 1.00sec; of all other
// kinds: 999, 1.00k, 1.00m, 1.00b.
char* PutClassicNumber(ClassicCell::Kind kind, int64_t value, char* to);
void AppendClassicNumber(ClassicCell::Kind kind, int64_t value, std::string* out);

// Exactly what printf("%.2f", value / divisor) prints. REQUIRES: `value` is at least 0 and
// `divisor` is 1000, 1000000 or 1000000000.
char* PutQuotient(int64_t value, int64_t divisor, char* to);

// Appends printf("%.2f", value), also for nan and inf.
void AppendTwoDecimals(double value, std::string* out);

}  // namespace tfprof
