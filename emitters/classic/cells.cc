// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>

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
    {Kind::count, Attribute::params, "params", "# parameters", " params, ", " params"},
    {Kind::count, Attribute::float_ops, "float_ops", "# float_ops", " flops, ", " float_ops"},
    {Kind::device, Attribute::device, "device", "assigned devices"},
    {Kind::op_types, Attribute::op_types, "op_types", "op types"},
    {Kind::occurrence, Attribute::occurrence, "occurrence_run", "op occurrence (run|defined)"},
    {Kind::input_shapes, Attribute::input_shapes, "input_shapes", "input shapes"},
};

static_assert(std::size(kCells) <= kMostClassicCells);

bool IsRequested(const ClassicCell& cell, const Display& display) {
  if (display.Selects(cell.attribute)) return true;
  // micros selects its two halves.
  return cell.kind == Kind::time && display.Selects(Attribute::micros);
}

// The units of a kind of cells: that of the value as it is, and of its thousandth, its millionth
// and its billionth (empty: the kind has none).
struct Units {
  ShortText one, thousand, million, billion;
};
constexpr Units kMemoryUnits{"B", "KB", "MB", ""};
constexpr Units kTimeUnits{"us", "ms", "sec", ""};
constexpr Units kCountUnits{"", "k", "m", "b"};

// Most numbers of a tree have few digits.
char* PutInteger(int64_t value, char* to) {
  auto rest = static_cast<uint64_t>(value);
  if (rest >= 1'000) return std::to_chars(to, to + kNumberBytes, value).ptr;
  char* const end = to + (rest >= 100 ? 3 : rest >= 10 ? 2 : 1);
  char* at = end;
  do {
    *--at = static_cast<char>('0' + rest % 10);
    rest /= 10;
  } while (at != to);
  return end;
}

// Writes the value in the largest unit that it reaches.
char* PutScaled(const Units& units, int64_t value, char* to) {
  value = ZeroIfAbsent(value);
  if (value < 1'000) return units.one.Put(PutInteger(value, to));
  if (value < 1'000'000) return units.thousand.Put(PutQuotient(value, 1'000, to));
  if (value < 1'000'000'000 || units.billion.size == 0) {
    return units.million.Put(PutQuotient(value, 1'000'000, to));
  }
  return units.billion.Put(PutQuotient(value, 1'000'000'000, to));
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
char* PutQuotient(int64_t value, int64_t divisor, char* to) {
  const int64_t hundredth = divisor / 100;
  const int64_t rest = value % hundredth;
  if (value >= kExactBelow || rest * 2 == hundredth) {
    const double quotient = static_cast<double>(value) / static_cast<double>(divisor);
    return to + std::snprintf(to, kNumberBytes, "%.2f", quotient);
  }
  const int64_t hundredths = value / hundredth + (rest * 2 > hundredth ? 1 : 0);
  char* end = PutInteger(hundredths / 100, to);
  *end++ = '.';
  *end++ = static_cast<char>('0' + hundredths % 100 / 10);
  *end++ = static_cast<char>('0' + hundredths % 10);
  return end;
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

char* PutClassicNumber(Kind kind, int64_t value, char* to) {
  switch (kind) {
    case Kind::memory: return PutScaled(kMemoryUnits, value, to);
    case Kind::time: return PutScaled(kTimeUnits, value, to);
    default: return PutScaled(kCountUnits, value, to);
  }
}

void AppendClassicNumber(Kind kind, int64_t value, std::string* out) {
  char text[kNumberBytes];
  out->append(text, static_cast<size_t>(PutClassicNumber(kind, value, text) - text));
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
