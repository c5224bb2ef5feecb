// SPDX-License-Identifier: Apache-2.0
#include "analysis/indexes.h"
#include "analysis/ops/device_ops.h"
#include "analysis/ops/event_ops.h"
#include "analysis/programs.h"

namespace tfprof {
namespace {

struct Cpu {
  const Measuring& measuring;
  const EventOps& ops;
  const DetailColumn& launches;
  std::vector<OpTime> times = {};  // by EventOps::ops

  // Returns true for instructions that ran here. A host call that launches an instruction on a
  // device names it, too.
  bool RanHere(uint32_t row) const {
    const uint32_t op = ops.Of(row);
    if (op == EventOps::kNone || !ops.ops[op].is_xla || !measuring.chosen.Takes(row)) return false;
    return launches.rows.count == 0 || !launches.Has(row);
  }
};

void AddLane(const Lane& lane, std::vector<TimedEvent>* events, Cpu* cpu) {
  const Events& of = cpu->measuring.store.events;
  events->clear();
  for (uint32_t row = lane.rows.first + lane.unplaced; row < lane.rows.first + lane.rows.count;
       ++row) {
    if (cpu->RanHere(row)) events->push_back({row, of.start_ps[row], of.duration_ps[row], 0});
  }
  MeasureSelfTimes(events);
  for (const TimedEvent& event : *events) {
    OpTime& time = cpu->times[cpu->ops.Of(event.row)];
    ++time.occurrences;
    time.total_ps = SaturatingAdd(time.total_ps, event.duration_ps);
    time.self_ps = SaturatingAdd(time.self_ps, event.self_ps);
    const Measuring& measuring = cpu->measuring;
    if (measuring.executions != nullptr) {
      measuring.Of(&time.executions).ps.push_back(event.self_ps);
    }
  }
}

}  // namespace

Result<ProcessOps> MeasureCpu(const Measuring& measuring, ProcessId id) {
  const Store& store = measuring.store;
  Context& context = measuring.context;
  ProcessOps found{id, false, {}, kNoInt};
  TFPROF_ASSIGN(const auto hlo_op,
                measuring.indexes.Details(id, AttributeKey::instruction, context));
  if (hlo_op->rows.count == 0) return found;
  TFPROF_ASSIGN(const EventOps ops,
                FindEventOps(store, measuring.indexes, id, OpSources::recorded, context));
  TFPROF_ASSIGN(const auto launches,
                measuring.indexes.Details(id, AttributeKey::correlation, context));
  TFPROF_ASSIGN(const auto programs, measuring.indexes.Get<CompiledPrograms>(context));
  Cpu cpu{measuring, ops, *launches};
  for (const EventOp& op : ops.ops) cpu.times.push_back(DescribeOp(op, *programs, measuring));
  std::vector<TimedEvent> events;
  const Process& process = store.processes[id.value];
  for (uint32_t k = 0; k < process.lanes.count; ++k) {
    TFPROF_TRY(Poll(context));
    const Lane& lane = store.lanes[process.lanes.first + k];
    if (!lane.derived) AddLane(lane, &events, &cpu);
  }
  KeepExecuted(&cpu.times);
  found.ops = std::move(cpu.times);
  return found;
}

}  // namespace tfprof
