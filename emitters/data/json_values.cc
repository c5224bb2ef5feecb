// SPDX-License-Identifier: Apache-2.0
#include "emitters/data/json_values.h"

#include <cmath>

#include "core/base/ascii.h"
#include "emitters/cells.h"
#include "emitters/printable.h"

namespace tfprof {
namespace {

constexpr char kHexUpper[] = "0123456789ABCDEF";

bool IsPlain(char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

void AppendControl(unsigned char c, std::string* out) {
  constexpr std::string_view kShort = "\b\f\n\r\t\"\\";
  constexpr std::string_view kLetters = "bfnrt\"\\";
  const size_t at = kShort.find(static_cast<char>(c));
  out->push_back('\\');
  if (at != std::string_view::npos) {
    out->push_back(kLetters[at]);
  } else {
    out->append("u00");
    out->push_back(kHexDigits[c >> 4]);
    out->push_back(kHexDigits[c & 15]);
  }
}

// Appends the byte or UTF-8 sequence at the start of `text` and returns its length.
size_t AppendSpecial(std::string_view text, std::string* out) {
  const auto c = static_cast<unsigned char>(text[0]);
  if (c < 0x80) {
    AppendControl(c, out);
    return 1;
  }
  const size_t length = Utf8Length(text);
  if (length > 0) {
    out->append(text.substr(0, length));
    return length;
  }
  out->append("\\ufffd");
  out->push_back(kHexUpper[c >> 4]);
  out->push_back(kHexUpper[c & 15]);
  return 1;
}

void AppendTensorObject(const TensorValue& tensor, std::string* out) {
  const auto integer = [out](int64_t value) { AppendInteger(value, out); };
  const auto real = [out](double value) {
    if (!std::isfinite(value)) out->push_back('"');
    AppendReal(value, out);
    if (!std::isfinite(value)) out->push_back('"');
  };
  out->append("{\"dtype\":");
  AppendInteger(tensor.dtype, out);
  out->append(",\"shape\":");
  AppendJsonList(tensor.shape, out, integer);
  out->append(",\"values\":");
  switch (tensor.kind) {
    case TensorValue::Kind::integer: AppendJsonList(tensor.integers, out, integer); break;
    case TensorValue::Kind::real: AppendJsonList(tensor.reals, out, real); break;
    case TensorValue::Kind::unsupported: out->append("null"); break;
  }
  out->push_back('}');
}

}  // namespace

void AppendJsonString(std::string_view text, std::string* out) {
  out->push_back('"');
  size_t at = 0;
  while (at < text.size()) {
    size_t plain = at;
    while (plain < text.size() && IsPlain(text[plain])) ++plain;
    out->append(text.substr(at, plain - at));
    at = plain;
    if (at < text.size()) at += AppendSpecial(text.substr(at), out);
  }
  out->push_back('"');
}

void AppendForScript(std::string_view json, std::string* out) {
  for (const char c : json) c == '<' ? void(out->append("\\u003c")) : out->push_back(c);
}

void AppendJsonNumber(int64_t value, std::string* out, Unit unit, int64_t divisor) {
  value == kNoInt ? void(out->append("null")) : AppendScaled(value, unit, out, divisor);
}

void AppendJsonNumber(double value, std::string* out) {
  std::isfinite(value) ? AppendReal(value, out) : void(out->append("null"));
}

void AppendJsonStrings(const std::vector<std::string_view>& list, std::string* out) {
  AppendJsonList(list, out, [&](std::string_view text) { AppendJsonString(text, out); });
}

void AppendJsonCell(const ReportColumn& column, size_t row, bool original, std::string* out) {
  switch (column.spec.type) {
    case CellType::integer:
      return AppendJsonNumber(column.Integer(row), out, UnitIn(column.spec.unit, original),
                              column.spec.divisor);
    case CellType::real:
      return AppendJsonNumber(RealIn(column.reals[row], column.spec.unit, original), out);
    case CellType::texts: return AppendJsonStrings(column.lists[row], out);
    default: break;
  }
  if (IsAbsent(column, row)) {
    out->append("null");
  } else if (column.spec.type == CellType::boolean) {
    out->append(column.Integer(row) != 0 ? "true" : "false");
  } else if (column.spec.type == CellType::text) {
    AppendJsonString(column.texts[row], out);
  } else {
    AppendTensorObject(*column.tensors[row], out);
  }
}

}  // namespace tfprof
