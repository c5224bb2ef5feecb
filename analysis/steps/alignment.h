// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "analysis/steps/times.h"

namespace tfprof {

// A step that several hosts share: step[h] is the index into hosts[h].steps, kNotThere if host h
// has no steps.
struct CommonStep {
  static constexpr uint32_t kNotThere = 0xFFFFFFFFu;
  int64_t number = 0;  // among all common steps, from 0
  std::vector<uint32_t> step;
};

// Returns the steps that all hosts with steps share, in order. Hosts number their steps
// independently and start recording at different times, so steps are matched by time: each host is
// shifted against the host whose steps span the least time, by the number of steps with the most
// overlap (as in xprof/utils/step_intersection.cc). Cost: the number of overlapping pairs of steps.
// Error: cancelled.
Result<std::vector<CommonStep>> AlignSteps(const std::vector<HostSteps>& hosts, Context& context);

// Removes the first and the last step of every host with more than five steps: recording started
// and ended in them. Returns true if any was removed.
bool DropIncomplete(std::vector<HostSteps>* hosts);

// Returns the host on which the common step took longest, as an index into `hosts`.
size_t SlowestHost(const std::vector<HostSteps>& hosts, const CommonStep& step);

// Returns the common steps that -step selects; all if -step is not given, or if the store is not a
// trace, which has steps of another kind. Where hosts number a step differently, its number is that
// of most hosts; of the first such step, if there are several. Error: usage, no such step.
Result<std::vector<CommonStep>> SelectedSteps(const Store& store,
                                              const std::vector<HostSteps>& hosts,
                                              std::vector<CommonStep> common,
                                              const PlaceFilter& place);

}  // namespace tfprof
