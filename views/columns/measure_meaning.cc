// SPDX-License-Identifier: Apache-2.0
#include "views/columns/measure_meaning.h"

namespace tfprof {
namespace {

constexpr std::string_view kAllOfTrace = "Covers the whole trace, or the steps that -step selects";
constexpr std::string_view kOfSteps =
    " Without -step each node has its mean over the steps that it has records in, rounded down: "
    "sums of nodes may be less than the mean of what single steps have.";
constexpr std::string_view kExactly = " Without -step, the mean over all steps.";

// Exact meanings in profiles where they differ from the original's.
std::string_view OfProfile(Attribute attribute) {
  switch (attribute) {
    case Attribute::micros:
      return "Time on accelerators if the profile has any, else on hosts, summed over executions, "
             "also where they overlap. Time of calls, loops and branches excludes what they "
             "contain.";
    case Attribute::params:
      return "Number of parameters: the product of a variable's dimensions. Only variables and "
             "nodes "
             "that the op log calls trainable have any; unknown shapes count as nothing.";
    case Attribute::float_ops:
      return "Floating-point operations executed: those logged for one run, times the node's runs.";
    case Attribute::cpu_micros:
      return "Time on the node's device as seen by the executor, without what calls contain; for a "
             "gpu, scheduling and launching.";
    default: return Info(attribute).meaning;
  }
}

// Meanings in a trace of the attributes whose meanings in profiles refer to executors and steps.
std::string_view OfTrace(Attribute attribute) {
  switch (attribute) {
    case Attribute::micros:
      return "Exclusive time on accelerators if the profile has any, else on hosts, summed over "
             "executions, also where they overlap.";
    case Attribute::accelerator_micros:
      return "Time of the node's kernels, copies and instructions, summed over all accelerators.";
    case Attribute::cpu_micros: return "Time of the node's executions on hosts.";
    case Attribute::occurrence:
      return "Executions of the nodes, the number of nodes, and of those that ran.";
    case Attribute::device: return "Devices and hosts on which the node ran.";
    default: return Info(attribute).meaning;
  }
}

bool IsPerRun(Attribute attribute) {
  switch (attribute) {
    case Attribute::params:
    case Attribute::tensor_value:
    case Attribute::device:
    case Attribute::op_types:
    case Attribute::input_shapes: return false;
    default: return true;
  }
}

constexpr std::string_view kDefined = "Number of graph nodes.";
constexpr std::string_view kRan = "Number of graph nodes that ran.";

std::string_view Row(bool total) {
  return total ? "Sum of the row and of all counted rows below it. " : "The row's own value. ";
}

}  // namespace

std::string MeaningIn(const Store& store, const MeasureScale& scale, Attribute attribute) {
  const bool is_trace = store.IsTrace();
  std::string meaning(is_trace      ? OfTrace(attribute)
                      : scale.exact ? OfProfile(attribute)
                                    : Info(attribute).meaning);
  if (!IsPerRun(attribute)) return meaning;
  if (!is_trace) return meaning.append(scale.exact ? kExactly : kOfSteps);
  return meaning.append(" ").append(kAllOfTrace).append(".");
}

std::string MeaningOf(Measure measure, bool total) {
  std::string meaning(Row(total));
  if (measure == Measure::definition_count) return meaning.append(kDefined);
  if (measure == Measure::node_count) return meaning.append(kRan);
  const Attribute attribute = AttributeOf(measure).attribute;
  meaning.append(OfTrace(attribute));
  if (!IsPerRun(attribute)) return meaning;
  return meaning.append(
      " Mean per step; for a trace, the sum over the trace or over the steps of -step.");
}

std::string MeaningIn(const Store& store, const MeasureScale& scale, Measure measure, bool total) {
  const std::string meaning(Row(total));
  if (measure == Measure::definition_count) return meaning + std::string(kDefined);
  if (measure == Measure::node_count) return meaning + std::string(kRan);
  return meaning + MeaningIn(store, scale, AttributeOf(measure).attribute);
}

}  // namespace tfprof
