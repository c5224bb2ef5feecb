// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/flops/program.h"
#include "analysis/indexes.h"
#include "analysis/ops/async_done.h"
#include "analysis/ops/device_ops.h"
#include "analysis/ops/links.h"
#include "analysis/programs.h"
#include "core/base/arith.h"
#include "core/base/hash.h"

namespace tfprof {
namespace {

// Facts of TPU operations are stored with their labels; columns provide them per event.
struct TpuColumns {
  IndexPtr<DetailColumn> op, program, symbol, category, source, flops, model_flops, bytes;
  IndexPtr<DetailColumn> device_start, device_ps, self_ps, eager;
};

Result<TpuColumns> ReadTpuColumns(const Indexes& indexes, ProcessId process, Context& context) {
  TpuColumns c;
  constexpr std::pair<AttributeKey, IndexPtr<DetailColumn> TpuColumns::*> kColumns[] = {
      {AttributeKey::op, &TpuColumns::op},
      {AttributeKey::program, &TpuColumns::program},
      {AttributeKey::symbol, &TpuColumns::symbol},
      {AttributeKey::op_category, &TpuColumns::category},
      {AttributeKey::source, &TpuColumns::source},
      {AttributeKey::flops, &TpuColumns::flops},
      {AttributeKey::model_flops, &TpuColumns::model_flops},
      {AttributeKey::bytes_accessed, &TpuColumns::bytes},
      {AttributeKey::own_start_ps, &TpuColumns::device_start},
      {AttributeKey::own_duration_ps, &TpuColumns::device_ps},
      {AttributeKey::own_self_ps, &TpuColumns::self_ps},
      {AttributeKey::eager, &TpuColumns::eager},
  };
  std::vector<DetailKey> keys;
  for (const auto& [key, column] : kColumns) keys.push_back(key);
  TFPROF_ASSIGN(const auto read, indexes.Details(process, keys, context));
  for (size_t i = 0; i < keys.size(); ++i) c.*kColumns[i].second = read[i];
  return c;
}

int64_t IntegerOr(const DetailColumn& column, uint32_t row, int64_t other) {
  const int64_t number = column.rows.count == 0 ? kNoInt : column.Integer(row);
  return number == kNoInt ? other : number;
}

double RealOf(const DetailColumn& column, uint32_t row) {
  return column.rows.count == 0 ? kNoReal : column.Real(row);
}

// Returns the event's time, as in xprof by the device's clock, if recorded.
TimedEvent Timed(const Store& store, const TpuColumns& c, bool is_exact, uint32_t row) {
  if (is_exact) return {row, store.events.start_ps[row], store.events.duration_ps[row], 0};
  const int64_t start_ps = IntegerOr(*c.device_start, row, store.events.start_ps[row]);
  const int64_t ps = IntegerOr(*c.device_ps, row, store.events.duration_ps[row]);
  return {row, start_ps, std::max<int64_t>(0, ps), 0};
}

struct Tpu {
  const Measuring& measuring;
  const Store& store;
  const TpuColumns& c;
  const CompiledPrograms& programs;
  HostId host;
  Range labels;
  std::vector<OpTime> of_label;
  SpanOfEvents span = {};
};

// Completes an instruction that records no operation by its program.
void DescribeByProgram(const Tpu& tpu, XlaOp* xla, OpTime* time) {
  xla->type =
      xla->category.empty() ? tpu.measuring.texts.Keep(DerivedType(xla->name)).text : xla->category;
  const ModuleId module = FindModule(tpu.store, tpu.host, xla->program_id);
  const uint32_t at = module.some() ? tpu.programs.Find(module, xla->name) : Instruction::kNone;
  if (at == Instruction::kNone) return;
  const Program& program = tpu.programs.Of(module);
  xla->type = tpu.measuring.texts.Keep(program.Text(program.instructions[at].opcode)).text;
  time->may_use_matrix_units = MayUseMatrixUnits(program, program.instructions[at]);
  if (!time->provenance.empty()) return;
  time->provenance = tpu.measuring.texts.Keep(OpTextOf(program, program.instructions[at])).text;
}

void Describe(const Tpu& tpu, uint32_t row, OpTime* time) {
  const Label& label = tpu.store.labels[tpu.store.events.label[row].value];
  XlaOp& xla = tpu.measuring.instructions.emplace_back();
  xla.program_id = static_cast<uint64_t>(IntegerOr(*tpu.c.program, row, 0));
  xla.expression = tpu.store.Text(label.name);
  xla.name = label.display.some() ? tpu.store.Text(label.display) : xla.expression;
  xla.category = tpu.measuring.texts.Keep(tpu.c.category->TextIfRead(row)).text;
  xla.source = tpu.measuring.texts.Keep(tpu.c.source->TextIfRead(row)).text;
  time->provenance = tpu.measuring.texts.Keep(tpu.c.op->TextIfRead(row)).text;
  if (tpu.measuring.IsExact()) DescribeByProgram(tpu, &xla, time);
  time->xla = &xla;
  time->is_async_done = IsAsyncDone(xla.category, xla.name);
  time->over_links = MovesOverLinks(xla.category, xla.name, xla.expression);
}

void AddEvent(const TimedEvent& event, int64_t occurrences, Tpu* tpu) {
  const TpuColumns& c = tpu->c;
  if (IntegerOr(*c.symbol, event.row, 1) == 0) return;  // the program itself
  const uint32_t label = tpu->store.events.label[event.row].value - tpu->labels.first;
  OpTime& time = tpu->of_label[label];
  if (time.occurrences == 0) Describe(*tpu, event.row, &time);
  time.occurrences = SaturatingAdd(time.occurrences, occurrences);
  time.total_ps = SaturatingAdd(time.total_ps, event.duration_ps);
  time.self_ps = SaturatingAdd(time.self_ps, event.self_ps);
  if (tpu->measuring.executions != nullptr) {
    OpExecutions& executions = tpu->measuring.Of(&time.executions);
    executions.ps.push_back(event.self_ps);
    executions.unknown |= tpu->store.events.start_ps[event.row] == kNoTime;  // an aggregate
  }
  const auto runs = static_cast<double>(occurrences);
  const double flops = RealOf(*c.flops, event.row);
  const double model_flops = RealOf(*c.model_flops, event.row);
  time.device_flops.Add(flops * runs, event.duration_ps);
  time.model_flops.Add((model_flops == model_flops ? model_flops : flops) * runs,
                       event.duration_ps);
  time.bytes.Add(RealOf(*c.bytes, event.row) * runs, event.duration_ps);
  time.is_eager |= IntegerOr(*c.eager, event.row, 0) > 0;
}

int64_t OccurrencesOf(const Store& store, uint32_t row) {
  const auto found =
      std::ranges::lower_bound(store.aggregates, EventId(row), {}, &Aggregate::event);
  const bool recorded = found != store.aggregates.end() && found->event == EventId(row);
  return recorded ? std::max<int64_t>(1, found->occurrences) : 1;
}

void AddOpsLane(const Lane& lane, std::vector<TimedEvent>* events, Tpu* tpu) {
  events->clear();
  const uint32_t first_placed = lane.rows.first + lane.unplaced;
  for (uint32_t row = lane.rows.first; row < first_placed; ++row) {  // aggregates
    if (!tpu->measuring.chosen.Takes(row)) continue;
    TimedEvent event = Timed(tpu->store, tpu->c, tpu->measuring.IsExact(), row);
    event.self_ps = IntegerOr(*tpu->c.self_ps, row, event.duration_ps);
    AddEvent(event, OccurrencesOf(tpu->store, row), tpu);
  }
  for (uint32_t row = first_placed; row < lane.rows.first + lane.rows.count; ++row) {
    if (!tpu->measuring.chosen.Takes(row)) continue;
    events->push_back(Timed(tpu->store, tpu->c, tpu->measuring.IsExact(), row));
    tpu->span.Add(events->back().start_ps, events->back().duration_ps);
  }
  MeasureSelfTimes(events);
  for (const TimedEvent& event : *events) AddEvent(event, 1, tpu);
}

void AddStepsLane(const Lane& lane, Tpu* tpu) {
  for (uint32_t row = lane.rows.first + lane.unplaced; row < lane.rows.first + lane.rows.count;
       ++row) {
    if (!tpu->measuring.chosen.Takes(row)) continue;
    const TimedEvent event = Timed(tpu->store, tpu->c, tpu->measuring.IsExact(), row);
    tpu->span.Add(event.start_ps, event.duration_ps);
  }
}

}  // namespace

Result<ProcessOps> MeasureTpu(const Measuring& measuring, ProcessId id) {
  const Store& store = measuring.store;
  Context& context = measuring.context;
  const Process& process = store.processes[id.value];
  TFPROF_ASSIGN(const TpuColumns columns, ReadTpuColumns(measuring.indexes, id, context));
  TFPROF_ASSIGN(const auto programs, measuring.indexes.Get<CompiledPrograms>(context));
  Tpu tpu{measuring,
          store,
          columns,
          *programs,
          process.host,
          process.labels,
          std::vector<OpTime>(process.labels.count)};
  std::vector<TimedEvent> events;
  for (uint32_t k = 0; k < process.lanes.count; ++k) {
    TFPROF_TRY(Poll(context));
    const Lane& lane = store.lanes[process.lanes.first + k];
    if (lane.role == LaneRole::steps) AddStepsLane(lane, &tpu);
    if (lane.measures == Measures::accelerator_time) AddOpsLane(lane, &events, &tpu);
  }
  ProcessOps found{id, true, {}, kNoInt};
  int64_t idle_ps = tpu.span.ps();
  TFPROF_ASSIGN(found.clocks,
                CompareClocks(store, measuring.indexes, id, measuring.chosen, context));
  KeepExecuted(&tpu.of_label);
  found.ops = std::move(tpu.of_label);
  for (const OpTime& time : found.ops) idle_ps = SaturatingAdd(idle_ps, -time.self_ps);
  if (tpu.span.start_ps != kNoTime) found.idle_ps = std::max<int64_t>(0, idle_ps);
  return found;
}

}  // namespace tfprof
