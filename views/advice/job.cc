// SPDX-License-Identifier: Apache-2.0
// JobChecker: whether the profile has enough data for the other views.
#include <algorithm>

#include "analysis/contents.h"
#include "views/advice/classic.h"
#include "views/advice/evidence.h"
#include "views/advice/thresholds.h"

namespace tfprof {
namespace {

Finding DescribeNoStep(const Checking& checking, int64_t graph_nodes) {
  if (checking.trace == nullptr) {
    const bool ran = checking.store->EventCount() > 0;
    return {.id = ran ? FindingId::no_step : FindingId::no_run,
            .values = {Count("graph_nodes", graph_nodes)}};
  }
  const int64_t runs = CountOf(ContentsOfTrace(checking.recorded, *checking.store), "time");
  return {.id = FindingId::no_step, .values = {Count("executions", runs)}};
}

void CheckSteps(const Checking& checking, int64_t graph_nodes, std::vector<Finding>* findings) {
  if (checking.durations.count > 1) return;
  const std::vector<StepRow>& steps = checking.tables.steps;
  const auto step = std::find_if(steps.begin(), steps.end(),
                                 [](const StepRow& of) { return of.start_ps != kNoTime; });
  if (step == steps.end()) return findings->push_back(DescribeNoStep(checking, graph_nodes));
  findings->push_back({.id = FindingId::one_step,
                       .values = {Time("duration", step->SpanPs()), Number("step", step->number)}});
}

void CheckCoverage(const Store& store, std::vector<Finding>* findings) {
  const Source* last = nullptr;
  for (const Source& source : store.sources) {
    if (source.covered_nodes >= 0) last = &source;
  }
  // Without a graph, every node is known from its own record.
  const bool has_graph = std::any_of(store.nodes.begin(), store.nodes.end(),
                                     [](const Node& node) { return node.defined; });
  if (last == nullptr || !has_graph) return;
  if (Percent(last->covered_nodes, last->known_nodes) >= kCovered) return;
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
  CheckSteps(checking, graph_nodes, findings);
  CheckStreams(store, findings);
  CheckCoverage(store, findings);
  CheckShapes(graph_nodes, CountOf(contents, "shapes"), findings);
  return {};
}

}  // namespace tfprof
