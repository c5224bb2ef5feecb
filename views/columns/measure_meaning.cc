// SPDX-License-Identifier: Apache-2.0
#include "views/columns/measure_meaning.h"

namespace tfprof {
namespace {

constexpr std::string_view kAllOfTrace = "Of all of the trace, or of the steps that -step asks for";
constexpr std::string_view kOfSteps =
    " Without -step each node has its mean over the steps that it has records in, rounded down: "
    "sums of nodes may be less than the mean of what single steps have.";

// Meanings in a trace of the attributes whose meanings in profiles refer to executors and steps.
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

constexpr std::string_view kDefined = "How many graph nodes there are.";

std::string_view Row(bool total) {
  return total ? "Of the row and of all that counts below it. " : "Of the row itself. ";
}

}  // namespace

std::string MeaningIn(const Store& store, Attribute attribute) {
  const bool is_trace = !store.processes.empty();
  std::string meaning(is_trace ? OfTrace(attribute) : Info(attribute).meaning);
  if (!IsOfRuns(attribute)) return meaning;
  if (!is_trace) return meaning.append(kOfSteps);
  return meaning.append(" ").append(kAllOfTrace).append(".");
}

std::string MeaningOf(Measure measure, bool total) {
  std::string meaning(Row(total));
  if (measure == Measure::definition_count) return meaning.append(kDefined);
  const Attribute attribute = AttributeOf(measure).attribute;
  meaning.append(OfTrace(attribute));
  if (!IsOfRuns(attribute)) return meaning;
  return meaning.append(
      " A mean of steps; of a trace, the sum over all of it or the steps of -step.");
}

std::string MeaningIn(const Store& store, Measure measure, bool total) {
  const std::string meaning(Row(total));
  if (measure == Measure::definition_count) return meaning + std::string(kDefined);
  return meaning + MeaningIn(store, AttributeOf(measure).attribute);
}

}  // namespace tfprof
