// SPDX-License-Identifier: Apache-2.0
#include "loaders/kineto/decimal.h"

#include <algorithm>
#include <charconv>
#include <cstring>

#include "core/base/arith.h"
#include "core/base/ascii.h"

namespace tfprof::kineto {
namespace {

constexpr int kPsDigits = 6;  // of a us
constexpr int kMaxExponent = 40;
constexpr WidePs kMost = WidePs{1'000'000'000'000'000'000} * 1'000'000'000'000'000'000;

// number * 10^exponent, rounded to the nearest and cut to kMost.
WidePs Scaled(WidePs number, int exponent) {
  for (; exponent > 0 && number < kMost; --exponent) number *= 10;
  WidePs divisor = 1;
  for (; exponent < 0 && divisor < kMost; ++exponent) divisor *= 10;
  return std::min((number + divisor / 2) / divisor, kMost);
}

// Reads eight digits at once: pairs of neighbors become one number, three times. False: not all are
// digits.
bool ReadEight(const char* at, uint64_t* number) {
  uint64_t bytes = 0;
  std::memcpy(&bytes, at, sizeof(bytes));
  constexpr uint64_t kZeros = 0x3030303030303030, kHigh = 0xf0f0f0f0f0f0f0f0;
  constexpr uint64_t kSix = 0x0606060606060606;  // what a byte above '9' carries by
  if ((bytes & kHigh) != kZeros || ((bytes + kSix) & kHigh) != kZeros) return false;
  bytes = (bytes - kZeros) * (1 + (10 << 8)) >> 8 & 0x00ff00ff00ff00ff;
  bytes = bytes * (1 + (100 << 16)) >> 16 & 0x0000ffff0000ffff;
  *number = bytes * (1 + (uint64_t{10'000} << 32)) >> 32;
  return true;
}

// Reads at most 19 digits, which 64 bits have, kPsDigits of them behind a point. False: the text is
// something else.
bool ReadShort(std::string_view text, WidePs* ps) {
  constexpr uint64_t kPowers[] = {1, 10, 100, 1'000, 10'000, 100'000, 1'000'000};
  constexpr size_t kMostDigits = 19;
  if (text.empty() || text.size() > kMostDigits + 1) return false;
  uint64_t digits = 0;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto take = [&] {
    for (uint64_t eight = 0; end - at >= 8 && ReadEight(at, &eight); at += 8) {
      digits = digits * 100'000'000 + eight;
    }
    for (; at < end && IsDigit(*at); ++at) digits = digits * 10 + static_cast<uint64_t>(*at - '0');
  };
  take();
  size_t decimals = 0;
  if (at != text.data() && at + 1 < end && *at == '.') {
    const char* const fraction = ++at;
    take();
    decimals = static_cast<size_t>(at - fraction);
  }
  const bool fits = decimals > 0 || text.size() <= kMostDigits;
  if (at != end || decimals > kPsDigits || !fits) return false;
  *ps = static_cast<WidePs>(digits) * kPowers[kPsDigits - decimals];
  return true;
}

}  // namespace

std::optional<WidePs> ReadMicros(std::string_view text) {
  if (WidePs ps = 0; ReadShort(text, &ps)) return ps;
  const char* at = text.data();
  const char* const end = at + text.size();
  const bool negative = at < end && *at == '-';
  if (at < end && (*at == '-' || *at == '+')) ++at;
  uint64_t digits = 0;  // the first 19 of the number
  int taken = 0, exponent = kPsDigits;
  const char* const begin = at;
  const auto take = [&](bool is_fraction) {
    for (; at < end && IsDigit(*at); ++at) {
      const bool fits = taken < 19;
      if (fits) digits = digits * 10 + static_cast<uint64_t>(*at - '0');
      taken += fits && (digits != 0) ? 1 : 0;
      if (fits && is_fraction) --exponent;
      if (!fits && !is_fraction) ++exponent;
    }
  };
  take(false);
  size_t count = static_cast<size_t>(at - begin);
  if (at < end && *at == '.') {
    const char* const fraction = ++at;
    take(true);
    count += static_cast<size_t>(at - fraction);
  }
  if (count == 0) return std::nullopt;
  if (at < end && (*at == 'e' || *at == 'E')) {
    if (++at < end && *at == '+') ++at;
    int power = 0;
    const auto read = std::from_chars(at, end, power);
    if (read.ec == std::errc::invalid_argument) return std::nullopt;
    if (read.ec == std::errc()) exponent += std::clamp(power, -2 * kMaxExponent, kMaxExponent);
    at = read.ptr;
  }
  if (at != end) return std::nullopt;
  const WidePs ps = Scaled(static_cast<WidePs>(digits), exponent);
  return negative ? -ps : ps;
}

int64_t ClampedDifference(WidePs a, WidePs b, bool* clamped) {
  const WidePs difference = a - b;
  if (difference >= kMinPs && difference <= kMaxPs) return static_cast<int64_t>(difference);
  *clamped = true;
  return difference < 0 ? kMinPs : kMaxPs;
}

std::optional<int64_t> ReadInteger(std::string_view text) {
  int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace tfprof::kineto
