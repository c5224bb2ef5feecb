// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>

#include "core/hlo/program_print.h"

namespace tfprof {
namespace {

void AppendLayout(const Program& program, const TensorType& type, std::string* out) {
  const bool is_plain = type.tiles.count == 0 && type.memory_space == 0;
  if (!type.has_layout || (type.dims.count == 0 && is_plain)) return;
  out->push_back('{');
  AppendNumbers(program.Numbers(type.minor_to_major), out);
  if (!is_plain) out->push_back(':');
  for (uint32_t i = 0; i < type.tiles.count; ++i) {
    out->append(i == 0 ? "T(" : "(");
    AppendNumbers(program.Numbers(program.tiles[type.tiles.first + i]), out);
    out->push_back(')');
  }
  if (type.memory_space != 0) {
    fmt::format_to(std::back_inserter(*out), "S({})", type.memory_space);
  }
  out->push_back('}');
}

void AppendArray(const Program& program, const TensorType& type, std::string* out) {
  out->append(ElementName(type.element));
  const bool has_dims = ElementBits(type.element) > 0;
  if (!has_dims) {
    if (type.element == ElementType::token || type.element == ElementType::opaque) {
      out->append("[]");
    }
    return;
  }
  out->push_back('[');
  const auto is_dynamic = program.Numbers(type.is_dynamic);
  const auto dims = program.Numbers(type.dims);
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i > 0) out->push_back(',');
    if (i < is_dynamic.size() && is_dynamic[i] != 0) out->append("<=");
    fmt::format_to(std::back_inserter(*out), "{}", dims[i]);
  }
  out->push_back(']');
  AppendLayout(program, type, out);
}

}  // namespace

void AppendNumbers(std::span<const int64_t> numbers, std::string* out, char separator) {
  for (size_t i = 0; i < numbers.size(); ++i) {
    if (i > 0) out->push_back(separator);
    fmt::format_to(std::back_inserter(*out), "{}", numbers[i]);
  }
}

void AppendSeparator(size_t next, std::string* out) {
  constexpr size_t kEach = 5;
  if (next == 0) return;
  out->append(", ");
  if (next % kEach == 0) fmt::format_to(std::back_inserter(*out), "/*index={}*/", next);
}

void AppendType(const Program& program, const TensorType& type, std::string* out) {
  if (type.element != ElementType::tuple) return AppendArray(program, type, out);
  struct Open {
    Range parts;
    uint32_t next;
  };
  std::vector<Open> open{{type.parts, 0}};
  out->push_back('(');
  while (!open.empty()) {
    Open& top = open.back();
    if (top.next == top.parts.count) {
      out->push_back(')');
      open.pop_back();
      continue;
    }
    AppendSeparator(top.next, out);
    const TensorType& part = program.types[top.parts.first + top.next++];
    if (part.element == ElementType::tuple) {
      out->push_back('(');
      open.push_back({part.parts, 0});
    } else {
      AppendArray(program, part, out);
    }
  }
}

}  // namespace tfprof
