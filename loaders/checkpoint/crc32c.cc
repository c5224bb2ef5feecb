// SPDX-License-Identifier: Apache-2.0
#include "loaders/checkpoint/crc32c.h"

#include <isa-l/crc.h>

#include <algorithm>

namespace tfprof {

uint32_t ExtendCrc32c(uint32_t state, std::string_view bytes) {
  constexpr size_t kPiece = size_t{1} << 30;  // the library counts in int
  while (!bytes.empty()) {
    const size_t size = std::min(bytes.size(), kPiece);
    // The library takes a pointer to non-const data but does not write to it.
    auto* data = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(bytes.data()));
    state = crc32_iscsi(data, static_cast<int>(size), state);
    bytes.remove_prefix(size);
  }
  return state;
}

}  // namespace tfprof
