// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <iterator>

#include "core/base/arith.h"
#include "emitters/cells.h"
#include "emitters/classic/classic.h"

namespace tfprof {
namespace {

// Below this bound, a quotient as a double is off by less than a hundredth of the digit that
// decides the rounding, unless it is a tie.
constexpr int64_t kExactBelow = 1'000'000'000'000'000;

using Kind = ClassicCell::Kind;

// In the order of op and code; scope and graph put params and float_ops first.
constexpr ClassicCell kCells[] = {
    {Kind::memory, Attribute::bytes, "bytes", "requested bytes"},
    {Kind::memory, Attribute::peak_bytes, "peak_bytes", "peak bytes"},
    {Kind::memory, Attribute::residual_bytes, "residual_bytes", "residual bytes"},
    {Kind::memory, Attribute::output_bytes, "output_bytes", "output bytes"},
    {Kind::time, Attribute::micros, "micros", "total execution time"},
    {Kind::time, Attribute::accelerator_micros, "accelerator_micros", "accelerator execution time"},
    {Kind::time, Attribute::cpu_micros, "cpu_micros", "cpu execution time"},
    {Kind::count, Attribute::params, "params", "# parameters", " params", " params"},
    {Kind::count, Attribute::float_ops, "float_ops", "# float_ops", " flops", " float_ops"},
    {Kind::device, Attribute::device, "device", "assigned devices"},
    {Kind::op_types, Attribute::op_types, "op_types", "op types"},
    {Kind::occurrence, Attribute::occurrence, "occurrence_run", "op occurrence (run|defined)"},
    {Kind::input_shapes, Attribute::input_shapes, "input_shapes", "input shapes"},
};

bool IsRequested(const ClassicCell& cell, const Display& display) {
  if (display.Selects(cell.attribute)) return true;
  // micros selects its two halves.
  return cell.kind == Kind::time && display.Selects(Attribute::micros);
}

struct Scale {
  int64_t divisor;
  std::string_view unit;
};

// Appends the value in the largest unit of `scales`, which ascend, that it reaches; else whole.
void AppendScaledBy(std::initializer_list<Scale> scales, std::string_view unit, int64_t value,
                    std::string* out) {
  value = ZeroIfAbsent(value);
  const Scale* largest = nullptr;
  for (const Scale& scale : scales) {
    if (value >= scale.divisor) largest = &scale;
  }
  largest == nullptr ? AppendInteger(value, out) : AppendQuotient(value, largest->divisor, out);
  out->append(largest == nullptr ? unit : largest->unit);
}

// The original truncates the text to this length whenever a bracket closes.
constexpr size_t kMaxCharacters = 10000;
constexpr std::string_view kClose = "],\n";

// The original prints a real through a C++ stream first: six significant digits.
void AppendValue(const TensorValue& tensor, size_t at, std::string* out) {
  if (tensor.kind == TensorValue::Kind::integer) {
    AppendInteger(tensor.integers[at], out);
  } else {
    char digits[40];
    std::snprintf(digits, sizeof digits, "%g", tensor.reals[at]);
    AppendTwoDecimals(std::strtod(digits, nullptr), out);
  }
  out->push_back(' ');
}

// Formats everything before the cut. Stops once nothing more would survive the cut, so that a
// tensor of a gigabyte costs no more than its beginning.
std::string Brackets(const TensorValue& tensor) {
  std::string text = "[";
  if (tensor.shape.empty()) {
    AppendValue(tensor, 0, &text);
    return text.append(kClose);
  }
  size_t value = 0;
  std::vector<int64_t> at{0};  // the position in each open bracket
  while (!at.empty() && text.size() < kMaxCharacters) {
    const size_t depth = at.size() - 1;
    if (at.back() >= tensor.shape[depth]) {
      text.append(kClose);
      at.pop_back();
      continue;
    }
    ++at.back();
    if (at.size() == tensor.shape.size()) {
      AppendValue(tensor, value++, &text);
    } else {
      text.push_back('[');
      at.push_back(0);
    }
  }
  // The last bracket that would have closed makes the cut.
  if (!at.empty()) text.replace(kMaxCharacters, std::string::npos, kClose);
  return text;
}

}  // namespace

void AppendTwoDecimals(double value, std::string* out) {
  char text[400];  // the largest double has 309 digits
  const int length = std::snprintf(text, sizeof text, "%.2f", value);
  if (length > 0) out->append(text, static_cast<size_t>(length));
}

// A tie is a third decimal of 5 with only zeros after it. There the double lies slightly above or
// below the tie, and only printf rounds it alike; integers decide everything else.
void AppendQuotient(int64_t value, int64_t divisor, std::string* out) {
  const int64_t hundredth = divisor / 100;
  const int64_t rest = value % hundredth;
  if (value >= kExactBelow || rest * 2 == hundredth) {
    return AppendTwoDecimals(static_cast<double>(value) / static_cast<double>(divisor), out);
  }
  const int64_t hundredths = value / hundredth + (rest * 2 > hundredth ? 1 : 0);
  char text[24];
  char* end = std::to_chars(std::begin(text), std::end(text), hundredths / 100).ptr;
  *end++ = '.';
  *end++ = static_cast<char>('0' + hundredths % 100 / 10);
  *end++ = static_cast<char>('0' + hundredths % 10);
  out->append(text, static_cast<size_t>(end - text));
}

void AppendClassicCount(int64_t value, std::string* out) {
  AppendScaledBy({{1'000, "k"}, {1'000'000, "m"}, {1'000'000'000, "b"}}, "", value, out);
}
void AppendClassicTime(int64_t us, std::string* out) {
  AppendScaledBy({{1'000, "ms"}, {1'000'000, "sec"}}, "us", us, out);
}
std::vector<ClassicCell> ClassicCells(std::string_view view, const Display& display) {
  const bool of_nodes = view == "scope" || view == "graph";
  std::vector<ClassicCell> first, rest;
  for (ClassicCell cell : kCells) {
    if (!IsRequested(cell, display)) continue;
    if (of_nodes && cell.kind == Kind::occurrence) cell.legend = "op count (run|defined)";
    (of_nodes && cell.kind == Kind::count ? first : rest).push_back(cell);
  }
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

int64_t ClassicValue(const ReportColumn& column, size_t row) {
  const int64_t value = column.Integer(row);
  const bool in_ps = column.spec.unit == Unit::ps_as_us && value != kNoInt;
  return in_ps ? value / kPsPerUs : value;
}

void AppendClassicNumber(Kind kind, int64_t value, std::string* out) {
  switch (kind) {
    case Kind::memory:  // 999B, 1.00KB, 1.00MB
      return AppendScaledBy({{1'000, "KB"}, {1'000'000, "MB"}}, "B", value, out);
    case Kind::time: return AppendClassicTime(value, out);
    default: return AppendClassicCount(value, out);
  }
}

Result<const ReportColumn*> ClassicColumn(const Table& table, std::string_view prefix,
                                          std::string_view id) {
  const std::string name = fmt::format("{}{}", prefix, id);
  const ReportColumn* column = table.Find(name);
  if (column != nullptr) return column;
  return Fail(ErrorKind::internal,
              fmt::format("the table {} has no column {} for classic text", table.name, name));
}

void AppendClassicTensor(const TensorValue& tensor, std::string* out) {
  if (tensor.kind == TensorValue::Kind::unsupported) return;
  const std::string text = Brackets(tensor);
  out->append(text);
  if (text.size() >= kMaxCharacters) out->append("...omitted from display\n\n");
}

}  // namespace tfprof
