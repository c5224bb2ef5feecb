// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/run_metadata/timeline_label.h"

#include <algorithm>

namespace tfprof {
namespace {

constexpr std::string_view kEquals = " = ";

// The same operations, with other kernels.
constexpr std::string_view kLibraryKernels[] = {"_MklNative", "_Mkl"};

bool IsTypeLetter(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '_' ||
         c == '>';
}

// The part `TYPE(INPUT, INPUT)` of a text; empty: it has another form.
std::string_view CallIn(std::string_view text) {
  const size_t equals = text.find(kEquals);
  if (equals != text.npos) text.remove_prefix(equals + kEquals.size());
  const size_t bracket = text.find('(');
  if (bracket == text.npos || bracket == 0 || !text.ends_with(')')) return {};
  const std::string_view type = text.substr(0, bracket);
  return std::all_of(type.begin(), type.end(), IsTypeLetter) ? text : std::string_view();
}

}  // namespace

std::string_view TypeInTimelineLabel(std::string_view text) {
  text = CallIn(text);
  const std::string_view type = text.substr(0, text.find('('));
  for (const std::string_view kernel : kLibraryKernels) {
    if (type.starts_with(kernel) && type.size() > kernel.size()) return type.substr(kernel.size());
  }
  return type;
}

std::vector<std::string_view> InputsInTimelineLabel(std::string_view text) {
  constexpr std::string_view kBetween = ", ";
  std::vector<std::string_view> inputs;
  text = CallIn(text);
  if (text.empty()) return inputs;
  text.remove_prefix(text.find('(') + 1);
  text.remove_suffix(1);
  while (!text.empty()) {
    const size_t end = std::min(text.find(kBetween), text.size());
    inputs.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + kBetween.size(), text.size()));
  }
  return inputs;
}

}  // namespace tfprof
