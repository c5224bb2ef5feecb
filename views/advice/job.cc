// SPDX-License-Identifier: Apache-2.0
// JobChecker: whether the profile has enough data for the other views.
#include <algorithm>

#include "analysis/contents.h"
#include "views/advice/classic.h"
#include "views/advice/evidence.h"
#include "views/advice/thresholds.h"

namespace tfprof {
namespace {

void CheckSteps(const Checking& checking, int64_t graph_nodes, std::vector<Finding>* findings) {
  if (checking.steps.size() > 1) return;
  if (checking.steps.empty()) {
    const bool ran = checking.store->EventCount() > 0;
    findings->push_back({.id = ran ? FindingId::no_step : FindingId::no_run,
                         .values = {Count("graph_nodes", graph_nodes)}});
    return;
  }
  const StepId step = checking.steps[0];
  findings->push_back({.id = FindingId::one_step,
                       .values = {Time("duration", checking.DurationOf(step)),
                                  Number("step", checking.NumberOf(step))}});
}

void CheckStepsOfTrace(const TraceSteps& trace, const Store& nodes,
                       std::vector<Finding>* findings) {
  if (trace.count > 1) return;
  if (trace.count == 0) {
    const int64_t runs = CountOf(ContentsOfTrace(trace.trace, nodes), "time");
    findings->push_back({.id = FindingId::no_step, .values = {Count("executions", runs)}});
    return;
  }
  const auto host = std::find_if(trace.hosts.begin(), trace.hosts.end(),
                                 [](const HostSteps& one) { return !one.steps.empty(); });
  findings->push_back({.id = FindingId::one_step,
                       .values = {Time("duration", host->steps[0].duration_ps),
                                  Number("step", host->steps[0].number)}});
}

void CheckCoverage(const Store& store, std::vector<Finding>* findings) {
  const Source* last = nullptr;
  for (const Source& source : store.sources) {
    if (source.covered_nodes >= 0) last = &source;
  }
  if (last == nullptr || Percent(last->covered_nodes, last->known_nodes) >= kCovered) return;
  findings->push_back({.id = FindingId::low_coverage,
                       .severity = Severity::low,
                       .values = {Share("share", last->covered_nodes, last->known_nodes),
                                  Count("covered", last->covered_nodes),
                                  Count("known", last->known_nodes), Text("file", last->path)}});
}

void CheckShapes(int64_t graph_nodes, int64_t with_shapes, std::vector<Finding>* findings) {
  if (graph_nodes == 0 || Percent(with_shapes, graph_nodes) >= kCovered) return;
  findings->push_back(
      {.id = FindingId::few_shapes,
       .severity = Severity::low,
       .values = {Share("share", with_shapes, graph_nodes), Count("with_shapes", with_shapes),
                  Count("graph_nodes", graph_nodes)}});
}

void CheckStreams(const Store& store, std::vector<Finding>* findings) {
  const auto lacks = std::find_if(store.steps.begin(), store.steps.end(),
                                  [](const Step& step) { return step.lacks_accelerator_stream; });
  if (lacks == store.steps.end()) return;
  for (size_t i = 0; i < store.lanes.size(); ++i) {
    const Lane& lane = store.lanes[i];
    if (lane.role != LaneRole::executor || !IsAccelerator(store, LaneId(i))) continue;
    findings->push_back({.id = FindingId::streams_not_traced,
                         .severity = Severity::high,
                         .values = {Text("device", store.Text(lane.display)),
                                    Count("executions", lane.rows.count)}});
    return;
  }
}

}  // namespace

Result<void> CheckJob(const Checking& checking, std::vector<Finding>* findings) {
  const Store& store = *checking.store;
  const std::vector<Content> contents = ContentsOf(store);
  const int64_t graph_nodes = CountOf(contents, "graph");
  if (checking.trace == nullptr) CheckSteps(checking, graph_nodes, findings);
  if (checking.trace != nullptr) CheckStepsOfTrace(*checking.trace, store, findings);
  CheckStreams(store, findings);
  CheckCoverage(store, findings);
  CheckShapes(graph_nodes, CountOf(contents, "shapes"), findings);
  return {};
}

}  // namespace tfprof
