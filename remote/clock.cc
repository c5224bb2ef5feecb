// SPDX-License-Identifier: Apache-2.0
#include "remote/clock.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "core/base/arith.h"
#include "core/text/units.h"

namespace tfprof::remote {
namespace {

// Smaller differences are not reported.
constexpr int64_t kInStepNs = 1'000'000;

// Clocks that were never set differ by more than fits in picoseconds: the text has the most that
// does.
std::string TimeText(int64_t ns) {
  bool clamped = false;
  return Human(SaturatingMul(ns, kPsPerNs, &clamped), Unit::ps);
}

}  // namespace

bool ClockOffset::IsApart() const { return low_ns > kInStepNs || high_ns < -kInStepNs; }

std::optional<ClockOffset> OffsetOf(const Span& call, const Span& recorded) {
  const ClockOffset offset{SaturatingAdd(recorded.end_ns, -call.end_ns),
                           SaturatingAdd(recorded.begin_ns, -call.begin_ns)};
  if (offset.low_ns > offset.high_ns) return std::nullopt;
  return offset;
}

std::string OffsetText(const ClockOffset& offset) {
  const int64_t near = std::min(std::abs(offset.low_ns), std::abs(offset.high_ns));
  const int64_t far = std::max(std::abs(offset.low_ns), std::abs(offset.high_ns));
  const char* const where = offset.low_ns > 0 ? "ahead of" : "behind";
  const std::string from = TimeText(near), to = TimeText(far);
  return from == to ? fmt::format("{} {} ours", from, where)
                    : fmt::format("{} to {} {} ours", from, to, where);
}

int64_t NowNs() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace tfprof::remote
