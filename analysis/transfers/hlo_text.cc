// SPDX-License-Identifier: Apache-2.0
#include "analysis/transfers/hlo_text.h"

#include <algorithm>
#include <charconv>

#include "core/base/arith.h"
#include "core/base/ascii.h"

namespace tfprof {
namespace {

bool IsNameCharacter(char c) {
  return IsDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' ||
         c == '.';
}

// kNoInt: there is none.
int64_t NumberAt(std::string_view text) {
  int64_t number = kNoInt;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// f32: 32, bf16: 16, f8e4m3fn: 8; pred takes a byte. 0: the element has no size.
int64_t BitsOf(std::string_view element) {
  if (element == "pred") return 8;
  while (!element.empty() && !IsDigit(element[0])) element.remove_prefix(1);
  return element.empty() ? 0 : std::max<int64_t>(0, NumberAt(element));
}

int64_t BytesOf(std::string_view element, std::string_view dims) {
  int64_t elements = 1;
  bool clamped = false;
  while (!dims.empty()) {
    if (dims.starts_with("<=")) dims.remove_prefix(2);
    const int64_t size = NumberAt(dims);
    elements = size < 0 ? 0 : SaturatingMul(elements, size, &clamped);
    const size_t comma = dims.find(',');
    dims.remove_prefix(comma == dims.npos ? dims.size() : comma + 1);
  }
  const int64_t bits = BitsOf(element);
  const int64_t rest_bits = SaturatingMul(elements % 8, bits, &clamped);
  return SaturatingAdd(SaturatingMul(elements / 8, bits, &clamped),
                       rest_bits / 8 + (rest_bits % 8 > 0));
}

// Returns the end of the group that the bracket at the start of `text` opens; npos: it does not
// end.
size_t GroupEnd(std::string_view text) {
  size_t depth = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '{' || text[i] == '[') ++depth;
    if (text[i] == ')' || text[i] == '}' || text[i] == ']') {
      if (--depth == 0) return i + 1;
    }
  }
  return text.npos;
}

// Removes the group at the start of `rest` and returns it without its brackets; empty: there is
// none.
std::string_view TakeGroup(char bracket, std::string_view* rest) {
  if (rest->empty() || (*rest)[0] != bracket) return {};
  const size_t end = std::min(GroupEnd(*rest), rest->size());
  const std::string_view group = rest->substr(1, end < 2 ? 0 : end - 2);
  rest->remove_prefix(end);
  return group;
}

// Reads tensors and names in printed order, flattening tuples.
void ReadTensors(std::string_view text, std::vector<PrintedTensor>* tensors,
                 std::vector<std::string_view>* names) {
  while (!text.empty()) {
    const bool is_name = text[0] == '%';
    if (is_name) text.remove_prefix(1);
    size_t length = 0;
    while (length < text.size() && IsNameCharacter(text[length])) ++length;
    const std::string_view word = text.substr(0, length);
    text.remove_prefix(length);
    if (is_name) {
      if (names != nullptr) names->push_back(word);
    } else if (length > 0 && !text.empty() && text[0] == '[') {
      PrintedTensor tensor{.bytes = BytesOf(word, TakeGroup('[', &text)), .element = word};
      const std::string_view layout = TakeGroup('{', &text);
      const size_t space = layout.find("S(");
      if (space != layout.npos) tensor.memory_space = NumberAt(layout.substr(space + 2));
      tensors->push_back(tensor);
    } else if (!is_name && length == 0) {
      text.remove_prefix(1);
    }
  }
}

// copy-start for copy-start.2
std::string_view WithoutNumber(std::string_view name) {
  std::string_view stem = name;
  while (!stem.empty() && IsDigit(stem.back())) stem.remove_suffix(1);
  return stem.size() < name.size() && stem.ends_with('.') ? stem.substr(0, stem.size() - 1) : name;
}

}  // namespace

PrintedInstruction ParseInstruction(std::string_view text) {
  PrintedInstruction read;
  const size_t equals = text.find(" = ");
  std::string_view name = text.substr(0, equals);
  if (name.starts_with('%')) name.remove_prefix(1);
  read.name = name;
  read.opcode = WithoutNumber(name);
  if (equals == text.npos) return read;
  std::string_view rest = text.substr(equals + 3);
  const bool is_tuple = rest.starts_with('(');
  const size_t type_end = is_tuple ? GroupEnd(rest) : rest.find(' ');
  if (type_end == rest.npos) return read;
  const std::string_view type = rest.substr(0, type_end);
  rest.remove_prefix(std::min(type_end + 1, rest.size()));
  const size_t open = rest.find('(');
  if (open == rest.npos || GroupEnd(rest.substr(open)) == rest.npos) return read;
  read.opcode = rest.substr(0, open);
  read.has_types = true;
  ReadTensors(type, &read.made, nullptr);
  rest.remove_prefix(open);
  ReadTensors(TakeGroup('(', &rest), &read.operands, &read.operand_names);
  return read;
}

}  // namespace tfprof
