// SPDX-License-Identifier: Apache-2.0
#include "views/advice/evidence.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/contents.h"
#include "analysis/place.h"

namespace tfprof {

double Percent(int64_t part, int64_t whole) {
  return whole <= 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string PercentText(int64_t part, int64_t whole) {
  return fmt::format("{:.1f} %", Percent(part, whole));
}

Severity SeverityOfShare(double percent, Shares limits) {
  if (percent >= limits.high) return Severity::high;
  return percent >= limits.medium ? Severity::medium : Severity::low;
}

Severity SeverityOfCost(int64_t cost_ps, const Checking& checking, Shares limits) {
  return SeverityOfShare(Percent(cost_ps, checking.mean_step_ps), limits);
}

std::string NodeCommand(std::string_view name, std::string_view select) {
  const auto levels = std::count(name.begin(), name.end(), '/') + 2;
  const std::string expression = ExpressionFor(name);
  return fmt::format("scope -show_name_regexes {} -select {} -max_depth {}",
                     expression.empty() ? ".*" : expression, select, levels);
}

std::string DeviceCommand(std::string_view device) {
  return fmt::format("steps -where 'device ~ ^{}$'", ExpressionFor(device));
}

std::string OfHost(std::string command, const Store& trace, HostId host) {
  const std::string word = WordFor(HostName(trace, host));
  if (trace.hosts.size() > 1 && !word.empty()) command += " -host " + word;
  return command;
}

std::string_view NodeName(const Store& store, NodeId node) {
  return store.Text(store.nodes[node.value].name);
}

NodeTimes TimesOf(const std::vector<NodeId>& nodes, const NodeSums& sums) {
  NodeTimes times;
  for (const NodeId node : nodes) {
    if ((sums.present[node.value] & kHasTime) == 0) continue;
    const int64_t time = At(sums.values[node.value], Measure::micros);
    ++times.nodes;
    times.time = WrapAdd(times.time, time);
    if (times.costliest.some() && time <= times.costliest_time) continue;
    times.costliest = node;
    times.costliest_time = time;
  }
  return times;
}

Result<void> AddRunningNodes(const Checking& checking, const std::vector<NodeId>& nodes,
                             const NodeTimes& times, std::string what, Shares limits,
                             std::vector<Finding>* findings) {
  if (times.nodes == 0) return {};
  const Store& store = *checking.store;
  const std::string_view name = NodeName(store, times.costliest);
  Finding finding{
      .what = std::move(what),
      .evidence = fmt::format("{} for {} ({})", NodeTime(store, times.costliest_time), name,
                              store.Text(store.nodes[times.costliest.value].type)),
      .command = NodeCommand(name, "micros,device")};
  TFPROF_TRY(SetCostOfRunning(checking, nodes, &finding));
  finding.severity = SeverityOfCost(finding.cost_ps, checking, limits);
  findings->push_back(std::move(finding));
  return {};
}

}  // namespace tfprof
