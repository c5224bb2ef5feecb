// SPDX-License-Identifier: Apache-2.0
#include "emitters/printable.h"

#include <utf8proc.h>

#include <algorithm>

#include "core/base/ascii.h"

namespace tfprof {
namespace {

bool IsPlainAscii(char c) { return c >= 0x20 && c < 0x7f; }

// Returns the code point at the start of `text`, or -1; *length as in Utf8Length.
int32_t Decode(std::string_view text, size_t* length) {
  utf8proc_int32_t code = -1;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  const auto max = static_cast<utf8proc_ssize_t>(text.size() < 4 ? text.size() : 4);
  const utf8proc_ssize_t read = utf8proc_iterate(bytes, max, &code);
  *length = read > 0 ? static_cast<size_t>(read) : 0;
  return read > 0 ? code : -1;
}

// True for marks that change direction or hide text: U+200E, U+200F, U+202A..E, U+2066..9, and the
// line and paragraph separators U+2028 and U+2029.
bool IsMisleading(int32_t code) {
  return code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2066 && code <= 0x2069);
}

void AppendEscaped(std::string_view bytes, std::string* out) {
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    const char escaped[] = {'\\', 'x', kHexDigits[byte >> 4], kHexDigits[byte & 15]};
    out->append(escaped, sizeof escaped);
  }
}

// Nearly all texts are plain ASCII only: a loop that is inlined, unlike a pointer to IsPlainAscii.
size_t PlainBytes(std::string_view text) {
  size_t bytes = 0;
  while (bytes < text.size() && IsPlainAscii(text[bytes])) ++bytes;
  return bytes;
}

size_t WidthAt(std::string_view text, size_t* length) {
  if (IsPlainAscii(text[0])) return *length = 1;
  const int32_t code = Decode(text, length);
  if (*length == 0) return *length = 1;
  const int width = utf8proc_charwidth(code);
  return width > 0 ? static_cast<size_t>(width) : 0;
}

// Returns the bytes of the longest prefix of at most `cells` cells; *used is its width.
size_t PrefixBytes(std::string_view text, size_t cells, size_t* used) {
  size_t at = 0;
  *used = 0;
  while (at < text.size()) {
    const size_t plain = PlainBytes(text.substr(at, cells - *used));
    *used += plain;
    at += plain;
    if (at == text.size()) break;
    size_t length = 0;
    const size_t width = WidthAt(text.substr(at), &length);
    if (*used + width > cells) break;
    *used += width;
    at += length;
  }
  return at;
}

// Appends the last characters of `text` (printable) that take at most `cells` cells.
void AppendSuffix(std::string_view text, size_t cells, std::string* out) {
  const size_t width = CellWidth(text);
  size_t at = 0;
  for (size_t skipped = 0; skipped + cells < width;) {  // skips whole characters
    size_t length = 0;
    skipped += WidthAt(text.substr(at), &length);
    at += length;
  }
  out->append(text.substr(at));
}

}  // namespace

size_t Utf8Length(std::string_view text) {
  size_t length = 0;
  Decode(text, &length);
  return length;
}

void AppendPrintable(std::string_view text, bool utf8, std::string* out) {
  size_t at = 0;
  while (at < text.size()) {
    const size_t plain = PlainBytes(text.substr(at));
    out->append(text.substr(at, plain));
    at += plain;
    if (at == text.size()) break;
    size_t length = 0;
    const int32_t code = Decode(text.substr(at), &length);
    if (length == 0) length = 1;
    const std::string_view bytes = text.substr(at, length);
    if (utf8 && code >= 0xa0 && !IsMisleading(code)) {  // 0x80 to 0x9f are control characters
      out->append(bytes);
    } else {
      AppendEscaped(bytes, out);
    }
    at += length;
  }
}

std::string PrintableText(std::string_view text, bool utf8) {
  std::string printable;
  AppendPrintable(text, utf8, &printable);
  return printable;
}

size_t CellWidth(std::string_view text) {
  size_t used = 0;
  PrefixBytes(text, text.size() * 2, &used);
  return used;
}

size_t LastPart(std::string_view text) {
  if (text.size() < 2) return 0;
  const size_t slash = text.rfind('/', text.size() - 2);
  if (slash == text.npos) return 0;
  const bool number = text.find_first_not_of("-0123456789", slash + 1) == text.npos;
  return number ? 0 : slash;
}

size_t AppendCut(std::string_view text, size_t cells, bool utf8, std::string* out) {
  const size_t width = CellWidth(text);
  if (width <= cells) {
    out->append(text);
    return width;
  }
  const std::string_view mark = utf8 ? "…" : "..";
  const size_t mark_width = utf8 ? 1 : 2;
  if (cells <= mark_width) {
    out->append(cells, '.');
    return cells;
  }
  // The end of a name is more specific than its beginning.
  size_t left = (cells - mark_width) / 2;
  const size_t last = LastPart(text);
  const size_t last_width = last == 0 ? 0 : CellWidth(text.substr(last));
  if (last_width + mark_width <= cells) left = std::min(left, cells - mark_width - last_width);
  const size_t begin = out->size();
  size_t used = 0;
  out->append(text.substr(0, PrefixBytes(text, left, &used)));
  out->append(mark);
  AppendSuffix(text, cells - mark_width - left, out);
  return CellWidth(std::string_view(*out).substr(begin));
}

}  // namespace tfprof
