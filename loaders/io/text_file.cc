// SPDX-License-Identifier: Apache-2.0
#include "loaders/io/text_file.h"

#include <algorithm>

namespace tfprof {

bool LooksLikeTextFile(std::string_view bytes) {
  constexpr size_t kLookAt = 4096;
  bytes = bytes.substr(0, kLookAt);
  return std::all_of(bytes.begin(), bytes.end(), [](char c) {
    const bool space = c >= '\t' && c <= '\r';
    return space || (static_cast<unsigned char>(c) >= 0x20 && c != 0x7F);
  });
}

}  // namespace tfprof
