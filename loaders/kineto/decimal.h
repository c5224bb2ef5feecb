// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

namespace tfprof::kineto {

// Microseconds as written in a file, in ps: wall times of today are beyond 64 bits.
__extension__ using WidePs = __int128;

// Reads a decimal number of us exactly, rounded to the ps: some writers print differences of
// doubles, 0.8669999999999618. None: it is no finite number (NaN, a word). Numbers beyond 10^30 us
// are cut to that.
std::optional<WidePs> ReadMicros(std::string_view text);

// a - b, clamped to what a store can have. Sets *clamped if it was.
int64_t ClampedDifference(WidePs a, WidePs b, bool* clamped);

// Reads a whole number. None: it is none, or beyond 64 bits.
std::optional<int64_t> ReadInteger(std::string_view text);

}  // namespace tfprof::kineto
