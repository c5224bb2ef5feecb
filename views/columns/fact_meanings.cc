// SPDX-License-Identifier: Apache-2.0
#include "views/columns/fact_meanings.h"

namespace tfprof {
namespace {

struct FactMeaning {
  std::string_view head;
  std::string_view meaning;
};

constexpr FactMeaning kMeanings[] = {
    {"read", "The files that were read, with their format and size."},
    {"devices", "The devices and hosts that anything ran on."},
    {"steps", "The numbers of the steps that were recorded."},
    {"step time", "How long steps took, from the start to the end of each; steps lists them."},
    {"has", "What was recorded, and can be asked about; info counts it."},
    {"missing", "What was not recorded; info tells how to record it."},
    {"ran on", "The kind of device that did the work; how many devices and hosts there are."},
    {"spent on",
     "What steps were spent on, shares of the step time: every moment counts for one of them."},
    {"input bound", "Whether steps wait for their input, by its share of the step time."},
    {"between steps",
     "Time that is of no step: its share of the time from the first step to the last, and how "
     "long one such gap is."},
    {"operation runs",
     "Of all runs of framework operations, those on hosts and those on devices: shares of their "
     "number and not of time."},
    {"run eagerly",
     "Of the self times of operations, the part of those that were run one by one and not as a "
     "part of a function."},
    {"computes in",
     "Of the time in which devices compute, the part on numbers of 16 bit; all other is 32 bit, "
     "also what tells no type."},
    {"duty cycle",
     "Of the time from the first work of devices to the last, the part in which they do "
     "something; input and output of a TPU are not counted. What only waits for others that "
     "run beside it, as copy-done, counts in the first number, not in the second."},
    {"collectives", "Whether collective operations take much of the step time."},
    {"host input", "What hosts did to make the input: time by what it was spent on."},
    {"duration", "How long the steps of the table took, from the start to the end of each."},
    {"outliers", "Steps that took longer than usual, and how many times as long as the median."},
    {"devices idle",
     "Time in which nothing runs on devices, added up: within the steps of their hosts, or where no "
     "step is known within all that was recorded; its share of that and the self times."},
    {"unattributed kernels",
     "Kernels and copies that belong to no operation: their durations added up."},
    {"hosts in no operation",
     "Of each thread from the first start to the last end of its operations, less their self "
     "times, added up; its share of both together."},
    {"kernels", "How often kernels were launched, and their durations added up."},
    {"contents", "What the trace is made of."},
    {"errors", "What the recorder says went wrong."},
    {"warnings", "What the recorder warns of."},
    {"slow calls", "Whether calls of iterators took longer than they should."},
    {"why", "The node, scope or operation type that the reasons are about."},
    {"node", "Its full name."},
    {"scope", "Its full name."},
    {"operation type", "Its name."},
    {"nodes", "How many graph nodes it has that count."},
    {"type", "Its operation type."},
    {"device", "Where it ran."},
    {"shape", "Of its first output."},
    {"time", "Of all its nodes; the share is of the time of all nodes that count."},
    {"runs", "How often its nodes ran."},
    {"memory", "What its executions ask for of memory."},
    {"parameters", "Elements of its variables."},
    {"float ops", "Floating point operations of its nodes, of all their runs."},
};

}  // namespace

std::string_view MeaningOfFact(std::string_view head) {
  for (const FactMeaning& known : kMeanings) {
    if (known.head == head) return known.meaning;
  }
  return {};
}

}  // namespace tfprof
