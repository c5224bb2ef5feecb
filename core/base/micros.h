// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/base/arith.h"

// Conversion of times in us, as in TensorFlow's profiles (wall times and durations), to ps from the
// store's time 0. Values out of range are clamped, and `odd(OddTime)` is called for a note.
namespace tfprof {

enum class OddTime : uint8_t { far, negative, too_long };

template <class Odd>
int64_t TimeFromMicros(int64_t micros, int64_t epoch_us, Odd odd) {
  bool clamped = false;
  const int64_t from_epoch = SaturatingAdd(micros, -epoch_us, &clamped);
  const int64_t ps = SaturatingMul(from_epoch, kPsPerUs, &clamped);
  if (clamped) [[unlikely]]
    odd(OddTime::far);
  return ps;
}

// A negative duration becomes 0.
template <class Odd>
int64_t DurationFromMicros(int64_t micros, Odd odd) {
  if (micros >= 0 && micros <= kMaxPs / kPsPerUs) [[likely]]
    return micros * kPsPerUs;
  odd(micros < 0 ? OddTime::negative : OddTime::too_long);
  return micros < 0 ? 0 : kMaxPs;
}

}  // namespace tfprof
