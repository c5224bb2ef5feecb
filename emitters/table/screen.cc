// SPDX-License-Identifier: Apache-2.0
#include "emitters/table/screen.h"

#include <algorithm>

#include "emitters/printable.h"

namespace tfprof {

namespace {

constexpr size_t kMinCut = 10;  // minimum width of cut text on narrow terminals

// Returns where the first line of `text` ends: at most `max` bytes unless its first word is
// longer; npos: at the end of the text.
size_t EndOfLine(std::string_view text, size_t max) {
  if (text.size() <= max) return std::string_view::npos;
  const size_t at = text.rfind(' ', max);
  return at == std::string_view::npos || at == 0 ? text.find(' ', max) : at;
}

}  // namespace

void AppendWrapped(std::string_view text, size_t indent, const Style& style, std::string* out,
                   size_t uncut_lines) {
  const size_t columns = style.columns > 0 ? static_cast<size_t>(style.columns) : text.size();
  const size_t max = style.columns > 0 && columns > indent ? columns - indent : columns;
  while (true) {
    const size_t end = EndOfLine(text, max);
    const std::string_view line = text.substr(0, text.find_last_not_of(' ', end) + 1);
    out->append(indent, ' ');
    const bool uncut = line.size() <= max * uncut_lines;
    AppendCut(line, uncut ? line.size() : std::max(max, kMinCut), style.utf8, out);
    out->push_back('\n');
    if (end == std::string_view::npos) return;
    text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ', end)));
  }
}

}  // namespace tfprof
