// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "cli/run.h"
#include "core/base/result.h"

namespace tfprof {

// Makes text from a file or a user safe for a terminal: each control byte becomes '?'.
std::string Printable(std::string_view text);

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
void Say(std::string_view line, Io& io);

// The width of lines on standard error; 0: unlimited.
int ErrorColumns(const Io& io);

}  // namespace tfprof
