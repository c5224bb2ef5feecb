// SPDX-License-Identifier: Apache-2.0
#include "analysis/call_flops/inputs.h"

#include <charconv>

#include "core/base/ascii.h"

namespace tfprof {

std::vector<CallInput> ParseInputs(std::string_view shapes) {
  std::vector<CallInput> inputs;
  int depth = 0;
  for (size_t i = 0; i < shapes.size(); ++i) {
    const char c = shapes[i];
    if (c == '[') {
      ++depth;
      if (depth == 2) inputs.emplace_back();
      if (depth == 3) inputs.back().is_list = true;
    } else if (c == ']') {
      if (--depth < 0) return {};
    } else if (IsDigit(c)) {
      int64_t size = -1;
      const auto read = std::from_chars(shapes.data() + i, shapes.data() + shapes.size(), size);
      if (read.ec != std::errc() || depth < 2) return {};
      if (depth == 2) inputs.back().dims.push_back(size);
      i = static_cast<size_t>(read.ptr - shapes.data()) - 1;
    } else if (c == '-') {
      return {};
    }
  }
  return depth == 0 ? inputs : std::vector<CallInput>();
}

std::vector<std::string_view> ParseValues(std::string_view values) {
  std::vector<std::string_view> texts;
  for (size_t open = values.find('"'); open != values.npos; open = values.find('"', open)) {
    size_t close = open + 1;
    while (close < values.size() && values[close] != '"') close += values[close] == '\\' ? 2 : 1;
    if (close >= values.size()) break;
    texts.push_back(values.substr(open + 1, close - open - 1));
    open = close + 1;
  }
  return texts;
}

std::vector<int64_t> ParseNumbers(std::string_view text) {
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '[' || c == ']' || c == ',' || c == ' ') continue;
    int64_t number = 0;
    const auto read = std::from_chars(text.data() + i, text.data() + text.size(), number);
    if (read.ec != std::errc()) return {};
    numbers.push_back(number);
    i = static_cast<size_t>(read.ptr - text.data()) - 1;
  }
  return numbers;
}

}  // namespace tfprof
