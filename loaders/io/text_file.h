// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace tfprof {

// Returns true if the bytes look like the beginning of a text file: printable, with white space.
bool LooksLikeTextFile(std::string_view bytes);

}  // namespace tfprof
