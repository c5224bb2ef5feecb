// SPDX-License-Identifier: Apache-2.0
#pragma once

// Thresholds above which a part of the steps is mentioned, in percent of the step time unless
// noted.

namespace tfprof {

inline constexpr double kModerateInput = 5, kHighInput = 20;  // of xprof, as on the next line
inline constexpr double kModerateOther = 3, kHighOther = 15;
inline constexpr double kModerateCollectives = 3, kHighCollectives = 15;
inline constexpr double kModerateGaps = 10;  // percent of the time from the first step to the last
// percent of the step time; above it, time outside of the parts is no stall
inline constexpr double kModerateOverlap = 5;
inline constexpr double kSlowestHost = 1.1;  // step time over that of the other hosts
inline constexpr double kSlowFirst = 1.5;    // first step over the median of the others

}  // namespace tfprof
