// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <isa-l/crc.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <string_view>

namespace tfprof {

// Returns the stored form of the CRC-32C (Castagnoli). leveldb and TensorFlow rotate it by 15 bits
// and add a constant, so that a CRC over data that contains CRCs stays useful.
inline uint32_t MaskedCrc32c(std::string_view bytes) {
  constexpr size_t kPiece = size_t{1} << 30;  // the library counts in int
  uint32_t state = 0xFFFFFFFFu;
  while (!bytes.empty()) {
    const size_t size = std::min(bytes.size(), kPiece);
    // The library takes a pointer to non-const data but does not write to it.
    auto* data = const_cast<unsigned char*>(reinterpret_cast<const unsigned char*>(bytes.data()));
    state = crc32_iscsi(data, static_cast<int>(size), state);
    bytes.remove_prefix(size);
  }
  return std::rotr(~state, 15) + 0xa282ead8u;
}

}  // namespace tfprof
