// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

// Breaks lines between words to `columns` cells; 0: unchanged. A longer word stays whole.

namespace tfprof {

// Help text: a row's meaning stays in its column, lines that begin at the margin are paragraphs.
// Text below "examples" is for copying and stays unchanged.
std::string FitHelp(std::string_view text, size_t columns);

// Each line is an entry "name: meaning". Continuation lines are indented.
std::string FitEntries(std::string_view text, size_t columns);

}  // namespace tfprof
