// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <isa-l/crc.h>

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace tfprof {

// Computes CRC-32C (Castagnoli) over pieces: start with kCrc32cStart, Extend over each piece,
// Finish.
constexpr uint32_t kCrc32cStart = 0xFFFFFFFFu;
inline uint32_t ExtendCrc32c(uint32_t state, std::string_view bytes) {
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

constexpr uint32_t FinishCrc32c(uint32_t state) { return ~state; }

// Returns the stored form of `crc`. leveldb and TensorFlow store a CRC rotated by 15 bits plus a
// constant, so that a CRC over data that contains CRCs stays useful.
constexpr uint32_t MaskCrc32c(uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xa282ead8u; }

}  // namespace tfprof
