// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "analysis/steps/times.h"

namespace tfprof {

// The same step on several hosts: step[h] is the index in hosts[h].steps, kNotThere for a host that
// has no steps.
struct CommonStep {
  static constexpr uint32_t kNotThere = 0xFFFFFFFFu;
  int64_t number = 0;  // among all common ones, from 0
  std::vector<uint32_t> step;
};

// The steps that all hosts with steps have, in their order. Hosts number theirs on their own and
// begin to record at different moments, so steps are matched by time: each host is shifted against
// the one whose steps span the least time, by the number of steps with the most overlap (as
// xprof/utils/step_intersection.cc). Cost: the number of pairs of steps that overlap.
// Error: cancelled.
Result<std::vector<CommonStep>> AlignSteps(const std::vector<HostSteps>& hosts, Context& context);

// The first and the last step of every host that has more than five go: recording began and ended
// in them. Whether any did.
bool DropIncomplete(std::vector<HostSteps>* hosts);

// Of a common step: the host on which it took longest, an index of `hosts`.
size_t SlowestHost(const std::vector<HostSteps>& hosts, const CommonStep& step);

// Those in which a host has the step that -step asks for; all of them where it was not given, and
// none of what is no trace, which has steps of another kind. Error: usage, there is no such step.
Result<std::vector<CommonStep>> StepsAsked(const Store& store, const std::vector<HostSteps>& hosts,
                                           std::vector<CommonStep> common,
                                           const PlaceFilter& place);

}  // namespace tfprof
