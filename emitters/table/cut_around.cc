// SPDX-License-Identifier: Apache-2.0
#include "emitters/table/cut_around.h"

#include <algorithm>

#include "emitters/printable.h"

namespace tfprof {
namespace {

constexpr size_t kWideEnough =
    24;  // cells: enough for the beginning of a name and the context of a difference

bool BeginsLetter(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

// The letters that are kept; each gap between them is as wide as its mark.
struct Kept {
  Kept(const WideText& wide, bool utf8)
      : text(wide.text), cells(wide.cells), mark(utf8 ? "…" : ".."), mark_width(utf8 ? 1 : 2) {
    for (size_t at = 0; at < text.size(); ++at) {
      if (at == 0 || BeginsLetter(text[at])) begin.push_back(at);
    }
    kept.assign(begin.size(), false);
    used = mark_width;
  }

  size_t size() const { return begin.size(); }
  std::string_view Letter(size_t i) const {
    const size_t end = i + 1 < size() ? begin[i + 1] : text.size();
    return text.substr(begin[i], end - begin[i]);
  }
  // Returns the letter at byte `at`; at the end of the text, the last letter.
  size_t LetterAt(size_t at) const {
    const auto next = std::upper_bound(begin.begin(), begin.end(), at);
    return static_cast<size_t>(next - begin.begin()) - 1;
  }

  // Keeps the letter if there is room. Returns true if it is kept now.
  bool Keep(size_t i) {
    if (kept[i]) return true;
    const bool gap_before = i > 0 && !kept[i - 1], gap_after = i + 1 < size() && !kept[i + 1];
    size_t now = used + CellWidth(Letter(i));
    if (gap_before && gap_after) now += mark_width;
    if (!gap_before && !gap_after) now -= mark_width;
    if (now > cells) return false;
    used = now;
    return kept[i] = true;
  }
  void KeepFrom(size_t i, size_t letters) {
    for (const size_t end = std::min(i + letters, size()); i < end && Keep(i);) ++i;
  }
  void KeepBefore(size_t i, size_t letters) {
    for (; letters > 0 && i > 0 && Keep(i - 1); --letters) --i;
  }

  std::string Text() const {
    std::string out;
    for (size_t i = 0; i < size(); ++i) {
      if (kept[i]) {
        out += Letter(i);
      } else if (i == 0 || kept[i - 1]) {
        out += mark;
      }
    }
    return out;
  }

  std::string_view text;
  size_t cells;
  std::string_view mark;
  size_t mark_width;
  std::vector<size_t> begin;  // start of each letter
  std::vector<bool> kept;
  size_t used;  // cells
};

// Keeps letters around each of `letters`, more after it than before it.
void KeepAround(const std::vector<size_t>& letters, Kept* kept) {
  const size_t before = (kept->cells - kept->used) / 4 / letters.size();
  for (const size_t letter : letters) kept->KeepBefore(letter, before);
  for (size_t step = 1, grown = letters.size(); grown > 0; ++step) {
    grown = 0;
    for (const size_t letter : letters) {
      const size_t next = letter + step;
      grown += next < kept->size() && kept->kept[next - 1] && kept->Keep(next) ? 1 : 0;
    }
  }
}

}  // namespace

std::string CutAround(const WideText& wide, bool utf8, bool bare) {
  Kept kept(wide, utf8);
  std::vector<size_t> letters;
  for (const size_t place : wide.places) {
    const size_t letter = kept.LetterAt(place);
    if (kept.Keep(letter)) letters.push_back(letter);
  }
  if (bare || letters.empty()) return kept.Text();
  const size_t last = LastPart(wide.text);
  if (last > 0) {
    const size_t letters_of_it = kept.size() - kept.LetterAt(last);
    kept.KeepBefore(kept.size(), std::min(letters_of_it, wide.cells / 2));
  } else if (wide.cells >= kWideEnough) {
    kept.KeepFrom(0, wide.cells / 4);
  }
  KeepAround(letters, &kept);
  return kept.Text();
}

}  // namespace tfprof
