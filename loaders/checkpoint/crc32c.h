// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>

namespace tfprof {

// Computes CRC-32C (Castagnoli) over pieces: start with kCrc32cStart, Extend over each piece,
// Finish.
constexpr uint32_t kCrc32cStart = 0xFFFFFFFFu;
uint32_t ExtendCrc32c(uint32_t state, std::string_view bytes);
constexpr uint32_t FinishCrc32c(uint32_t state) { return ~state; }

// Returns the stored form of `crc`. leveldb and TensorFlow store a CRC rotated by 15 bits plus a
// constant, so that a CRC over data that contains CRCs stays useful.
constexpr uint32_t MaskCrc32c(uint32_t crc) { return ((crc >> 15) | (crc << 17)) + 0xa282ead8u; }

}  // namespace tfprof
