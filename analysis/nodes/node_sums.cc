// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "analysis/indexes.h"
#include "analysis/nodes/accounting.h"
#include "analysis/nodes/call_time.h"
#include "analysis/nodes/op_kinds.h"
#include "analysis/nodes/step_memory.h"
#include "analysis/op_flops/graph.h"
#include "analysis/op_flops/graph_flops.h"
#include "analysis/steps/step_selection.h"
#include "core/base/context.h"
#include "core/base/sorting.h"
#include "core/store/event_runs.h"
#include "core/store/note_catalogue.h"
#include "core/store/store.h"
#include "core/text/units.h"

namespace tfprof {
namespace {

constexpr uint32_t kNeverSeen = StepId::kNone - 1;  // not a valid step; kNone means "no step"

// Sums over the events of one node; one cache line per event.
struct NodeCounts {
  int64_t cpu_ps = 0;
  int64_t accelerator_ps = 0;
  int64_t runs = 0;
  int64_t device_runs = 0;  // of traces: recorded by devices only
  uint32_t last_step = kNeverSeen;
  uint32_t steps = 0;  // steps in which the node has records that are not omitted
  bool timed = false;
  bool on_accelerator = false;
};

class Summing {
 public:
  Summing(const Store& store, const NodeAccounts& accounts, const PlaceFilter& place,
          Context& context)
      : store_(store), accounts_(accounts), place_(place), context_(context) {
    node_counts_.Resize(store.nodes.size());
  }

  // REQUIRES: runs of one step are added consecutively.
  Result<void> Add(const EventRun& run) {
    next_aggregate_ = std::lower_bound(
        store_.aggregates.begin(), store_.aggregates.end(), run.first,
        [](const Aggregate& aggregate, uint32_t row) { return aggregate.event.value < row; });
    for (uint32_t row = run.first; row < run.end; row += kRowsPerPoll) {
      TFPROF_TRY(Poll(context_));
      AddRows(run, row, std::min(run.end - row, kRowsPerPoll));
    }
    return {};
  }

  const NodeCounts& operator[](size_t node) const { return node_counts_[node]; }

 private:
  void AddRows(const EventRun& run, uint32_t first, uint32_t count) {
    if (!accounts_.lane_selected[run.lane.value]) return;
    const Lane& lane = store_.lanes[run.lane.value];
    // A trace records an execution on one lane only: all lanes count.
    const bool is_trace = lane.process.some();
    const bool counts = !is_trace && accounts_.lane_counts[run.lane.value];
    for (uint32_t row = first; row < first + count; ++row) {
      const NodeId node = store_.labels[store_.events.label[row].value].node;
      if (!node.some()) continue;
      const bool counting = is_trace || accounts_.counting_lane[node.value] == run.lane;
      if (counts && !counting) continue;
      NodeCounts& node_counts = node_counts_[node.value];
      if (node_counts.last_step != run.step.value) {
        node_counts.last_step = run.step.value;
        ++node_counts.steps;
      }
      AddRow(lane, row, counting, node_counts);
    }
  }

  // An unplaced row only records that the node ran here; an aggregate row also how often.
  void AddRow(const Lane& lane, uint32_t row, bool counting, NodeCounts& node_counts) {
    const bool placed = store_.events.start_ps[row] != kNoTime;
    const int64_t occurrences = Occurrences(row, placed ? 1 : 0);
    const int64_t time_ps = TimeOfRow(store_, lane, row, place_);
    if (lane.measures == Measures::accelerator_time) {
      node_counts.accelerator_ps = SaturatingAdd(node_counts.accelerator_ps, time_ps);
      node_counts.timed = node_counts.timed || placed;
      node_counts.on_accelerator = node_counts.on_accelerator || placed;
      if (lane.process.some())
        node_counts.device_runs = SaturatingAdd(node_counts.device_runs, occurrences);
    } else if (counting) {
      node_counts.cpu_ps = SaturatingAdd(node_counts.cpu_ps, time_ps);
      node_counts.runs = WrapAdd(node_counts.runs, occurrences);
      node_counts.timed = node_counts.timed || placed;
    }
  }

  int64_t Occurrences(uint32_t row, int64_t otherwise) {
    while (next_aggregate_ != store_.aggregates.end() && next_aggregate_->event.value < row) {
      ++next_aggregate_;
    }
    if (next_aggregate_ == store_.aggregates.end()) return otherwise;
    return next_aggregate_->event.value == row ? next_aggregate_->occurrences : otherwise;
  }

  const Store& store_;
  const NodeAccounts& accounts_;
  const PlaceFilter& place_;
  Context& context_;
  Column<NodeCounts> node_counts_;
  const Aggregate* next_aggregate_ = nullptr;
};

bool Takes(const std::vector<bool>& selected, StepId step) {
  return selected.empty() || (step.some() && selected[step.value]);
}

// Memory counts on the node's device only, in a trace on any; a device without name is the device
// of a node that has no counting lane.
bool MemoryCounts(const Store& store, const NodeAccounts& accounts, NodeId node, LaneId lane) {
  if (store.IsTrace()) return true;
  const LaneId counting = accounts.counting_lane[node.value];
  if (counting.some()) return counting == lane;
  return store.Text(store.lanes[lane.value].name).empty();
}

void AddMemory(const Store& store, const NodeAccounts& accounts, const ExecMemory& memory,
               LaneId lane, NodeSums* sums) {
  const NodeId node = StepMemory::NodeOf(store, memory.event);
  if (!node.some() || !MemoryCounts(store, accounts, node, lane)) return;
  MeasureValues& values = sums->values[node.value];
  const auto add = [&](Measure measure, int64_t bytes) {
    At(values, measure) = WrapAdd(At(values, measure), bytes);
  };
  add(Measure::bytes, memory.requested);
  add(Measure::peak_bytes, memory.peak);
  add(Measure::residual_bytes, memory.residual);
  add(Measure::output_bytes, memory.output);
  sums->present[node.value] |= store.IsTrace() ? kHasMemory : kHasMemory | kHasOutputs;
}

// `by_step`: null where `selected` is empty.
Result<void> SumMemory(const Store& store, const NodeAccounts& accounts,
                       const std::vector<EventRun>& runs, const StepMemory* by_step,
                       const std::vector<bool>& selected, NodeSums* sums, Context& context) {
  const auto add = [&](uint32_t row) {
    const ExecMemory& memory = store.exec_memory[row];
    AddMemory(store, accounts, memory, RunOf(runs, memory.event).lane, sums);
  };
  if (by_step == nullptr) {
    for (uint32_t i = 0; i < store.exec_memory.size(); ++i) {
      if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
      add(i);
    }
    return {};
  }
  for (size_t step = 0; step < selected.size(); ++step) {
    if (!selected[step]) continue;
    TFPROF_TRY(Poll(context));
    for (const uint32_t row : by_step->steps[step].executions) add(row);
  }
  return {};
}

// The original divides by an unsigned count, which matters for negative sums.
int64_t Average(int64_t sum, uint32_t steps) {
  return static_cast<int64_t>(static_cast<uint64_t>(sum) / steps);
}

// Returns the number of elements. Sets *complete unless a dimension is unknown.
int64_t Parameters(const Store& store, ShapeRef shape, bool* complete) {
  *complete = shape.rank >= 0;
  if (shape.rank < 0) return 0;
  int64_t product = 1;
  for (const int64_t dim : store.Dims(shape)) {
    if (dim < 0) *complete = false;
    product = WrapMul(product, dim);
  }
  return *complete ? product : 0;
}

// Returns the bits of a node that was timed: a lane that measures accelerators implies that there
// was one to measure. A trace has hosts even if none of their operations was recorded.
uint8_t TimesMeasured(const Store& store) {
  uint8_t measured = kHasTime;
  if (!store.IsTrace()) measured |= kHasCpu;
  for (const Lane& lane : store.lanes) {
    if (lane.measures == Measures::accelerator_time) measured |= kHasAccelerator;
    if (lane.measures == Measures::host_time && lane.rows.count > 0) measured |= kHasCpu;
  }
  return measured;
}

void SetPresent(const Store& store, const NodeCounts& node_counts, const Node& node, uint8_t times,
                uint8_t* present) {
  if (node.float_ops != 0) *present |= kHasFlops;
  if (node_counts.timed) *present |= times;
  if (!store.steps.empty() || store.IsTrace()) *present |= kHasRuns;
}

// Converts sums of bytes and a tally to the values of a node by the original's rules. `times`:
// TimesMeasured.
void ComputeValues(const Store& store, const NodeCounts& node_counts, const Node& node,
                   bool average, uint8_t times, MeasureValues* values, uint8_t* present) {
  const uint32_t steps = average && node_counts.steps > 0 ? node_counts.steps : 1;
  for (const Measure measure :
       {Measure::bytes, Measure::peak_bytes, Measure::residual_bytes, Measure::output_bytes}) {
    At(*values, measure) = Average(At(*values, measure), steps);
  }
  const bool in_ps = store.IsTrace();
  const auto time = [&](int64_t sum_ps) {
    const int64_t ps = Average(sum_ps, steps);
    return in_ps ? ps : ps / kPsPerUs;
  };
  At(*values, Measure::micros) =
      time(SaturatingAdd(node_counts.cpu_ps, node_counts.accelerator_ps));
  At(*values, Measure::accelerator_micros) = time(node_counts.accelerator_ps);
  At(*values, Measure::cpu_micros) = time(node_counts.cpu_ps);
  const int64_t runs =
      Average(node_counts.runs != 0 ? node_counts.runs : node_counts.device_runs, steps);
  At(*values, Measure::run_count) = runs;
  At(*values, Measure::definition_count) = 1;
  // A node without records in any step has the logged value; a node with records has it per run.
  At(*values, Measure::float_ops) =
      node.lanes.count == 0 ? node.float_ops : WrapMul(node.float_ops, runs);
  bool complete = false;
  At(*values, Measure::params) = Parameters(store, node.parameter, &complete);
  if (complete) *present |= kHasParams;
  SetPresent(store, node_counts, node, times, present);
}

int64_t FlopsOfRuns(const Store& store, size_t node, int64_t runs) {
  if (node < store.called_flops.size() && store.called_flops[node].runs > 0) {
    const CalledFlops& called = store.called_flops[node];
    return RoundedShare(called.flops, runs, called.runs);
  }
  return WrapMul(store.nodes[node].float_ops, runs);
}

// Likewise, as exact sums. The bytes are summed already.
void ComputeExact(const Store& store, const NodeCounts& node_counts, size_t node,
                  int64_t contained_ps, bool accelerated, MeasureValues* values) {
  const int64_t host_ps = SaturatingAdd(node_counts.cpu_ps, -contained_ps);
  At(*values, Measure::micros) = accelerated ? node_counts.accelerator_ps : host_ps;
  At(*values, Measure::accelerator_micros) = node_counts.accelerator_ps;
  At(*values, Measure::cpu_micros) = host_ps;
  const int64_t runs = node_counts.runs != 0 ? node_counts.runs : node_counts.device_runs;
  At(*values, Measure::run_count) = runs;
  At(*values, Measure::definition_count) = 1;
  At(*values, Measure::node_count) = runs != 0 || node_counts.on_accelerator ? 1 : 0;
  const bool never_ran = store.steps.empty() && store.nodes[node].lanes.count == 0;
  At(*values, Measure::float_ops) = FlopsOfRuns(store, node, never_ran ? 1 : runs);
}

// Replaces the logged flops by those that are counted.
void SetFlops(const Store& store, int64_t flops, size_t node, NodeSums* sums) {
  MeasureValues& values = sums->values[node];
  const bool never_ran = store.steps.empty() && store.nodes[node].lanes.count == 0;
  bool clamped = false;
  if (flops == kNoInt) {
    At(values, Measure::float_ops) = 0;
    sums->present[node] &= static_cast<uint8_t>(~kHasFlops);
    return;
  }
  const int64_t runs = never_ran ? 1 : At(values, Measure::run_count);
  At(values, Measure::float_ops) = SaturatingMul(flops, runs, &clamped);
  // A row of operations without arithmetic and of unknown ones has no flops.
  if (flops != 0) sums->present[node] |= kHasFlops;
}

bool HasLoggedFlops(const Store& store) {
  return std::ranges::any_of(store.nodes, [](const Node& node) { return node.float_ops != 0; });
}

// A log has the flops of all operations that its profiler counts: sums of logged and other flops
// would be of neither. -shape asks for both.
bool CountsByRules(const Store& store, const PlaceFilter& place) {
  if (!place.exact || !place.flops.counts || !HasGraphOps(store)) return false;
  return !place.flops.shapes.empty() || !HasLoggedFlops(store);
}

NoteWords KnownPart(int64_t known, int64_t all, int64_t known_time, int64_t time) {
  const std::string part = std::to_string(known) + " of " + std::to_string(all) + " operations";
  if (time <= 0) return note::With(note::flops_known, {part});
  const double share = 100.0 * static_cast<double>(known_time) / static_cast<double>(time);
  return note::With(note::flops_known_of_time, {part, fmt::format("{}", RoundedPercent(share, 0))});
}

// The part of operations and of time whose flops are known.
void NoteFlops(const Store& store, const GraphFlops& flops, NodeSums* sums) {
  int64_t known = 0, all = 0, known_time = 0, time = 0, loops = 0;
  for (size_t i = 0; i < store.nodes.size(); ++i) {
    const MeasureValues& values = sums->values[i];
    const bool counts = store.steps.empty() || At(values, Measure::run_count) != 0;
    if (!counts) continue;
    const OpWork& work = flops.work[i];
    const int64_t node_time = std::max<int64_t>(At(values, Measure::micros), 0);
    all = SaturatingAdd(all, SaturatingAdd(work.known, work.unknown));
    known = SaturatingAdd(known, work.known);
    time = SaturatingAdd(time, node_time);
    if (flops.flops[i] != kNoInt) known_time = SaturatingAdd(known_time, node_time);
    loops = SaturatingAdd(loops, work.loops_once);
  }
  sums->notes.push_back({KnownPart(known, all, known_time, time), 1, "", kNoInt});
  if (loops > 0) sums->notes.push_back({note::loops_counted_once, loops, "", kNoInt});
  for (const std::string& name : flops.unknown_names) {
    sums->notes.push_back({note::With(note::shape_of_no_node, {name}), 1, "", kNoInt});
  }
}

// Likewise of operations that were called with recorded shapes.
void NoteCalledFlops(const Store& store, NodeSums* sums) {
  int64_t known = 0, all = 0, known_time = 0, time = 0;
  for (size_t i = 0; i < store.nodes.size(); ++i) {
    const MeasureValues& values = sums->values[i];
    if (At(values, Measure::run_count) == 0) continue;
    const int64_t node_time = std::max<int64_t>(At(values, Measure::micros), 0);
    const bool is_known = store.nodes[i].float_ops != 0;
    ++all, known += is_known;
    time = SaturatingAdd(time, node_time);
    if (is_known) known_time = SaturatingAdd(known_time, node_time);
  }
  sums->notes.push_back({KnownPart(known, all, known_time, time), 1, "", kNoInt});
}

void ComputeParameters(const Store& store, const Node& node, MeasureValues* values,
                       uint8_t* present) {
  if (!IsVariable(store, node)) return;
  bool complete = false;
  At(*values, Measure::params) = Parameters(store, node.parameter, &complete);
  if (complete) *present |= kHasParams;
}

// Fills the values of all nodes. `runs`: of the selected steps.
Result<void> FillExact(const Store& store, const NodeAccounts& accounts, const Summing& counts,
                       std::span<const EventRun> runs, bool whole_us, NodeSums* sums,
                       Context& context) {
  if (!store.IsTrace()) {
    TFPROF_ASSIGN(sums->contained, ContainedTimes(store, accounts, runs, whole_us, context));
    for (ContainedTime& time : sums->contained) time.step = {};
    MergeContained(&sums->contained);
  }
  const uint8_t times = TimesMeasured(store);
  const bool accelerated = IsAccelerated(store);
  auto contained = sums->contained.begin();
  for (size_t i = 0; i < store.nodes.size(); ++i) {
    if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const bool contains = contained != sums->contained.end() && contained->node == NodeId(i);
    const int64_t contained_ps = contains ? (contained++)->ps : 0;
    const Node& node = store.nodes[i];
    ComputeExact(store, counts[i], i, contained_ps, accelerated, &sums->values[i]);
    ComputeParameters(store, node, &sums->values[i], &sums->present[i]);
    SetPresent(store, counts[i], node, times, &sums->present[i]);
  }
  if (accelerated) sums->contained.clear();  // the times of rows are those of accelerators
  return {};
}

// By step: true if -step selects it; empty: all steps.
Result<std::vector<bool>> SelectedStepFlags(const Store& store, const PlaceFilter& place) {
  std::vector<bool> selected;
  if (!place.SelectsSteps()) return selected;
  TFPROF_TRY(CheckStepOfProfile(store, place));
  for (const Step& step : store.steps) selected.push_back(place.TakesStep(step.number));
  return selected;
}

// `by_step`: null unless `place` asks for steps.
Result<NodeSums> SumRuns(const Store& store, const NodeAccounts& accounts, const PlaceFilter& place,
                         const StepMemory* by_step, Context& context) {
  TFPROF_ASSIGN(const std::vector<bool> selected, SelectedStepFlags(store, place));
  const bool average = !place.SelectsSteps() || place.last_step >= 0;
  NodeSums sums;
  sums.values.Resize(store.nodes.size());
  sums.present.Resize(store.nodes.size());
  const std::vector<EventRun> by_row = EventRuns(store);
  TFPROF_TRY(SumMemory(store, accounts, by_row, by_step, selected, &sums, context));
  std::vector<EventRun> runs;
  for (const EventRun& run : by_row) {
    if (Takes(selected, run.step)) runs.push_back(run);
  }
  StableSort(runs, {}, &EventRun::step);
  Summing node_counts_sum(store, accounts, place, context);
  for (const EventRun& run : runs) TFPROF_TRY(node_counts_sum.Add(run));
  if (place.exact) {
    TFPROF_TRY(FillExact(store, accounts, node_counts_sum, runs, place.whole_us, &sums, context));
    return sums;
  }
  const uint8_t times = TimesMeasured(store);
  for (size_t i = 0; i < store.nodes.size(); ++i) {
    if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    ComputeValues(store, node_counts_sum[i], store.nodes[i], average, times, &sums.values[i],
                  &sums.present[i]);
  }
  return sums;
}

}  // namespace

int64_t NodeSums::ContainedPs(NodeId node) const {
  const auto found = std::ranges::lower_bound(contained, node, {}, &ContainedTime::node);
  return found != contained.end() && found->node == node ? found->ps : 0;
}

bool IsAccelerated(const Store& store) {
  return std::any_of(store.lanes.begin(), store.lanes.end(), [&](const Lane& lane) {
    if (lane.measures != Measures::accelerator_time || lane.derived) return false;
    const uint32_t end = lane.rows.first + lane.rows.count;
    for (uint32_t row = lane.rows.first + lane.unplaced; row < end; ++row) {
      if (store.labels[store.events.label[row].value].node.some()) return true;
    }
    return false;
  });
}

Result<NodeSums> SumNodes(const Store& store, const NodeAccounts& accounts,
                          const PlaceFilter& place, Context& context) {
  if (!place.SelectsSteps()) return SumRuns(store, accounts, place, nullptr, context);
  TFPROF_ASSIGN(const StepMemory memory, StepMemory::Build(store, context));
  return SumRuns(store, accounts, place, &memory, context);
}

Result<NodeSums> NodeSums::Build(const Indexes& indexes, const PlaceFilter& place,
                                 Context& context) {
  TFPROF_ASSIGN(const auto accounts, indexes.Get<NodeAccounts>(place, context));
  IndexPtr<StepMemory> memory;
  if (place.SelectsSteps()) {
    TFPROF_ASSIGN(memory, indexes.Get<StepMemory>(context));
  }
  const Store& store = *indexes.store();
  TFPROF_ASSIGN(NodeSums sums, SumRuns(store, *accounts, place, memory.get(), context));
  if (!CountsByRules(store, place)) {
    if (place.exact && place.flops.counts && !store.called_flops.empty()) {
      NoteCalledFlops(store, &sums);
    }
    return sums;
  }
  TFPROF_ASSIGN(const auto flops, indexes.Get<GraphFlops>(place.flops, context));
  for (size_t i = 0; i < store.nodes.size(); ++i) SetFlops(store, flops->flops[i], i, &sums);
  NoteFlops(store, *flops, &sums);
  return sums;
}

}  // namespace tfprof
