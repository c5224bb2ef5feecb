// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace tfprof::remote {

constexpr int64_t kNsPerMs = 1'000'000;

// When something happened, in ns since 1970.
struct Span {
  int64_t begin_ns = 0;
  int64_t end_ns = 0;
};

// How far a server's clock is ahead of ours: at least `low_ns`, at most `high_ns`.
struct ClockOffset {
  int64_t low_ns = 0;
  int64_t high_ns = 0;

  bool IsApart() const;  // no agreement is possible, but for what clocks in step differ
};

// The session `recorded`, by the server's clock, lies within the call, by ours. Nothing if the
// session lasted longer than the call: a clock was set meanwhile.
std::optional<ClockOffset> OffsetOf(const Span& call, const Span& recorded);

// "2.10 s ahead of ours", "2.05 s to 2.10 s behind ours".
std::string OffsetText(const ClockOffset& offset);

int64_t NowNs();  // of the epoch

}  // namespace tfprof::remote
