// SPDX-License-Identifier: Apache-2.0
#include "analysis/call_flops/inputs.h"

#include "core/store/number_lists.h"

namespace tfprof {

std::vector<CallInput> ParseInputs(std::string_view shapes) {
  std::vector<CallInput> inputs;
  bool valid = true;
  const auto open = [&](int depth) {
    if (depth == 2) inputs.emplace_back();
  };
  const auto number = [&](int depth, int64_t size) {
    valid = valid && depth >= 2 && size >= 0;
    if (valid && depth == 2) inputs.back().dims.push_back(size);
  };
  const auto ignore = [](int) {};
  const bool is_read = ReadNumberLists(shapes, open, ignore, number);
  return is_read && valid ? inputs : std::vector<CallInput>();
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
  const auto number = [&](int, int64_t value) { numbers.push_back(value); };
  const auto ignore = [](int) {};
  return ReadNumberLists(text, ignore, ignore, number) ? numbers : std::vector<int64_t>();
}

}  // namespace tfprof
