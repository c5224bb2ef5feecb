// SPDX-License-Identifier: Apache-2.0
#include "cli/message.h"

#include <fmt/core.h>

#include <algorithm>
#include <ostream>

#include "core/query/option_values.h"
#include "emitters/table/screen.h"

namespace tfprof {
namespace {

constexpr size_t kShownBytes = 100;  // of a wrong line
constexpr size_t kIndent = 2;
constexpr size_t kWholeLines = 4;  // for paths, which users copy from messages
constexpr std::string_view kCut = "...";

// Counts the cells of UTF-8 text, wide letters aside: bytes that do not continue a letter.
size_t Cells(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

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
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    out += std::string(kIndent, ' ') + Printable(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

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
  const size_t before = left.size() + Cells(shown.substr(0, begin - from));
  const size_t width = std::max<size_t>(Cells(shown.substr(begin - from, end - begin)), 1);
  return fmt::format("{}{}{}\n{:{}}^{:~<{}}", left, shown, right, "", before, "", width - 1);
}

std::string HintOf(const Error& error) {
  std::string formats;
  switch (error.remedy) {
    case Remedy::none:
      return error.hint;
    case Remedy::higher_limit:
      return "raise the limit with --max-bytes";
    case Remedy::keep_beginning:
      return "--partial loads what comes before the damage" + error.hint;
    case Remedy::leave_out:
      return "--partial skips it";
    case Remedy::choose_format:
      for (const std::string& format : SplitList(error.hint)) {
        const size_t name = format.find_first_not_of(' ');
        formats.append(formats.empty() ? "-as " : ", -as ").append(format.substr(name));
      }
      return "choose one: " + formats;
  }
  return error.hint;
}

std::string Describe(const Error& error, std::string_view place, int columns) {
  const Style style{.columns = columns};
  std::string out;
  AppendWrapped(Printable(place) + "error: " + Printable(error.what), 0, style, &out, kWholeLines);
  out += Indented(error.where);
  const std::string hint = HintOf(error);
  if (!hint.empty()) AppendWrapped("hint: " + Printable(hint), kIndent, style, &out, kWholeLines);
  return out;
}

void Say(std::string_view line, Io& io) {
  std::string out;
  AppendWrapped(line, 0, {.columns = ErrorColumns(io)}, &out, kWholeLines);
  *io.err << out << std::flush;
}

int ErrorColumns(const Io& io) { return io.err_is_terminal ? io.columns : 0; }

}  // namespace tfprof
