// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "core/store/time_unit.h"
#include "views/advice/checker.h"

// What several checkers need for their findings.

namespace tfprof {

// part / whole in percent; 0 when there is no whole.
double Percent(int64_t part, int64_t whole);

// Values for wordings.
inline Value Text(std::string_view name, std::string_view text) {
  return {name, std::string(text)};
}
// Absent where it is empty.
inline Value TextIfAny(std::string_view name, std::string_view text) {
  return text.empty() ? Value{name, kNoInt} : Text(name, text);
}
inline Value Number(std::string_view name, int64_t number) { return {name, number}; }
inline Value Count(std::string_view name, int64_t count) { return {name, count, Unit::count}; }
inline Value Time(std::string_view name, int64_t ps) { return {name, ps, Unit::ps}; }
inline Value NodeTime(std::string_view name, const Store& store, int64_t time) {
  return {name, time, TimeUnit(store)};
}
inline Value Bytes(std::string_view name, int64_t bytes) { return {name, bytes, Unit::bytes}; }
inline Value Share(std::string_view name, int64_t part, int64_t whole) {
  return {name, Percent(part, whole) / 100, Unit::fraction};
}
// An expression for just that text; where it cannot be typed, for any.
Value Pattern(std::string_view name, std::string_view text);
// `depth`: how deep scope has to go to show that name.
Value DepthOf(std::string_view node);
// `host_word`: the host, for -host; absent where there is only one.
Value HostWord(const Store& trace, HostId host);

// By what a step would be shorter at most, in percent of a step: from `high` on high, from `medium`
// on medium, else low.
struct Shares {
  double high, medium;
};
Severity SeverityOfShare(double percent, Shares limits);
Severity SeverityOfCost(int64_t cost_ps, const Checking& checking, Shares limits);

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

// Adds a finding about nodes that run where or in a form that costs: the costliest of them is its
// evidence. Nothing where none of them has a time.
Result<void> AddRunningNodes(const Checking& checking, const std::vector<NodeId>& nodes,
                             const NodeTimes& times, FindingId id, Shares limits,
                             std::vector<Finding>* findings);

}  // namespace tfprof
