// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "analysis/wall/times.h"
#include "views/advice/evidence.h"
#include "views/advice/thresholds.h"

// Findings about parts of the wall time (analysis/wall/times.h), for the checkers that report
// them.

namespace tfprof {

// A part of the wall time of a host.
struct WallCause {
  const HostWall& wall;
  const WallPart& part;

  double Percent() const { return wall.Percent(part.ps); }
};

int64_t StepsIn(const HostWall& wall);  // at least 1
// True for what starts between the start of the first step and the end of the last one.
bool InSteps(const HostWall& wall, int64_t start_ps);

// Returns the hosts that -host selects; none if -step selects steps: the wall time is that of all.
std::vector<const HostWall*> WallsOf(const Store& store, const PlaceFilter& place,
                                     const WallTimes& times);
std::vector<const HostWall*> WallsOf(const StepFacts& facts, const WallTimes& times);

// The largest part of each name among all hosts, of a kind, that takes at least `threshold` percent
// of its wall time, descending.
std::vector<WallCause> CausesOf(const std::vector<const HostWall*>& walls, WallKind kind,
                                double threshold = kWallThreshold);

// Returns a finding with its severity, its cost in a step (without steps: in the capture), and the
// values share, time, whole (with the host, if there are several), per_step, host.
Finding DescribeCause(const StepFacts& facts, FindingId id, const HostWall& wall, int64_t ps,
                      Shares limits = kWallShares);

// Calls add(part, step, ps) for each segment of a part within a step; a segment may be in several.
void EachInStep(const HostWall& wall,
                const std::function<void(size_t part, size_t step, int64_t ps)>& add);

// "step time", "wall time", "the capture"
std::string WholeOf(const HostWall& wall);

// "np.savez and os.fsync": up to `max` names that take at least a tenth of the sum; empty: none.
std::string LargestNames(const std::vector<NamedAmount>& amounts, size_t max);
// Returns the share of those times that have the name, in percent.
double ShareIn(const std::vector<NamedAmount>& amounts, std::string_view name);

inline constexpr std::string_view kSleep = "time.sleep";
// True for a function that sleeps for half of its time or more.
bool Sleeps(const WallPart& part);

}  // namespace tfprof
