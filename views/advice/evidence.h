// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "core/base/units.h"
#include "core/store/time_unit.h"
#include "views/advice/checker.h"

// What the sentences of several checkers are made of.

namespace tfprof {

// part / whole in percent; 0 when there is no whole.
double Percent(int64_t part, int64_t whole);
std::string PercentText(int64_t part, int64_t whole);  // "12.3 %"

inline std::string Time(int64_t ps) { return Human(ps, Unit::ps); }
inline std::string NodeTime(const Store& store, int64_t time) {
  return Human(time, TimeUnit(store));
}

// By what a step would be shorter at most, in percent of a step: from `high` on high, from `medium`
// on medium, else low.
struct Shares {
  double high, medium;
};
Severity SeverityOfShare(double percent, Shares limits);
Severity SeverityOfCost(int64_t cost_ps, const Checking& checking, Shares limits);

// Commands that show one node, operation type or device.
std::string NodeCommand(std::string_view name, std::string_view select);
std::string DeviceCommand(std::string_view device);  // a row per step of table `devices` of steps
// That of one of several hosts: of these alone.
std::string OfHost(std::string command, const Store& trace, HostId host);

// The name of a node, for a sentence.
std::string_view NodeName(const Store& store, NodeId node);

// The nodes that have times, with their times a step (averages over the steps in which each ran).
struct NodeTimes {
  int64_t nodes = 0;
  int64_t time = 0;  // TimeUnit, together
  NodeId costliest;
  int64_t costliest_time = 0;
};
NodeTimes TimesOf(const std::vector<NodeId>& nodes, const NodeSums& sums);

// The time in which at least one of these nodes runs, on any device, as the mean over all steps
// that have a duration: never more than the mean step. kNoInt: no record of them is placed.
Result<int64_t> MeanTimeRunning(const Checking& checking, const std::vector<NodeId>& nodes);
// That as the cost of a finding about these nodes.
Result<void> SetCostOfRunning(const Checking& checking, const std::vector<NodeId>& nodes,
                              Finding* finding);

// Adds a finding about nodes that run where or in a form that costs: the costliest of them is its
// evidence. Nothing where none of them has a time.
Result<void> AddRunningNodes(const Checking& checking, const std::vector<NodeId>& nodes,
                             const NodeTimes& times, std::string what, Shares limits,
                             std::vector<Finding>* findings);

}  // namespace tfprof
