// SPDX-License-Identifier: Apache-2.0
#include "cli/completion/completion.h"

#include <algorithm>
#include <cwchar>
#include <optional>

#include "cli/ask/command.h"
#include "cli/shell/commands.h"

namespace tfprof {
namespace {

bool NamesCommand(std::string_view line) {
  const std::vector<Word> words = SplitClassic(line).words;
  return !words.empty() && IsCommand(words.front().text);
}

// Skips mistakes: lines that were refused, and lines of an earlier session.
std::string FromHistory(std::string_view line, const Session& session) {
  const std::vector<std::string>& history = session.history;
  const auto newest = std::find_if(history.rbegin(), history.rend(), [&](const std::string& past) {
    return past.size() > line.size() && past.starts_with(line) &&
           !session.rejected_lines.contains(past) && NamesCommand(past);
  });
  return newest == history.rend() ? std::string() : newest->substr(line.size());
}

// The position of a cursor on a screen with only text.
struct Place {
  int row = 0;
  int column = 0;

  // A wide letter that does not fit goes to the next row as a whole.
  void Put(int width, int columns) {
    if (column + width > columns) ++row, column = 0;
    column += width;
    if (column == columns) ++row, column = 0;
  }
};

// Removes the next letter from *text and returns it with its width. None: no letter, or no width.
struct Letter {
  std::string_view bytes;
  int width;
};
std::optional<Letter> TakeLetter(std::string_view* text) {
  std::mbstate_t decoding{};
  wchar_t letter = 0;
  const size_t size = std::mbrtowc(&letter, text->data(), text->size(), &decoding);
  const bool whole = size > 0 && size <= text->size();
  const int width = whole ? wcwidth(letter) : -1;
  if (width < 0) return std::nullopt;
  const std::string_view bytes = text->substr(0, size);
  text->remove_prefix(size);
  return Letter{bytes, width};
}

std::optional<Place> PlaceAfter(std::string_view text, int columns) {
  Place place;
  while (!text.empty()) {
    const std::optional<Letter> letter = TakeLetter(&text);
    if (!letter) return std::nullopt;
    place.Put(letter->width, columns);
  }
  return place;
}

}  // namespace

std::string HintFor(std::string_view line, const Session& session, Context& context) {
  if (line.find_first_not_of(' ') == line.npos) return {};
  std::string rest = FromHistory(line, session);
  return rest.empty() ? LikelyRest(line, session, context) : rest;
}

std::string FittingHint(const std::string& prompt, const std::string& line, const std::string& hint,
                        int columns) {
  const std::optional<Place> cursor = PlaceAfter(prompt + line, columns);
  // At the right edge, terminals differ in where the cursor is.
  if (!cursor || cursor->column == 0) return {};
  int room = columns - cursor->column - 1;
  std::string shown;
  for (std::string_view left = hint; !left.empty();) {
    const std::optional<Letter> letter = TakeLetter(&left);
    if (!letter) return {};
    room -= letter->width;
    if (room >= 0) shown += letter->bytes;
  }
  return shown;
}

int RowsAbove(const std::string& prompt, const std::string& line, int columns) {
  const std::optional<Place> cursor = PlaceAfter(prompt + line, columns);
  return cursor ? cursor->row : 0;
}

}  // namespace tfprof
