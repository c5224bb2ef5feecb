// SPDX-License-Identifier: Apache-2.0
#include "cli/message.h"

#include <fmt/core.h>

#include <algorithm>
#include <ostream>

#include "core/query/options.h"
#include "emitters/printable.h"
#include "emitters/table/screen.h"

namespace tfprof {
namespace {

constexpr size_t kShownBytes = 100;  // of a wrong line
constexpr size_t kIndent = 2;
constexpr size_t kUncutLines = 4;  // for paths, which users copy from messages
constexpr std::string_view kCut = "...";

// The first position at or after `at` that does not split a letter.
size_t LetterAt(std::string_view text, size_t at) {
  constexpr size_t kLongest = 4;  // max bytes of a letter
  const size_t last = std::min(at + kLongest, text.size());
  at = std::min(at, last);
  while (at < last && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) ++at;
  return at;
}

std::string Indented(std::string_view text) {
  std::string out;
  while (!text.empty()) out += std::string(kIndent, ' ') + Printable(TakeLine(&text)) + "\n";
  return out;
}

constexpr size_t kHang = 2;           // indent of continuation lines
constexpr size_t kMinTextWidth = 24;  // min cells of a column of meanings

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
  return text + kMinTextWidth <= columns ? text : begin + 2 * kHang;
}

}  // namespace

std::string_view TakeLine(std::string_view* text) {
  const size_t end = std::min(text->find('\n'), text->size());
  const std::string_view line = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  return line;
}

std::string Printable(std::string_view text) {
  std::string out(text);
  for (size_t i = 0; i < out.size(); ++i) {
    const auto byte = static_cast<unsigned char>(out[i]);
    if (byte < 0x20 || byte == 0x7F) out[i] = '?';
    // U+0080 to U+009F are control letters, too.
    const bool control = byte >= 0x80 && byte < 0xA0 && i > 0 && out[i - 1] == '\xC2';
    if (control) out[i - 1] = out[i] = '?';
  }
  return out;
}

size_t Letters(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::string MarkedLine(std::string_view text, size_t begin, size_t end) {
  const std::string line = Printable(text);
  begin = std::min(begin, line.size());
  end = std::clamp(end, begin, std::min(line.size(), begin + kShownBytes));
  size_t from = 0, to = line.size();
  if (line.size() > kShownBytes) {
    const size_t wanted = begin > kShownBytes / 2 ? begin - kShownBytes / 2 : 0;
    from = std::min(LetterAt(line, wanted), begin);
    to = LetterAt(line, std::max(from + kShownBytes, end));
  }
  const std::string_view shown = std::string_view(line).substr(from, to - from);
  const std::string_view left = from > 0 ? kCut : "", right = to < line.size() ? kCut : "";
  const size_t before = left.size() + Letters(shown.substr(0, begin - from));
  const size_t width = std::max<size_t>(Letters(shown.substr(begin - from, end - begin)), 1);
  return fmt::format("{}{}{}\n{:{}}^{:~<{}}", left, shown, right, "", before, "", width - 1);
}

std::string HintOf(const Error& error) {
  std::string formats;
  switch (error.remedy) {
    case Remedy::none: return error.hint;
    case Remedy::higher_limit: return "raise the limit with --max-bytes";
    case Remedy::keep_beginning: return "--partial loads what comes before the damage" + error.hint;
    case Remedy::leave_out: return "--partial skips it";
    case Remedy::choose_format:
      for (const std::string& format : SplitList(error.hint)) {
        const size_t name = format.find_first_not_of(' ');
        formats.append(formats.empty() ? "-as " : ", -as ").append(format.substr(name));
      }
      return "choose one: " + formats;
    case Remedy::other_output: return error.hint + "; try -format table or json";
    case Remedy::select_measure: return "for example -select micros" + error.hint;
    case Remedy::other_place: return "nothing selected by -host and -device marks a step";
  }
  return error.hint;
}

std::string Describe(const Error& error, std::string_view place, int columns) {
  const Style style{.columns = columns};
  std::string out;
  AppendWrapped(Printable(place) + "error: " + Printable(error.what), 0, style, &out, kUncutLines);
  out += Indented(error.where);
  const std::string hint = HintOf(error);
  if (!hint.empty()) AppendWrapped("hint: " + Printable(hint), kIndent, style, &out, kUncutLines);
  return out;
}

void PrintMessage(std::string_view line, Io& io) {
  std::string out;
  AppendWrapped(line, 0, {.columns = ErrorColumns(io)}, &out, kUncutLines);
  *io.err << out << std::flush;
}

int ErrorColumns(const Io& io) { return io.err_is_terminal ? io.columns : 0; }

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
      const size_t max = copied ? line.size() : columns;
      const std::string last = AppendBroken(std::string(line), HangOf(line, columns), max, &out);
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
