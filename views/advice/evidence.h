// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "analysis/nodes/accounting.h"
#include "core/store/store.h"
#include "views/advice/checker.h"

// Functions that several checkers use for their findings.

namespace tfprof {

// Returns part / whole in percent; 0 if the whole is 0.
double Percent(int64_t part, int64_t total);

// Make values for finding texts.
inline Value Text(std::string_view name, std::string_view text) {
  return {name, std::string(text)};
}
// Absent if the text is empty.
inline Value TextIfAny(std::string_view name, std::string_view text) {
  return text.empty() ? Value{name, kNoInt} : Text(name, text);
}
inline Value Number(std::string_view name, int64_t number) { return {name, number}; }
inline Value Count(std::string_view name, int64_t count) { return {name, count, Unit::count}; }
inline Value Time(std::string_view name, int64_t ps) { return {name, ps, Unit::ps}; }
// `time`: a sum over all steps of exact NodeSums. The value is its mean per step.
inline Value NodeTime(std::string_view name, const Store& store, int64_t time) {
  const MeasureScale scale = ScaleOf(store, PlaceFilter::Exact());
  return {name, time / scale.divisor, scale.time};
}
inline Value Bytes(std::string_view name, int64_t bytes) { return {name, bytes, Unit::bytes}; }
inline Value Share(std::string_view name, int64_t part, int64_t total) {
  return {name, Percent(part, total) / 100, Unit::fraction};
}
// Returns an expression that matches exactly that text; if it cannot be typed, one that matches
// anything.
Value Pattern(std::string_view name, std::string_view text);
// Returns `depth`: the -max_depth with which scope shows that name.
Value DepthOf(std::string_view node);
// Returns `host_word`: the host, for -host; absent if there is only one host.
Value HostWord(const Store& trace, HostId host);

// Severity by the most that a step could be shorter, in percent of a step: high from `high`, medium
// from `medium`, else low.
struct Shares {
  double high, medium;
};
Severity SeverityOfShare(double percent, Shares limits);
Severity SeverityOfCost(int64_t cost_ps, const Checking& checking, Shares limits);

// True if the step has records of a GPU, but none of its kernels: its durations and its idle times
// are unknown.
bool LacksKernels(const Store& recorded, const StepRow& step);

// Returns the name of a node, for a sentence.
std::string_view NodeName(const Store& store, NodeId node);

// The nodes with recorded times, and their times in exact sums over all steps.
struct NodeTimes {
  int64_t nodes = 0;
  int64_t time = 0;  // sum of all
  NodeId costliest;
  int64_t costliest_time = 0;
};
NodeTimes TimesOfNodes(const std::vector<NodeId>& nodes, const NodeSums& sums);

// Returns the time in which at least one of these nodes runs on any device, averaged over all
// steps, as NodeTime: at most the mean step. kNoInt: none of their records is placed.
Result<int64_t> MeanTimeRunning(const Checking& checking, const std::vector<NodeId>& nodes);

// Adds a finding about nodes that run in an expensive place or form; its evidence is the most
// expensive of them. Adds nothing if none of them has a time.
Result<void> AddRunningNodes(const Checking& checking, const std::vector<NodeId>& nodes,
                             const NodeTimes& times, FindingId id, Shares limits,
                             std::vector<Finding>* findings);

}  // namespace tfprof
