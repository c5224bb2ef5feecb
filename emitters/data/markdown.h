// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace tfprof {

// Appends printable text of one line, with the characters escaped that Markdown would take as
// markup.
void AppendMarkdown(std::string_view text, std::string* out);

}  // namespace tfprof
