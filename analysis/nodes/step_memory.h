// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/base/arith.h"
#include "core/base/context.h"
#include "core/store/event_runs.h"
#include "core/store/store.h"

namespace tfprof {

// An index: the memory records of each step. A question about one step reads only those of the
// step; with a file per step, the steps together read each record once.
struct StepMemory {
  struct OfStep {
    std::vector<uint32_t> executions;   // of Store::exec_memory, ascending
    std::vector<uint32_t> allocations;  // of Store::allocation_places, ascending
  };
  std::vector<EventRun> runs;  // of all events
  std::vector<OfStep> steps;   // by StepId
  // The most persistent bytes that a node has on a lane in any step: node << 32 | lane.
  std::unordered_map<uint64_t, int64_t> persistent;

  static NodeId NodeOf(const Store& store, EventId event) {
    return store.labels[store.events.label[event.value].value].node;
  }
  static Result<StepMemory> Build(const Store& store, Context& context);
};

inline Result<StepMemory> StepMemory::Build(const Store& store, Context& context) {
  StepMemory memory;
  memory.runs = EventRuns(store);
  memory.steps.resize(store.steps.size());
  for (uint32_t i = 0; i < store.exec_memory.size(); ++i) {
    if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const StepId step = RunOf(memory.runs, store.exec_memory[i].event).step;
    if (step.some()) memory.steps[step.value].executions.push_back(i);
  }
  for (uint32_t i = 0; i < store.allocation_places.size(); ++i) {
    if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const StepId step = RunOf(memory.runs, store.allocation_places[i].event).step;
    if (step.some()) memory.steps[step.value].allocations.push_back(i);
  }
  std::unordered_map<uint64_t, int64_t> in_step;
  for (const OfStep& step : memory.steps) {
    TFPROF_TRY(Poll(context));
    in_step.clear();
    for (const uint32_t i : step.executions) {
      const ExecMemory& row = store.exec_memory[i];
      const NodeId node = NodeOf(store, row.event);
      if (!node.some()) continue;
      const uint64_t key = uint64_t{node.value} << 32 | RunOf(memory.runs, row.event).lane.value;
      in_step[key] = WrapAdd(in_step[key], row.persistent);
    }
    for (const auto& [key, bytes] : in_step) {
      const auto [max, is_new] = memory.persistent.emplace(key, bytes);
      if (!is_new) max->second = std::max(max->second, bytes);
    }
  }
  return memory;
}

}  // namespace tfprof
