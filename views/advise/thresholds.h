// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "views/advise/evidence.h"

// From when on checkers that judge profiles and traces alike tell a finding, and how severe it is.
// Checker::from says it in words.

namespace tfprof {

inline constexpr double kBusyEnough = 85;       // percent of the steps
inline constexpr Shares kUnusedShares{70, 40};  // of them, not busy

inline constexpr double kIdleEnough = 10;  // percent of the device's span
inline constexpr Shares kIdleShares{50, 20};

inline constexpr double kCopiesEnough = 1;  // percent of the steps
inline constexpr Shares kCopyShares{20, 5};

inline constexpr double kSlowFirst = 1.5;  // times the median of the others
inline constexpr double kVerySlowFirst = 3;

inline constexpr double kVaries = 20;  // percent: slowest - fastest, of the median
inline constexpr Shares kVariationShares{50, 20};

}  // namespace tfprof
