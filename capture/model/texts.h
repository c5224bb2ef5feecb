// SPDX-License-Identifier: Apache-2.0
// Texts of programs, as traces and the manifest can have them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tfprof::capture {

// A text of any bytes as UTF-8: programs may use another encoding, and long texts are shortened
// anywhere. A byte that is none becomes U+FFFD and its two hexadecimal digits.
std::string ValidUtf8(std::string_view text);

// UTF-8 as part of the name of a file, of so many bytes at most.
std::string FilePart(std::string_view text, size_t most);

}  // namespace tfprof::capture
