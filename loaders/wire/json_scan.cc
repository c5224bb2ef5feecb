// SPDX-License-Identifier: Apache-2.0
#include "loaders/wire/json_scan.h"

#include <algorithm>
#include <charconv>

namespace tfprof::json {
namespace {

// Reads the four digits of \uXXXX at `at`.
bool ReadCode(std::string_view text, size_t at, uint32_t* code) {
  const std::string_view digits = at <= text.size() ? text.substr(at, 4) : std::string_view();
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), *code, 16);
  return digits.size() == 4 && error == std::errc() && end == digits.data() + 4;
}

// Decodes the escape at `at`, which is a backslash. Returns its number of bytes; 0: malformed.
size_t DecodeEscape(std::string_view text, size_t at, std::string* decoded) {
  constexpr std::string_view kLetters = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
  if (at + 1 >= text.size()) return 0;
  if (const size_t letter = kLetters.find(text[at + 1]); letter != kLetters.npos) {
    decoded->push_back(kMeant[letter]);
    return 2;
  }
  uint32_t code = 0, low = 0;
  if (text[at + 1] != 'u' || !ReadCode(text, at + 2, &code)) return 0;
  const bool is_first_half = code >= 0xd800 && code < 0xdc00;
  const bool has_second = is_first_half && text.substr(at + 6, 2) == "\\u" &&
                          ReadCode(text, at + 8, &low) && low >= 0xdc00 && low < 0xe000;
  if (has_second) code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
  AppendUtf8(code, decoded);
  return has_second ? 12 : 6;
}

// The quotes and brackets among 16 bytes, by bit. { and [ differ from each other in one bit, which
// no other byte shares; so do } and ].
struct Structure {
  uint32_t quotes, opening, closing;
};
Structure StructureAt(const char* at) {
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
  const __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
  const auto where = [](__m128i in, char c) {
    return static_cast<uint32_t>(_mm_movemask_epi8(_mm_cmpeq_epi8(in, _mm_set1_epi8(c))));
  };
  return {where(bytes, '"'), where(folded, '{'), where(folded, '}')};
}

// Skips a list or an object; the cursor is at its bracket.
bool SkipNested(Cursor* cursor) {
  int64_t depth = 0;
  while (cursor->at < cursor->end) {
    const Structure found = StructureAt(cursor->at);
    uint32_t left = found.quotes | found.opening | found.closing;
    const char* const block = cursor->at;
    cursor->at = block + 16;
    while (left != 0) {
      const int bit = std::countr_zero(left);
      const uint32_t mask = uint32_t{1} << bit;
      if (block + bit >= cursor->end) break;
      if ((found.quotes & mask) != 0) {
        cursor->at = block + bit;
        Text text;
        if (!ReadText(cursor, &text)) return false;
        if (cursor->at >= block + 16) break;
        left &= ~uint32_t{0} << (cursor->at - block);
        cursor->at = block + 16;
        continue;
      }
      depth += (found.opening & mask) != 0 ? 1 : -1;
      if (depth == 0) {
        cursor->at = block + bit + 1;
        return true;
      }
      left &= left - 1;
    }
  }
  cursor->at = cursor->end;
  return false;
}

}  // namespace

void AppendUtf8(uint32_t code, std::string* text) {
  const auto tail = [&](int shift) {
    text->push_back(static_cast<char>(0x80 | ((code >> shift) & 0x3f)));
  };
  if (code < 0x80) {
    text->push_back(static_cast<char>(code));
  } else if (code < 0x800) {
    text->push_back(static_cast<char>(0xc0 | (code >> 6)));
    tail(0);
  } else if (code < 0x10000) {
    text->push_back(static_cast<char>(0xe0 | (code >> 12)));
    tail(6), tail(0);
  } else {
    text->push_back(static_cast<char>(0xf0 | (code >> 18)));
    tail(12), tail(6), tail(0);
  }
}

bool SkipValue(Cursor* cursor) {
  SkipSpace(cursor);
  if (cursor->Done()) return false;
  if (*cursor->at == '"') {
    Text text;
    return ReadText(cursor, &text);
  }
  if (*cursor->at == '{' || *cursor->at == '[') return SkipNested(cursor);
  return !ReadWord(cursor).empty();
}

bool ReadValue(Cursor* cursor, Value* value) {
  SkipSpace(cursor);
  *value = {};
  if (cursor->Is('"')) return ReadText(cursor, &value->text);
  const char* const begin = cursor->at;
  if (!SkipValue(cursor)) return false;
  value->word = {begin, static_cast<size_t>(cursor->at - begin)};
  return true;
}

void AppendDecoded(const Text& text, std::string* decoded) {
  for (size_t at = 0; at < text.raw.size();) {
    const size_t escape = std::min(text.raw.find('\\', at), text.raw.size());
    decoded->append(text.raw, at, escape - at);
    at = escape;
    if (at == text.raw.size()) return;
    const size_t taken = DecodeEscape(text.raw, at, decoded);
    if (taken == 0) decoded->push_back('\\');
    at += taken == 0 ? 1 : taken;
  }
}

std::string_view Decoded(const Text& text, std::string* buffer) {
  if (!text.has_escapes) return text.raw;
  buffer->clear();
  AppendDecoded(text, buffer);
  return *buffer;
}

}  // namespace tfprof::json
