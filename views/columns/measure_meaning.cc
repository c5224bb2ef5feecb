// SPDX-License-Identifier: Apache-2.0
#include "views/columns/measure_meaning.h"

namespace tfprof {
namespace {

constexpr std::string_view kAllOfTrace = "Of all of the trace, or of the steps that -step asks for";
constexpr std::string_view kOfSteps =
    " Without -step each node has its mean over the steps that it has records in, rounded down: "
    "sums of nodes may be less than the mean of what single steps have.";

// What those of profiles say in terms of executors and steps.
std::string_view OfTrace(Attribute attribute) {
  switch (attribute) {
    case Attribute::micros:
      return "Execution time: accelerator time plus cpu time. Times of executions that overlap "
             "are added up.";
    case Attribute::accelerator_micros:
      return "Time of the node's kernels, copies and instructions, summed over all accelerators.";
    case Attribute::cpu_micros:
      return "Time of the node's executions on hosts.";
    case Attribute::occurrence:
      return "How often a node ran, and how many nodes there are.";
    case Attribute::device:
      return "All devices and hosts that a node ran on.";
    default:
      return Info(attribute).meaning;
  }
}

bool IsOfRuns(Attribute attribute) {
  switch (attribute) {
    case Attribute::params:
    case Attribute::tensor_value:
    case Attribute::device:
    case Attribute::op_types:
    case Attribute::input_shapes:
      return false;
    default:
      return true;
  }
}

Attribute AttributeOf(Measure measure) {
  if (measure == Measure::run_count || measure == Measure::definition_count) {
    return Attribute::occurrence;
  }
  for (const AttributeInfo& info : Attributes()) {
    if (info.name == Info(measure).id) return info.attribute;
  }
  return Attribute::micros;
}

}  // namespace

std::string MeaningIn(const Store& store, Attribute attribute) {
  const bool is_trace = !store.processes.empty();
  std::string meaning(is_trace ? OfTrace(attribute) : Info(attribute).meaning);
  if (!IsOfRuns(attribute)) return meaning;
  if (!is_trace) return meaning.append(kOfSteps);
  return meaning.append(" ").append(kAllOfTrace).append(".");
}

std::string MeaningIn(const Store& store, Measure measure) {
  if (measure == Measure::definition_count) return "How many graph nodes there are.";
  return MeaningIn(store, AttributeOf(measure));
}

std::string SpanIn(const Store& store) {
  return std::string(store.processes.empty() ? "Of a step, on average" : kAllOfTrace);
}

}  // namespace tfprof
