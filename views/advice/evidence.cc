// SPDX-License-Identifier: Apache-2.0
#include "views/advice/evidence.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/contents.h"
#include "analysis/place.h"

namespace tfprof {

double Percent(int64_t part, int64_t total) {
  return total <= 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(total);
}

Value Pattern(std::string_view name, std::string_view text) {
  const std::string expression = ExpressionFor(text);
  return {name, expression.empty() ? ".*" : expression};
}

Value DepthOf(std::string_view node) {
  return Number("depth", std::count(node.begin(), node.end(), '/') + 2);
}

Value HostWord(const Store& trace, HostId host) {
  const std::string word = trace.hosts.size() > 1 ? WordFor(HostName(trace, host)) : "";
  return word.empty() ? Number("host_word", kNoInt) : Text("host_word", word);
}

Severity SeverityOfShare(double percent, Shares limits) {
  if (percent >= limits.high) return Severity::high;
  return percent >= limits.medium ? Severity::medium : Severity::low;
}

Severity SeverityOfCost(int64_t cost_ps, const Checking& checking, Shares limits) {
  return SeverityOfShare(Percent(cost_ps, checking.durations.mean_ps), limits);
}

bool LacksKernels(const Store& recorded, const StepRow& step) {
  return std::any_of(recorded.steps.begin(), recorded.steps.end(), [&](const Step& of) {
    return of.lacks_accelerator_stream && of.number == step.number;
  });
}

std::string_view NodeName(const Store& store, NodeId node) {
  return store.Text(store.nodes[node.value].name);
}

NodeTimes TimesOfNodes(const std::vector<NodeId>& nodes, const NodeSums& sums) {
  NodeTimes times;
  for (const NodeId node : nodes) {
    if ((sums.present[node.value] & kHasTime) == 0) continue;
    const int64_t time = At(sums.values[node.value], Measure::micros);
    ++times.nodes;
    times.time = SaturatingAdd(times.time, time);
    if (times.costliest.some() && time <= times.costliest_time) continue;
    times.costliest = node;
    times.costliest_time = time;
  }
  return times;
}

Result<void> AddRunningNodes(const Checking& checking, const std::vector<NodeId>& nodes,
                             const NodeTimes& times, FindingId id, Shares limits,
                             std::vector<Finding>* findings) {
  if (times.nodes == 0) return {};
  const Store& store = *checking.store;
  const std::string_view name = NodeName(store, times.costliest);
  Finding finding{
      .id = id,
      .values = {Number("operations", times.nodes), Text("node", name), Pattern("pattern", name),
                 DepthOf(name), NodeTime("time", store, times.costliest_time),
                 Text("type", store.Text(store.nodes[times.costliest.value].type))}};
  TFPROF_ASSIGN(finding.cost_ps, MeanTimeRunning(checking, nodes));
  finding.severity = SeverityOfCost(finding.cost_ps, checking, limits);
  findings->push_back(std::move(finding));
  return {};
}

}  // namespace tfprof
