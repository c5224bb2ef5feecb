// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "analysis/categories/nested_times.h"
#include "analysis/steps/thresholds.h"
#include "core/store/store.h"
#include "views/advice/evidence.h"

// Thresholds of findings and of their severities. The catalogue states them in words.

namespace tfprof {

inline constexpr double kBusyThreshold = 85;    // percent of the steps
inline constexpr Shares kUnusedShares{70, 40};  // percent of the steps, not busy

inline constexpr double kLittleMemory = 10;  // percent of the capacity: less needs no advice

inline constexpr double kIdleThreshold = 10;  // percent of the steps of a device
inline constexpr Shares kIdleShares{50, 20};

inline constexpr double kCopiesThreshold = 1;  // percent of the steps
inline constexpr Shares kCopyShares{20, 5};

inline constexpr Shares kInputShares{kHighInput, kModerateInput};
inline constexpr Shares kCollectiveShares{kHighCollectives, 5};

inline constexpr double kModerateStalls = 5;  // percent of the steps
inline constexpr Shares kStallShares{20, kModerateStalls};

inline constexpr Shares kOtherShares{50, 20};
inline constexpr Shares kGapShares{50, 20};

inline constexpr double kStragglerThreshold = 5;  // percent of the steps that others wait for it
inline constexpr Shares kStragglerShares{20, 10};

inline constexpr double kMostOfMean = 50;    // percent of the mean step that the first one adds
inline constexpr double kVerySlowFirst = 3;  // multiple of the median of the others, as kSlowFirst

inline constexpr double kVaries = 20;  // percent: slowest - fastest, of the median
inline constexpr Shares kVariationShares{50, 20};

// Percent of the time of all operations, for a type; in a trace also of the steps, and for a scope,
// too.
inline constexpr double kTypeShareThreshold = 20;
inline constexpr double kScopeThreshold = 50;  // for a scope; for a type of medium severity

// Parts of the wall time (views/causes/wall_cause.h), in percent of it.
inline constexpr double kWallThreshold = 5;
inline constexpr Shares kWallShares{30, 10};
inline constexpr double kMuchOfWall = 10;
inline constexpr double kInputThreshold = 10;  // waiting for input
inline constexpr Shares kWallInputShares{40, 20};
inline constexpr int64_t kLongGapPs = 500 * kPsPerUs;  // longer ones are no starts of programs

// True for idle time of a step that is Python's work between two operations of a framework that
// starts each from there.
inline bool IsPythonBetweenOps(const Store& store, int64_t step_ps) {
  return HasCategories(store) && step_ps < kLongGapPs;
}

inline constexpr double kCovered = 50;  // percent of the nodes that ran, or that have shapes

}  // namespace tfprof
