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

}  // namespace

std::string_view TypeInTimelineLabel(std::string_view text) {
  const size_t equals = text.find(kEquals);
  if (equals != text.npos) text.remove_prefix(equals + kEquals.size());
  const size_t bracket = text.find('(');
  if (bracket == text.npos || bracket == 0 || !text.ends_with(')')) return {};
  std::string_view type = text.substr(0, bracket);
  if (!std::all_of(type.begin(), type.end(), IsTypeLetter)) return {};
  for (const std::string_view kernel : kLibraryKernels) {
    if (type.starts_with(kernel) && type.size() > kernel.size()) return type.substr(kernel.size());
  }
  return type;
}

}  // namespace tfprof
