// SPDX-License-Identifier: Apache-2.0
#include "analysis/contents.h"

#include <algorithm>

#include "analysis/intervals/interval.h"
#include "analysis/memory/events.h"
#include "analysis/trace_nodes/python_stacks.h"
#include "core/store/event_runs.h"

namespace tfprof {
namespace {

struct Counts {
  int64_t defined = 0;
  int64_t from_runs = 0;
  int64_t parameters = 0;
  int64_t float_ops = 0;
  int64_t stacks = 0;
  int64_t shapes = 0;
};

Counts CountNodes(const Store& store) {
  Counts counts;
  for (const Node& node : store.nodes) {
    ++(node.defined ? counts.defined : counts.from_runs);
    counts.parameters += node.parameter.rank >= 0;
    counts.float_ops += node.float_ops != 0;
    counts.stacks += node.stack.some();
    counts.shapes += node.output_shapes.count > 0;
  }
  return counts;
}

int64_t EventsOf(const Store& store, bool accelerator) {
  int64_t events = 0;
  for (const Lane& lane : store.lanes) {
    const bool measures = lane.measures == Measures::accelerator_time;
    if (!accelerator || measures) events += lane.rows.count;
  }
  return events;
}

void Add(int64_t start_ps, int64_t duration_ps, Activity* activity) {
  ++activity->events;
  if (start_ps == kNoTime) {
    ++activity->unplaced;
    return;
  }
  bool clamped = false;
  const int64_t end_ps = SaturatingAdd(start_ps, duration_ps, &clamped);
  const bool first = activity->start_ps == kNoTime;
  activity->start_ps = first ? start_ps : std::min(activity->start_ps, start_ps);
  activity->end_ps = first ? end_ps : std::max(activity->end_ps, end_ps);
  activity->time_ps = SaturatingAdd(activity->time_ps, duration_ps, &clamped);
}

// Sums the runs of the nodes of a trace. A row stands for several executions.
int64_t RunsOf(const Store& store, bool accelerator) {
  int64_t runs = 0;
  for (const Aggregate& row : store.aggregates) {
    const LaneId lane = LaneOf(store, row.event);
    const bool measures = store.lanes[lane.value].measures == Measures::accelerator_time;
    if (measures == accelerator) runs = SaturatingAdd(runs, row.occurrences);
  }
  return runs;
}

// Counts functions whose calls a Python tracer recorded; these have lines.
int64_t PythonFunctions(const Store& trace) {
  int64_t functions = 0;
  for (const Process& process : trace.processes) {
    if (process.kind != ProcessKind::host) continue;
    for (const Label& label : trace.LabelsOf(process)) {
      functions += PythonFrameOf(trace, label).some();
    }
  }
  return functions;
}

}  // namespace

bool TracesPython(const Store& store) {
  return std::ranges::any_of(store.sources, [](const Source& source) {
    return source.recorder && source.recorder->python_level > 0;
  });
}

std::vector<Content> ContentsOfTrace(const Store& trace, const Store& nodes) {
  const Counts counts = CountNodes(nodes);
  const int64_t threads = RunsOf(nodes, false), devices = RunsOf(nodes, true);
  const int64_t python = PythonFunctions(trace);
  // as recorded by XLA on a CPU
  const bool instructions_only = counts.from_runs == 0 && counts.defined > 0;
  return {
      {"operations", "operations that events name",
       instructions_only ? "" : "trace with host_tracer_level 2, or on a device", counts.from_runs},
      {"programs", "instructions of compiled programs",
       // Damaged programs were recorded: a note reports them.
       counts.defined > 0 || trace.modules.empty()
           ? "compile with XLA: jax.jit, tf.function(jit_compile=True)"
           : "",
       counts.defined},
      {"time", "executions of operations", "trace while operations run",
       SaturatingAdd(threads, devices)},
      {"accelerator", "executions on an accelerator",
       "trace on a machine with an accelerator whose tracing library (NVIDIA: CUPTI) can be loaded",
       devices},
      {"memory", "allocations and frees",
       "trace with a GPU or TPU, at host_tracer_level 2 (the default) or higher; in PyTorch with "
       "profile_memory=True",
       CountAllocatorEvents(trace)},
      {"float_ops", "operations with known flops", "", counts.float_ops},
      {"code",
       python > 0 ? "operations with source lines, and Python functions"
                  : "operations with source lines",
       TracesPython(trace)
           ? "compile with XLA, whose programs keep source lines"
           : "compile with XLA, whose programs keep source lines, or record Python calls: "
             "with_stack=True in PyTorch, ProfilerOptions(python_tracer_level=1) in TensorFlow, "
             "which 2.21 ignores",
       counts.stacks + python},
      {"shapes", "instructions with output shapes", "", counts.shapes},
  };
}

std::vector<Content> ContentsOf(const Store& store) {
  const Counts counts = CountNodes(store);
  return {
      {"graph", "graph nodes", "load the graph with the run", counts.defined},
      {"runs", "nodes known only from runs", "", counts.from_runs},
      {"edges", "inputs of graph nodes", "load the graph with the run",
       static_cast<int64_t>(store.edges.size())},
      {"time", "executions", "trace a step: RunOptions(trace_level=RunOptions.FULL_TRACE)",
       EventsOf(store, false)},
      {"accelerator", "executions on streams of an accelerator",
       "trace on a machine with an accelerator whose tracing library (NVIDIA: CUPTI) can be loaded",
       EventsOf(store, true)},
      {"memory", "executions with memory",
       "trace a step: RunOptions(trace_level=RunOptions.FULL_TRACE)",
       static_cast<int64_t>(store.exec_memory.size())},
      {"params", "variables with known shape", "load the graph with the run", counts.parameters},
      {"float_ops", "nodes with logged flops",
       "profile with tf.profiler.Profiler(graph), or load an op log with the graph",
       counts.float_ops},
      {"code", "nodes with a code trace",
       "profile with tf.profiler.Profiler(graph), or load an op log with code traces",
       counts.stacks},
      {"shapes", "nodes with output shapes", "save the graph with its shapes (add_shapes=True)",
       counts.shapes},
      {"tensors", "variables of a checkpoint", "load a checkpoint",
       static_cast<int64_t>(store.tensors.size())},
  };
}

int64_t CountOf(const std::vector<Content>& contents, std::string_view id) {
  for (const Content& content : contents) {
    if (content.id == id) return content.count;
  }
  return 0;
}

int64_t Activity::SpanPs() const { return start_ps == kNoTime ? kNoInt : SpanOf(start_ps, end_ps); }

Result<Activities> ActivitiesOf(const Store& store, Context& context) {
  Activities activities;
  activities.lanes.resize(store.lanes.size());
  activities.steps.resize(store.steps.size());
  for (const EventRun& run : EventRuns(store)) {
    TFPROF_TRY(Poll(context));
    Activity& lane = activities.lanes[run.lane.value];
    Activity unknown;
    Activity& step = run.step.some() ? activities.steps[run.step.value] : unknown;
    for (uint32_t row = run.first; row < run.end; ++row) {
      const int64_t start_ps = store.events.start_ps[row];
      const int64_t duration_ps = store.events.duration_ps[row];
      Add(start_ps, duration_ps, &lane);
      Add(start_ps, duration_ps, &step);
    }
  }
  return activities;
}

std::string ExpressionFor(std::string_view name) {
  std::string expression;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '_' || c == '/' || c == ':';
    if (plain) {
      expression.push_back(c);
    } else if (static_cast<unsigned char>(c) < 0x80) {
      expression.push_back('.');
    } else if (!expression.ends_with(".*")) {
      expression += ".*";  // bytes of a character
    }
  }
  return expression;
}

std::string WordFor(std::string_view name) {
  const bool typed = std::all_of(name.begin(), name.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x20 && byte < 0x7f && c != '\'';
  });
  if (!typed || name.empty()) return {};
  const bool plain =
      name.find_first_of(" \"();&|<>*?$\\") == name.npos && name[0] != '-' && name[0] != '#';
  return plain ? std::string(name) : "'" + std::string(name) + "'";
}

}  // namespace tfprof
