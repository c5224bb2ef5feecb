// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

#include "cli/run.h"
#include "core/base/result.h"

namespace tfprof {

// Makes text from a file or a user safe for a terminal: each control byte becomes '?'.
std::string Printable(std::string_view text);

// Counts the letters of UTF-8 text: bytes that do not continue a letter.
size_t Letters(std::string_view text);

// Removes a line from `text` and returns it without its line feed.
std::string_view TakeLine(std::string_view* text);

// Prints `line` and below it ^~~~ under [begin, end). A long line is shortened around them, with
// ... for the omitted parts.
std::string MarkedLine(std::string_view line, size_t begin, size_t end);

// The suggested fix, in words of the command line; empty: none is known.
std::string HintOf(const Error& error);

// Formats an error, one line each: what (after `place`, "FILE:LINE: ", or nothing), where, a hint.
// Ends with a line feed; all of it is Printable. Lines longer than `columns` cells are broken
// between words; 0: unlimited.
std::string Describe(const Error& error, std::string_view place, int columns);

// Prints `line`, Printable and without its line end, on standard error; on a terminal it is broken
// between words.
void PrintMessage(std::string_view line, Io& io);

// The width of lines on standard error; 0: unlimited.
int ErrorColumns(const Io& io);

// Breaks lines between words to `columns` cells; 0: unchanged. A longer word stays whole.

// Help text: a row's meaning stays in its column, lines that begin at the margin are paragraphs.
// Text below "examples" is for copying and stays unchanged.
std::string FitHelp(std::string_view text, size_t columns);

// Each line is an entry "name: meaning". Continuation lines are indented.
std::string FitEntries(std::string_view text, size_t columns);

}  // namespace tfprof
