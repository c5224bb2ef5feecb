// SPDX-License-Identifier: Apache-2.0
// JobChecker: whether the profile says enough for the other answers.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/contents.h"
#include "views/advice/classic.h"
#include "views/advice/evidence.h"
#include "views/advice/thresholds.h"
#include "views/steps/host_work.h"

namespace tfprof {
namespace {

void CheckSteps(const Checking& checking, int64_t graph_nodes, std::vector<Finding>* findings) {
  if (checking.steps.size() > 1) return;
  if (checking.steps.empty()) {
    const bool ran = checking.store->EventCount() > 0;
    findings->push_back({.severity = Severity::info,
                         .what = ran ? "what was recorded belongs to no step: steps are not judged"
                                     : "no run was recorded: only what the graph says is known",
                         .evidence = Human(graph_nodes, Unit::count) + " graph nodes, no step",
                         .command = "info"});
    return;
  }
  const StepId step = checking.steps[0];
  findings->push_back(
      {.severity = Severity::info,
       .what = "one step was recorded: whether it is a typical one cannot be told",
       .evidence = fmt::format("{} is the duration of step {}", Time(checking.DurationOf(step)),
                               checking.NumberOf(step)),
       .command = "steps"});
}

void CheckStepsOfTrace(const TraceSteps& trace, const Store& nodes,
                       std::vector<Finding>* findings) {
  if (trace.count > 1) return;
  if (trace.count == 0) {
    const int64_t runs = CountOf(ContentsOfTrace(trace.trace, nodes), "time");
    findings->push_back(
        {.severity = Severity::info,
         .what = "no step was found in the trace: steps are not judged",
         .evidence = Human(runs, Unit::count) + " executions of operations, no step",
         .command = "info"});
    return;
  }
  const auto host = std::find_if(trace.hosts.begin(), trace.hosts.end(),
                                 [](const HostSteps& one) { return !one.steps.empty(); });
  findings->push_back(
      {.severity = Severity::info,
       .what = "one step was recorded: whether it is a typical one cannot be told",
       .evidence = fmt::format("{} is the duration of step {}", Time(host->steps[0].duration_ps),
                               host->steps[0].number),
       .command = "steps"});
}

// The events of that name, those with most self time first.
std::string EventsCommand(std::string_view name) {
  const std::string expression = ExpressionFor(name);
  if (expression.empty()) return "events -order_by self_us";
  return fmt::format("events -where 'name ~ ^{}$' -order_by self_us", expression);
}

// Steps of devices tell copies, and nothing else of input: input and overview say so.
Result<void> CheckTellsInput(const Checking& checking, std::vector<Finding>* findings) {
  const TraceSteps& trace = *checking.trace;
  if (trace.whole.tells_input || trace.whole.common.empty()) return {};
  TFPROF_ASSIGN(const WorkInSteps found,
                HostWorkIn(trace.trace, checking.recorded, trace.whole, checking.context));
  const std::string longest = found.Longest();
  if (longest.empty()) return {};
  findings->push_back(
      {.severity = Severity::info,
       .what = "whether steps wait for input is not known: nothing that makes it or waits for it "
               "was recorded",
       .evidence = fmt::format("{} is the longest {}; of the time of the steps, without what lies "
                               "within: {}",
                               Time(found.work[0].longest_self_ps), found.work[0].name, longest),
       .command = EventsCommand(found.work[0].name)});
  return {};
}

void CheckCoverage(const Store& store, std::vector<Finding>* findings) {
  const Source* last = nullptr;
  for (const Source& source : store.sources) {
    if (source.covered_nodes >= 0) last = &source;
  }
  if (last == nullptr || Percent(last->covered_nodes, last->known_nodes) >= kCovered) return;
  findings->push_back(
      {.severity = Severity::low,
       .what = fmt::format("the runs cover {} of the nodes: the rest did not run, or under names "
                           "that the graph lacks",
                           PercentText(last->covered_nodes, last->known_nodes)),
       .evidence = fmt::format("{} of {} nodes after {}", Human(last->covered_nodes, Unit::count),
                               Human(last->known_nodes, Unit::count), last->path),
       .command = "info"});
}

void CheckShapes(int64_t graph_nodes, int64_t with_shapes, std::vector<Finding>* findings) {
  if (graph_nodes == 0 || Percent(with_shapes, graph_nodes) >= kCovered) return;
  findings->push_back(
      {.severity = Severity::low,
       .what = fmt::format("{} of the graph's nodes have output shapes: input_shapes cannot be "
                           "told for the rest; save the graph with add_shapes=True",
                           PercentText(with_shapes, graph_nodes)),
       .evidence = fmt::format("{} of {} nodes", Human(with_shapes, Unit::count),
                               Human(graph_nodes, Unit::count)),
       .command = "info"});
}

void CheckStreams(const Store& store, std::vector<Finding>* findings) {
  const auto lacks = std::find_if(store.steps.begin(), store.steps.end(),
                                  [](const Step& step) { return step.lacks_accelerator_stream; });
  if (lacks == store.steps.end()) return;
  for (size_t i = 0; i < store.lanes.size(); ++i) {
    const Lane& lane = store.lanes[i];
    if (lane.role != LaneRole::executor || !IsAccelerator(store, LaneId(i))) continue;
    findings->push_back(
        {.severity = Severity::high,
         .what = fmt::format("operations ran on {}, but its streams were not traced: accelerator "
                             "times are missing",
                             store.Text(lane.display)),
         .evidence = fmt::format("{} executions, seen from the host only; trace where the "
                                 "accelerator's tracing library (for Nvidia: CUPTI) is found",
                                 Human(lane.rows.count, Unit::count)),
         .command = "info"});
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
  if (checking.trace != nullptr) TFPROF_TRY(CheckTellsInput(checking, findings));
  CheckStreams(store, findings);
  CheckCoverage(store, findings);
  CheckShapes(graph_nodes, CountOf(contents, "shapes"), findings);
  return {};
}

}  // namespace tfprof
