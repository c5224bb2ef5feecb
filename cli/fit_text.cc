// SPDX-License-Identifier: Apache-2.0
#include "cli/fit_text.h"

#include <algorithm>

#include "emitters/printable.h"

namespace tfprof {
namespace {

constexpr size_t kHang = 2;        // indent of continuation lines
constexpr size_t kLeastText = 24;  // min cells of a column of meanings

// Removes a line from `text` and returns it without its line feed.
std::string_view TakeLine(std::string_view* text) {
  const size_t end = std::min(text->find('\n'), text->size());
  const std::string_view line = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  return line;
}

// The column where the text of a row begins after its name and at least two blanks; without a name,
// where the line begins.
size_t TextColumn(std::string_view line) {
  const size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const size_t gap = line.find("  ", begin);
  return gap == line.npos ? begin : std::min(line.find_first_not_of(' ', gap), line.size());
}

// Appends the lines of `line` except the last, which it returns; all lines after the first are
// indented by `hang` blanks.
std::string AppendBroken(std::string line, size_t hang, size_t columns, std::string* out) {
  while (CellWidth(line) > columns) {
    const size_t begin = std::min(hang, TextColumn(line));
    size_t at = line.rfind(' ', columns);
    if (at == line.npos || at <= begin) at = line.find(' ', std::max(begin, columns));
    if (at == line.npos) break;
    const size_t next = std::min(line.find_first_not_of(' ', at), line.size());
    out->append(line, 0, line.find_last_not_of(' ', at) + 1).push_back('\n');
    line = std::string(hang, ' ') + line.substr(next);
  }
  return line;
}

size_t HangOf(std::string_view line, size_t columns) {
  const size_t begin = std::min(line.find_first_not_of(' '), line.size());
  const size_t text = TextColumn(line);
  if (text == begin) return begin;
  return text + kLeastText <= columns ? text : begin + 2 * kHang;
}

}  // namespace

std::string FitHelp(std::string_view text, size_t columns) {
  if (columns == 0) return std::string(text);
  std::string out, carried;  // the end of a paragraph that continues on the next line
  bool copied = false;
  while (!text.empty()) {
    const std::string_view line = TakeLine(&text);
    copied = copied || line == "examples";
    const bool prose = !copied && !line.empty() && TextColumn(line) == 0;
    if (!carried.empty() && !prose) out += carried + "\n";
    if (!prose) {
      carried.clear();
      const size_t most = copied ? line.size() : columns;
      const std::string last = AppendBroken(std::string(line), HangOf(line, columns), most, &out);
      out += last + "\n";
    } else if (carried.empty() && CellWidth(line) <= columns) {
      out.append(line).push_back('\n');
    } else {
      carried += carried.empty() ? "" : " ";
      carried = AppendBroken(carried + std::string(line), 0, columns, &out);
    }
  }
  return carried.empty() ? out : out + carried + "\n";
}

std::string FitEntries(std::string_view text, size_t columns) {
  if (columns == 0) return std::string(text);
  std::string out;
  while (!text.empty()) {
    const std::string last = AppendBroken(std::string(TakeLine(&text)), kHang, columns, &out);
    out += last + "\n";
  }
  return out;
}

}  // namespace tfprof
