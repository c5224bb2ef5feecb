// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/steps/thresholds.h"
#include "views/advice/evidence.h"

// From when on checkers report a finding, and how severe it is. The catalogue has them in words.

namespace tfprof {

inline constexpr double kBusyEnough = 85;       // percent of the steps
inline constexpr Shares kUnusedShares{70, 40};  // of them, not busy

inline constexpr double kIdleEnough = 10;  // percent of the steps of a device
inline constexpr Shares kIdleShares{50, 20};

inline constexpr double kCopiesEnough = 1;  // percent of the steps
inline constexpr Shares kCopyShares{20, 5};

inline constexpr Shares kInputShares{kMuchInput, kSomeInput};
inline constexpr Shares kCollectiveShares{kMuchCollectives, 5};

inline constexpr double kSomeStalls = 5;  // percent of the steps
inline constexpr Shares kStallShares{20, kSomeStalls};

inline constexpr double kMuchCompute = 30;  // percent of the steps: precision matters then
inline constexpr double kLittle16Bit = 10;  // percent of the compute

inline constexpr Shares kOtherShares{50, kMuchOther};
inline constexpr Shares kGapShares{50, 20};

inline constexpr double kStragglerEnough = 5;  // percent of the steps, that others wait for it
inline constexpr Shares kStragglerShares{20, 10};

inline constexpr double kVerySlowFirst = 3;  // times the median of the others, as kSlowFirst

inline constexpr double kVaries = 20;  // percent: slowest - fastest, of the median
inline constexpr Shares kVariationShares{50, 20};

// Percent of all time of operations, of a type; of a trace also of the steps, of a scope as well.
inline constexpr double kTypeEnough = 20;
inline constexpr double kScopeEnough = 50;  // of a scope; of a type that is medium

inline constexpr double kCovered = 50;  // percent of the nodes that ran, or that have shapes

}  // namespace tfprof
