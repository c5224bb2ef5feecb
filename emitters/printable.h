// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

// Names of a profile are raw bytes: not necessarily UTF-8, and they may hold control characters
// that a terminal would obey.

namespace tfprof {

// Bytes of the UTF-8 sequence that `text` begins with; 0: it begins with none (also for overlong
// forms, surrogates and what is above U+10FFFF). `text` must not be empty.
size_t Utf8Length(std::string_view text);

// As `text`, but every byte that is no UTF-8 and every control character is \xNN (NN: two
// hexadecimal digits); without `utf8` every byte outside ASCII, too.
void AppendPrintable(std::string_view text, bool utf8, std::string* out);

// Cells of a terminal that a printable UTF-8 text takes.
size_t CellWidth(std::string_view text);

// Appends the first, or last, characters of `text` (printable) that take at most `cells` cells.
void AppendPrefix(std::string_view text, size_t cells, std::string* out);
void AppendSuffix(std::string_view text, size_t cells, std::string* out);

// Where the last part of a path begins, with the slash before it; 0: it has but one, or
// that is a number, as of threads, and tells less than what is before.
size_t LastPart(std::string_view text);

// Appends `text` (printable), cut in the middle with `…` (or `..` without utf8) where it is wider
// than `cells`, and returns the width of what was appended. The last part of a path stays whole
// where it fits. Never cuts inside a character.
size_t AppendCut(std::string_view text, size_t cells, bool utf8, std::string* out);

}  // namespace tfprof
