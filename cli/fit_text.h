// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

// Texts of lines, broken between words to `columns` cells; 0: as they are. A word that is longer
// stays whole.

namespace tfprof {

// Of help: a row's meaning stays in its column, lines that begin at the margin are paragraphs.
// What stands below "examples" is to be copied, and stays as it is.
std::string FitHelp(std::string_view text, size_t columns);

// Each line is an entry: "name: what it is". What goes on is indented.
std::string FitEntries(std::string_view text, size_t columns);

}  // namespace tfprof
