// SPDX-License-Identifier: Apache-2.0
#pragma once

// From when on a part of the steps is worth a word, wherever one is said: percent of the step time
// where nothing else is told.

namespace tfprof {

inline constexpr double kSomeInput = 5, kMuchInput = 20;  // of xprof, as the next line
inline constexpr double kSomeOther = 3, kMuchOther = 15;
inline constexpr double kSomeCollectives = 3, kMuchCollectives = 15;
inline constexpr double kSomeGaps = 10;    // of the time from the first step to the last
inline constexpr double kSomeOverlap = 5;  // in an earlier step, too; then none waits for its parts
inline constexpr double kSlowestHost = 1.1;  // steps of a host: times those of the others
inline constexpr double kSlowFirst = 1.5;    // a first step: times the median of the others

}  // namespace tfprof
