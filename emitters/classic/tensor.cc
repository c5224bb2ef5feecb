// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <cstdlib>

#include "emitters/cells.h"
#include "emitters/classic/classic.h"
#include "emitters/classic/numbers.h"

namespace tfprof {
namespace {

// The original truncates the text to this length whenever a bracket closes.
constexpr size_t kMostCharacters = 10000;
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
  while (!at.empty() && text.size() < kMostCharacters) {
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
  if (!at.empty()) text.replace(kMostCharacters, std::string::npos, kClose);
  return text;
}

}  // namespace

void AppendClassicTensor(const TensorValue& tensor, std::string* out) {
  if (tensor.kind == TensorValue::Kind::unsupported) return;
  const std::string text = Brackets(tensor);
  out->append(text);
  if (text.size() >= kMostCharacters) out->append("...omitted from display\n\n");
}

}  // namespace tfprof
