// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <limits>

namespace tfprof {

// Absent is not 0. Sums skip absent values; a sum without values is absent.
constexpr int64_t kNoInt = std::numeric_limits<int64_t>::min();
constexpr double kNoReal = std::numeric_limits<double>::quiet_NaN();
// An execution without a recorded time. Sorts before every time.
constexpr int64_t kNoTime = std::numeric_limits<int64_t>::min();

constexpr int64_t kPsPerUs = 1'000'000;
constexpr int64_t kPsPerNs = 1'000;
constexpr int64_t kNsPerUs = 1'000;
constexpr int64_t kNsPerSecond = 1'000'000'000;

// Files may contain any number: sums wrap like the original's 64-bit arithmetic, without undefined
// behavior. Sums of ps, which the original does not have, saturate instead.
constexpr int64_t WrapAdd(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b));
}
constexpr int64_t WrapMul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) * static_cast<uint64_t>(b));
}

constexpr int64_t kMaxPs = std::numeric_limits<int64_t>::max();
constexpr int64_t kMinPs = std::numeric_limits<int64_t>::min() + 1;  // the lowest value is kNoTime

// a * b clamped to [kMinPs, kMaxPs]. Sets *clamped if the value was clamped, else leaves it
// unchanged.
inline int64_t SaturatingMul(int64_t a, int64_t b, bool* clamped) {
  int64_t product = 0;
  if (!__builtin_mul_overflow(a, b, &product) && product >= kMinPs) return product;
  *clamped = true;
  return (a < 0) == (b < 0) ? kMaxPs : kMinPs;
}

inline int64_t SaturatingAdd(int64_t a, int64_t b, bool* clamped) {
  int64_t sum = 0;
  // Two separate branches: for a combined condition the compiler stores flags and tests twice.
  if (__builtin_add_overflow(a, b, &sum)) [[unlikely]] {
    *clamped = true;
    return a < 0 ? kMinPs : kMaxPs;
  }
  if (sum >= kMinPs) [[likely]]
    return sum;
  *clamped = true;
  return kMinPs;
}

inline int64_t SaturatingAdd(int64_t a, int64_t b) {
  bool clamped = false;
  return SaturatingAdd(a, b, &clamped);
}

// Adds a present time to a sum that may be absent.
inline void AddPresent(int64_t time_ps, int64_t* sum) {
  *sum = *sum == kNoInt ? time_ps : SaturatingAdd(*sum, time_ps);
}

// value / (a * b), rounded to the nearest integer, halves away from 0. REQUIRES: a, b > 0.
inline int64_t RoundedQuotient(int64_t value, int64_t a, int64_t b) {
  __extension__ using Wide = __int128;
  const Wide by = static_cast<Wide>(a) * b;
  const Wide half = value < 0 ? -(by / 2) : by / 2;
  return static_cast<int64_t>((value + half) / by);
}

// value * times / by, rounded to the nearest integer; at most kMaxPs. REQUIRES: value, times >= 0;
// by > 0.
inline int64_t RoundedShare(int64_t value, int64_t times, int64_t by) {
  __extension__ using Wide = __int128;
  const Wide share = (static_cast<Wide>(value) * times + by / 2) / by;
  return static_cast<int64_t>(std::min<Wide>(share, kMaxPs));
}

// Absent if either value is absent or `total` is 0.
constexpr double Quotient(int64_t part, int64_t total) {
  if (part == kNoInt || total == kNoInt || total == 0) return kNoReal;
  return static_cast<double>(part) / static_cast<double>(total);
}

// Classic text prints 0 for absent values.
constexpr int64_t ZeroIfAbsent(int64_t value) { return value == kNoInt ? 0 : value; }

// Conversion of times in us, as in TensorFlow's profiles (wall times and durations), to ps from the
// store's time 0. Values out of range are clamped, and `odd(InvalidTime)` is called for a note.
enum class InvalidTime : uint8_t { far, negative, too_long };

template <class OnInvalid>
int64_t TimeFromMicros(int64_t micros, int64_t epoch_us, OnInvalid odd) {
  bool clamped = false;
  const int64_t from_epoch = SaturatingAdd(micros, -epoch_us, &clamped);
  const int64_t ps = SaturatingMul(from_epoch, kPsPerUs, &clamped);
  if (clamped) [[unlikely]]
    odd(InvalidTime::far);
  return ps;
}

// A negative duration becomes 0.
template <class OnInvalid>
int64_t DurationFromMicros(int64_t micros, OnInvalid odd) {
  if (micros >= 0 && micros <= kMaxPs / kPsPerUs) [[likely]]
    return micros * kPsPerUs;
  odd(micros < 0 ? InvalidTime::negative : InvalidTime::too_long);
  return micros < 0 ? 0 : kMaxPs;
}

}  // namespace tfprof
