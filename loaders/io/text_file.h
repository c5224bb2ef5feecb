// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string_view>

namespace tfprof {

// The beginning of a text file: printable, with white space.
bool LooksLikeTextFile(std::string_view bytes);

}  // namespace tfprof
