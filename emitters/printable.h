// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

// Names of a profile are raw bytes: they need not be UTF-8, and they may contain control characters
// that a terminal would obey.

namespace tfprof {

// Returns the length of the UTF-8 sequence at the start of `text`; 0: invalid (also overlong forms,
// surrogates and code points above U+10FFFF). REQUIRES: `text` is not empty.
size_t Utf8Length(std::string_view text);

// Appends `text` with each invalid UTF-8 byte and each control character as \xNN (NN: two
// hexadecimal digits); without `utf8`, each non-ASCII byte too.
void AppendPrintable(std::string_view text, bool utf8, std::string* out);
std::string PrintableText(std::string_view text, bool utf8 = true);

// Returns the terminal cells that a printable UTF-8 text takes.
size_t CellWidth(std::string_view text);

// Returns where the last part of a path begins, including the slash before it. Returns 0 if there
// is only one part, or if the last part is a number (as in thread names), which is less specific
// than the part before it.
size_t LastPart(std::string_view text);

// Appends `text` (printable), cut in the middle with `…` (or `..` without utf8) if it is wider than
// `cells`, and returns the appended width. Keeps the last part of a path whole if it fits. Never
// cuts inside a character.
size_t AppendCut(std::string_view text, size_t cells, bool utf8, std::string* out);

}  // namespace tfprof
