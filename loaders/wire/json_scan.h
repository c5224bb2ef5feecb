// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <emmintrin.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "loaders/wire/varint.h"

// JSON text from front to back: nothing is copied, and only what a caller asks for is decoded.
// Texts may have any bytes.

namespace tfprof::json {

// A place in a JSON text. It never moves beyond `end`. REQUIRES: at least 16 readable bytes follow
// `end` (SourceFile::kPadding).
struct Cursor {
  const char* at = nullptr;
  const char* end = nullptr;

  bool Done() const { return at >= end; }
  bool Is(char c) const { return at < end && *at == c; }
};

// A text between quotes, as written.
struct Text {
  std::string_view raw;  // data() == nullptr: absent
  bool has_escapes = false;
};

// Skips more than one space, or stops at the end.
void SkipSpaces(Cursor* cursor);

// Control characters count as space: they are in no token.
inline bool IsSpace(char c) { return static_cast<uint8_t>(c) <= ' '; }

TFPROF_INLINE void SkipSpace(Cursor* cursor) {
  if (!IsSpace(cursor->at[0])) return;
  if (cursor->at < cursor->end && !IsSpace(cursor->at[1])) {
    ++cursor->at;
  } else {
    SkipSpaces(cursor);
  }
}

// Skips space, and `c` if it follows. False: something else follows.
TFPROF_INLINE bool Take(char c, Cursor* cursor) {
  SkipSpace(cursor);
  if (!cursor->Is(c)) return false;
  ++cursor->at;
  return true;
}

// Reads a text; the cursor is at its first quote. False: it has no end.
TFPROF_INLINE bool ReadText(Cursor* cursor, Text* text) {
  const char* const begin = cursor->at + 1;
  const __m128i quote = _mm_set1_epi8('"'), escape = _mm_set1_epi8('\\');
  text->has_escapes = false;
  for (const char* at = begin; at < cursor->end;) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const auto found = static_cast<uint32_t>(_mm_movemask_epi8(
        _mm_or_si128(_mm_cmpeq_epi8(bytes, quote), _mm_cmpeq_epi8(bytes, escape))));
    if (found == 0) {
      at += 16;
      continue;
    }
    at += std::countr_zero(found);
    if (at >= cursor->end) break;
    if (*at == '"') {
      text->raw = {begin, static_cast<size_t>(at - begin)};
      cursor->at = at + 1;
      return true;
    }
    text->has_escapes = true;
    at += 2;
  }
  cursor->at = cursor->end;
  return false;
}

// Likewise for a key. Objects repeat their short keys: the processor predicts where they end, and
// need not wait for the bytes.
TFPROF_INLINE bool ReadKey(Cursor* cursor, Text* text) {
  const char* const begin = cursor->at + 1;
  const char* at = begin;
  while (at < begin + 4 && *at >= 'a' && *at <= 'z') ++at;
  if (*at != '"' || at >= cursor->end) return ReadText(cursor, text);
  *text = {{begin, static_cast<size_t>(at - begin)}, false};
  cursor->at = at + 1;
  return true;
}

// Reads a number or a word such as true, NaN or -Infinity: everything up to a space, a comma, a
// colon, a quote or a bracket. Empty: none of these follows.
inline std::string_view ReadWord(Cursor* cursor) {
  const char* const begin = cursor->at;
  for (; cursor->at < cursor->end; cursor->at += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(cursor->at));
    // [ and ] become { and }; else only control characters, which are space, become one of these.
    const __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
    __m128i ends = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(' ')), bytes);
    for (const char c : {',', ':', '"', '{', '}'}) {
      ends = _mm_or_si128(ends, _mm_cmpeq_epi8(folded, _mm_set1_epi8(c)));
    }
    const auto found = static_cast<uint32_t>(_mm_movemask_epi8(ends));
    if (found == 0) continue;
    cursor->at += std::countr_zero(found);
    break;
  }
  cursor->at = std::min(cursor->at, cursor->end);
  return {begin, static_cast<size_t>(cursor->at - begin)};
}

// Skips a value of any kind, however deeply nested. False: it has no end, or there is none.
bool SkipValue(Cursor* cursor);

// A value: a text, a word, or the text of a list or an object with its brackets.
struct Value {
  Text text;              // absent: it is no text
  std::string_view word;  // as written, if it is no text; empty: absent

  bool IsText() const { return text.raw.data() != nullptr; }
  bool IsNull() const { return !IsText() && (word.empty() || word == "null"); }
  // As written, without quotes.
  std::string_view Raw() const { return IsText() ? text.raw : word; }
};
bool ReadValue(Cursor* cursor, Value* value);

// Calls take(key, cursor) for each member of the object at the cursor; take reads the value, and
// returns false where it is malformed. False: the object is malformed or has no end; the cursor is
// there.
template <class Take_>
bool EachMember(Cursor* cursor, const Take_& take) {
  if (!Take('{', cursor)) return false;
  if (Take('}', cursor)) return true;
  do {
    SkipSpace(cursor);
    Text key;
    if (!cursor->Is('"') || !ReadKey(cursor, &key)) return false;
    if (!Take(':', cursor)) return false;
    SkipSpace(cursor);
    if (!take(key.raw, cursor)) return false;
  } while (Take(',', cursor));
  return Take('}', cursor);
}

// Likewise for the items of a list.
template <class Take_>
bool EachItem(Cursor* cursor, const Take_& take) {
  if (!Take('[', cursor)) return false;
  if (Take(']', cursor)) return true;
  do {
    SkipSpace(cursor);
    if (!take(cursor)) return false;
  } while (Take(',', cursor));
  return Take(']', cursor);
}

// Appends a code point.
void AppendUtf8(uint32_t code, std::string* text);
// Appends the text with its escapes decoded. A malformed escape stays as it is.
void AppendDecoded(const Text& text, std::string* decoded);
// The decoded text: the text itself if it has no escapes, else in `buffer`.
std::string_view Decoded(const Text& text, std::string* buffer);

}  // namespace tfprof::json
