// SPDX-License-Identifier: Apache-2.0
#include "views/columns/fact_meanings.h"

#include <algorithm>

namespace tfprof {
namespace {

struct FactMeaning {
  std::string_view head;
  std::string_view meaning;
};

constexpr FactMeaning kMeanings[] = {
    {"read", "Files that were read, with format and size."},
    {"recorded with",
     "How the recorder was set: the levels of its tracers of the host, of devices and "
     "of Python. 0: nothing."},
    {"devices", "Devices and hosts on which anything ran."},
    {"steps", "Numbers of the recorded steps."},
    {"step time", "Duration of the steps, from start to end; `steps` lists them."},
    {"recorded", "What was recorded; `info` lists the counts."},
    {"not recorded", "What was not recorded; `info` shows how to record it."},
    {"ran on", "Device type, and the number of devices and hosts."},
    {"spent on", "Step breakdown, as shares of the step time: every moment counts for one part."},
    {"input bound", "Whether steps wait for input, by its share of the step time."},
    {"between steps",
     "Time between steps: its share of the time from the first step to the last, and the length of "
     "a gap."},
    {"op time",
     "Shares of the executions of framework operations on hosts and on devices: of their number, "
     "not their time."},
    {"eager execution", "Share of operation self time that ran one by one and not in a function."},
    {"computes in",
     "Share of device compute in 16 bit; the rest is 32 bit or has no recorded type."},
    {"duty cycle",
     "Share of the time from the first to the last device work in which a device is busy, without "
     "TPU input and output. The first number includes async stalls such as copy-done; the second "
     "excludes them."},
    {"MFU",
     "Model FLOPs utilization: model flops of compiled programs as a share of what the devices can "
     "compute at their 16-bit peak in the time of the steps or of the recording."},
    {"device times", "How many devices the times in the tables are summed over."},
    {"collectives", "Whether collectives take a large share of the step time."},
    {"host input", "Host time for input, by category."},
    {"duration", "Duration of the steps in the table."},
    {"outliers", "Steps that are much longer than the median, as multiples of it."},
    {"devices idle",
     "Idle time summed over devices, within the steps of their hosts; where steps are inferred, "
     "between first and last work; without steps, within the capture. With its share of idle plus "
     "self time."},
    {"unattributed kernels", "Summed duration of kernels and copies without an operation."},
    {"hosts idle",
     "Idle time summed over threads: from the first start to the last end of their operations, "
     "minus self times; with its share of both."},
    {"kernels", "Number of launches and summed duration."},
    {"contents", "Contents of the trace."},
    {"errors", "Errors that the recorder reported."},
    {"warnings", "Warnings of the recorder."},
    {"slow calls", "Whether iterator calls exceeded the threshold."},
    {"why", "The node, scope, operation type or source line that is explained."},
    {"source", "Text of the source line."},
    {"ran as",
     "Operation types of the kernels that ran, where the runtime fused or replaced operations of "
     "the graph."},
    {"node", "Full name."},
    {"scope", "Full name."},
    {"operation type", "Name."},
    {"nodes", "Number of counted graph nodes."},
    {"type", "Operation type."},
    {"device", "Device or Host."},
    {"shape", "Shape of its first output."},
    {"time", "Time of all its nodes, with its share of the time of all counted nodes."},
    {"runs", "Executions of its nodes."},
    {"memory", "Memory requested by its executions."},
    {"parameters", "Elements of its variables."},
    {"float ops", "Floating-point operations of its nodes, over all runs."},
};

}  // namespace

std::string_view MeaningOfFact(std::string_view head) {
  const auto found = std::ranges::find(kMeanings, head, &FactMeaning::head);
  return found == std::end(kMeanings) ? std::string_view() : found->meaning;
}

}  // namespace tfprof
