// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/nodes/accounting.h"
#include "views/columns/group_sums.h"

namespace tfprof {

// Work of groups of graph nodes in single steps, by the rules of SumNodes.
struct StepSums {
  std::vector<StepId> steps;  // selected steps, ascending
  size_t groups = 0;
  std::vector<int64_t> time_ps;  // by step * groups + group
  std::vector<int64_t> runs;     // timed executions on the counting device

  int64_t TimePs(size_t step, size_t group) const { return time_ps[step * groups + group]; }
  int64_t Runs(size_t step, size_t group) const { return runs[step * groups + group]; }
};

// `group_of_node`: by node, less than `groups`, or kNoGroup.
constexpr uint32_t kNoGroup = 0xFFFFFFFFu;
Result<StepSums> SumBySteps(const Store& store, const NodeAccounts& accounts,
                            std::span<const uint32_t> group_of_node, size_t groups,
                            const PlaceFilter& place, Context& context);

// Sums one group: the counting ones of `nodes`.
Result<StepSums> SumBySteps(const Store& store, const NodeCosts& costs,
                            std::span<const NodeId> nodes, const PlaceFilter& place,
                            Context& context);

// Spread over all selected steps; a group that did not run has 0 there. kNoInt: it ran in none.
struct StepSpread {
  int64_t min_ps = kNoInt;
  int64_t median_ps = kNoInt;
  int64_t max_ps = kNoInt;
};
StepSpread SpreadOf(const StepSums& sums, size_t group);

}  // namespace tfprof
