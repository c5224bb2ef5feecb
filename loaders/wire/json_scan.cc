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

// The quotes, backslashes and brackets among 64 bytes, by bit. { and [ differ from each other in
// one bit, which no other byte shares; so do } and ].
struct Structure {
  uint64_t quotes = 0, escapes = 0, opening = 0, closing = 0;
};
constexpr ptrdiff_t kBlock = 64;

Structure StructureAt(const char* block) {
  Structure found;
  for (int at = 0; at < kBlock; at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(block + at));
    const __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
    const auto where = [&](__m128i in, char c) {
      const int equal = _mm_movemask_epi8(_mm_cmpeq_epi8(in, _mm_set1_epi8(c)));
      return static_cast<uint64_t>(equal) << at;
    };
    found.quotes |= where(bytes, '"');
    found.escapes |= where(bytes, '\\');
    found.opening |= where(folded, '{');
    found.closing |= where(folded, '}');
  }
  return found;
}

// Bit i of the result: whether the number of bits up to i is odd.
uint64_t Parity(uint64_t bits) {
  for (int shift = 1; shift < kBlock; shift *= 2) bits ^= bits << shift;
  return bits;
}

struct Nesting {
  int64_t depth = 0;
  bool in_text = false;
};

// Passes the block at the cursor, which has no escapes. True: its value ended; the cursor is behind
// it.
bool PassBlock(const Structure& found, Cursor* cursor, Nesting* nesting) {
  const uint64_t texts = Parity(found.quotes) ^ (nesting->in_text ? ~uint64_t{0} : 0);
  for (uint64_t left = (found.opening | found.closing) & ~texts; left != 0; left &= left - 1) {
    const int bit = std::countr_zero(left);
    nesting->depth += (found.opening >> bit & 1) != 0 ? 1 : -1;
    if (nesting->depth == 0) {
      cursor->at += bit + 1;
      return true;
    }
  }
  nesting->in_text = texts >> (kBlock - 1) != 0;
  cursor->at += kBlock;
  return false;
}

// Likewise for the bytes before `until`, one by one; an escape there may take one more.
bool PassBytes(const char* until, Cursor* cursor, Nesting* nesting) {
  while (cursor->at < until) {
    const char c = *cursor->at++;
    if (c == '"') {
      nesting->in_text = !nesting->in_text;
    } else if (nesting->in_text) {
      if (c == '\\') ++cursor->at;
    } else if (c == '{' || c == '[') {
      ++nesting->depth;
    } else if ((c == '}' || c == ']') && --nesting->depth == 0) {
      return true;
    }
  }
  return false;
}

// Skips a list or an object; the cursor is at its bracket.
bool SkipNested(Cursor* cursor) {
  Nesting nesting;
  while (!cursor->Done()) {
    if (cursor->end - cursor->at >= kBlock) {
      const Structure found = StructureAt(cursor->at);
      if (found.escapes == 0) {
        if (PassBlock(found, cursor, &nesting)) return true;
        continue;
      }
    }
    const char* const until = cursor->at + std::min(kBlock, cursor->end - cursor->at);
    if (PassBytes(until, cursor, &nesting)) return true;
  }
  cursor->at = cursor->end;
  return false;
}

}  // namespace

void SkipSpaces(Cursor* cursor) {
  while (cursor->at < cursor->end) {
    // Indented text: 16 bytes at once. Bytes of UTF-8 are no space.
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(cursor->at));
    const __m128i spaces = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(' ')), bytes);
    const uint32_t others = static_cast<uint32_t>(_mm_movemask_epi8(spaces)) ^ 0xFFFF;
    cursor->at += others == 0 ? 16 : std::countr_zero(others);
    if (others != 0) break;
  }
  cursor->at = std::min(cursor->at, cursor->end);
}

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
  if (cursor->Done()) return false;
  const char* const begin = cursor->at;
  switch (*begin) {
    case '"': return ReadText(cursor, &value->text);
    case '{':
    case '[':
      if (!SkipNested(cursor)) return false;
      value->word = {begin, static_cast<size_t>(cursor->at - begin)};
      return true;
    default: value->word = ReadWord(cursor); return !value->word.empty();
  }
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
