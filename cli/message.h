// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "cli/run.h"
#include "core/base/result.h"

namespace tfprof {

// Text from a file or a user as it may go to a terminal: control bytes become '?', as many.
std::string Printable(std::string_view text);

// `line` and below it ^~~~ under [begin, end); a long line is cut around them, with ... where
// something is missing.
std::string MarkedLine(std::string_view line, size_t begin, size_t end);

// What to try, in words of the command line; empty: nothing is known.
std::string HintOf(const Error& error);

// What is said of an error, one line each: what (after `place`, "FILE:LINE: ", or nothing), where,
// a hint. With a line end, and all of it Printable. Lines of more than `columns` cells are broken
// between words; 0: none are.
std::string Describe(const Error& error, std::string_view place, int columns);

// Says `line`, Printable and without its end, on standard error; on a terminal broken between
// words.
void Say(std::string_view line, Io& io);

// Of lines on standard error; 0: they have no end.
int ErrorColumns(const Io& io);

}  // namespace tfprof
