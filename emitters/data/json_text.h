// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace tfprof {

// Appends `text` in quotes. The output is valid UTF-8 whatever `text` contains: an invalid byte
// becomes U+FFFD followed by its two hexadecimal digits, so that different names stay different.
void AppendJsonString(std::string_view text, std::string* out);

}  // namespace tfprof
