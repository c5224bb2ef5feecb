// SPDX-License-Identifier: Apache-2.0
#include "analysis/runs/program_runs.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "analysis/chosen_events.h"
#include "analysis/indexes.h"
#include "analysis/intervals/interval.h"
#include "analysis/place.h"
#include "analysis/programs.h"
#include "analysis/recorded_keys.h"
#include "analysis/runs/gpu_runs.h"

namespace tfprof {
namespace {

// The extent of an execution.
struct Extent {
  int64_t start_ps = kMaxPs;
  int64_t end_ps = kMinPs;

  void Add(const Events& events, uint32_t row) {
    start_ps = std::min(start_ps, events.start_ps[row]);
    end_ps = std::max(end_ps, events.EndPs(row));
  }
  int64_t Ps() const { return SpanOf(start_ps, end_ps); }
};

struct Counting {
  const Store& store;
  const Indexes& indexes;
  const ChosenEvents& chosen;
  Context& context;
  std::map<uint64_t, ProgramRun> programs = {};

  void AddDevice(uint64_t program_id, int64_t runs, std::span<const int64_t> durations_ps) {
    const auto [at, is_first] = programs.try_emplace(program_id);
    ProgramRun& sum = at->second;
    sum.program_id = program_id;
    const bool known = runs != kNoInt && (is_first || sum.runs != kNoInt);
    sum.runs = known ? SaturatingAdd(is_first ? 0 : sum.runs, runs) : kNoInt;
    const bool timed = known && static_cast<int64_t>(durations_ps.size()) == runs && runs > 0 &&
                       (is_first || sum.sum_ps != kNoInt);
    ++sum.devices;
    if (!timed) {
      sum.sum_ps = sum.min_ps = sum.max_ps = kNoInt;
      sum.durations_ps.clear();
      return;
    }
    if (is_first) sum.sum_ps = 0, sum.min_ps = kMaxPs, sum.max_ps = 0;
    for (const int64_t ps : durations_ps) {
      sum.sum_ps = SaturatingAdd(sum.sum_ps, ps);
      sum.min_ps = std::min(sum.min_ps, ps);
      sum.max_ps = std::max(sum.max_ps, ps);
    }
    sum.durations_ps.insert(sum.durations_ps.end(), durations_ps.begin(), durations_ps.end());
  }
};

// Calls take(row) for the chosen placed rows of the lanes of a process that `takes` accepts.
template <class Takes, class Take>
Result<void> EachRow(const Counting& counting, const Process& process, Takes takes, Take take) {
  for (uint32_t i = 0; i < process.lanes.count; ++i) {
    const Lane& lane = counting.store.lanes[process.lanes.first + i];
    if (!takes(lane)) continue;
    TFPROF_TRY(Poll(counting.context));
    for (uint32_t k = lane.unplaced; k < lane.rows.count; ++k) {
      const uint32_t row = lane.rows.first + k;
      if (counting.chosen.Takes(row)) take(row);
    }
  }
  return {};
}

// ---- GPU

struct OfGpuProgram {
  std::map<uint32_t, Extent> executions;
  bool all_known = true;             // every kernel belongs to a known execution
  std::map<uint32_t, int64_t> runs;  // by operation
};

// The executions if all are known; else those of the instructions of the entry computation, if all
// of these ran equally often.
int64_t RunsOf(const OfGpuProgram& of, const EventOps& ops, const CompiledPrograms& programs) {
  if (of.all_known) return static_cast<int64_t>(of.executions.size());
  int64_t runs = kNoInt;
  for (const auto& [number, count] : of.runs) {
    const EventOp& op = ops.ops[number];
    if (op.instruction == Instruction::kNone) continue;
    const Program& program = programs.Of(op.module);
    if (program.instructions[op.instruction].computation != program.entry) continue;
    if (runs != kNoInt && runs != count) return kNoInt;
    runs = count;
  }
  return runs;
}

Result<void> CountGpu(ProcessId device, Counting* counting) {
  const Store& store = counting->store;
  TFPROF_ASSIGN(const bool any,
                IsKeyRecorded(store, device, AttributeKey::instruction, counting->context));
  if (!any) return {};
  TFPROF_ASSIGN(const auto runs, counting->indexes.Get<GpuRuns>(device, counting->context));
  TFPROF_ASSIGN(const auto compiled, counting->indexes.Get<CompiledPrograms>(counting->context));
  std::map<uint64_t, OfGpuProgram> programs;
  const auto measures = [](const Lane& lane) {
    return lane.measures == Measures::accelerator_time;
  };
  TFPROF_TRY(EachRow(*counting, store.processes[device.value], measures, [&](uint32_t row) {
    const uint32_t op = runs->ops.Of(row);
    if (op == EventOps::kNone || !runs->ops.ops[op].is_xla) return;
    OfGpuProgram& of = programs[runs->ops.ops[op].program_id];
    of.runs[op] += runs->Starts(row) ? 1 : 0;
    const uint32_t execution = runs->ExecutionOf(row);
    if (execution == GpuRuns::kNone) of.all_known = false;
    if (execution != GpuRuns::kNone) of.executions[execution].Add(store.events, row);
  }));
  for (const auto& [program_id, of] : programs) {
    std::vector<int64_t> durations_ps;
    for (const auto& [number, extent] : of.executions) durations_ps.push_back(extent.Ps());
    if (!of.all_known) durations_ps.clear();
    counting->AddDevice(program_id, RunsOf(of, runs->ops, *compiled), durations_ps);
  }
  return {};
}

// ---- TPU

// Returns the number in "jit_step(123)"; kNoInt: there is none.
int64_t NumberIn(std::string_view name) {
  const size_t open = name.rfind('(');
  if (open == name.npos || !name.ends_with(')')) return kNoInt;
  uint64_t number = 0;
  const char* end = name.data() + name.size() - 1;
  const auto read = std::from_chars(name.data() + open + 1, end, number);
  return read.ec == std::errc() && read.ptr == end ? static_cast<int64_t>(number) : kNoInt;
}

Result<void> CountTpu(ProcessId device, Counting* counting) {
  const Store& store = counting->store;
  TFPROF_ASSIGN(const auto number,
                counting->indexes.Details(device, AttributeKey::program, counting->context));
  std::map<uint64_t, std::vector<int64_t>> durations_ps;
  const auto is_of_programs = [](const Lane& lane) { return lane.role == LaneRole::modules; };
  TFPROF_TRY(EachRow(*counting, store.processes[device.value], is_of_programs, [&](uint32_t row) {
    const Label& label = store.labels[store.events.label[row].value];
    int64_t id = NumberIn(store.Text(label.name));
    if (id == kNoInt && number->rows.count > 0) id = number->Integer(row);
    if (id == kNoInt) return;
    durations_ps[static_cast<uint64_t>(id)].push_back(store.events.duration_ps[row]);
  }));
  for (const auto& [program_id, of_runs] : durations_ps) {
    counting->AddDevice(program_id, static_cast<int64_t>(of_runs.size()), of_runs);
  }
  return {};
}

// ---- threads

Result<void> CountHost(ProcessId host, Counting* counting) {
  const Store& store = counting->store;
  TFPROF_ASSIGN(const bool any,
                IsKeyRecorded(store, host, AttributeKey::instruction, counting->context));
  if (!any) return {};
  constexpr DetailKey kKeys[] = {AttributeKey::instruction, AttributeKey::program_run,
                                 AttributeKey::correlation};
  TFPROF_ASSIGN(const auto columns, counting->indexes.Details(host, kKeys, counting->context));
  const DetailColumn &run = *columns[1], &launches = *columns[2];
  TFPROF_ASSIGN(const EventOps ops, FindEventOps(store, counting->indexes, host,
                                                 OpSources::recorded, counting->context));
  std::map<uint64_t, std::map<int64_t, Extent>> executions;
  std::set<uint64_t> unknown;
  const auto is_thread = [](const Lane& lane) { return !lane.derived; };
  TFPROF_TRY(EachRow(*counting, store.processes[host.value], is_thread, [&](uint32_t row) {
    const uint32_t op = ops.Of(row);
    if (op == EventOps::kNone || !ops.ops[op].is_xla) return;
    if (launches.rows.count > 0 && launches.Has(row)) return;
    const uint64_t program_id = ops.ops[op].program_id;
    const int64_t number = run.rows.count == 0 ? kNoInt : run.Integer(row);
    if (number == kNoInt) unknown.insert(program_id);
    executions[program_id][number].Add(store.events, row);
  }));
  for (const auto& [program_id, of_runs] : executions) {
    const bool known = !unknown.contains(program_id);
    std::vector<int64_t> durations_ps;
    for (const auto& [number, extent] : of_runs) durations_ps.push_back(extent.Ps());
    counting->AddDevice(program_id, known ? static_cast<int64_t>(of_runs.size()) : kNoInt,
                        durations_ps);
  }
  return {};
}

}  // namespace

Result<std::vector<ProgramRun>> ProgramRuns::Build(const Indexes& indexes, const PlaceFilter& place,
                                                   Context& context) {
  const Store& store = *indexes.store();
  TFPROF_ASSIGN(const ChosenEvents chosen, ChooseEvents(store, indexes, place, context));
  Counting counting{store, indexes, chosen, context};
  for (size_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    if (!MatchesPlace(store, process, place)) continue;
    const DeviceKind kind = DeviceKindOf(store, process);
    if (kind == DeviceKind::gpu) TFPROF_TRY(CountGpu(ProcessId(i), &counting));
    if (kind == DeviceKind::tpu) TFPROF_TRY(CountTpu(ProcessId(i), &counting));
    if (process.kind == ProcessKind::host) TFPROF_TRY(CountHost(ProcessId(i), &counting));
  }
  std::vector<ProgramRun> runs;
  for (const auto& [program_id, run] : counting.programs) runs.push_back(run);
  return runs;
}

const ProgramRun* FindRun(const std::vector<ProgramRun>& runs, uint64_t program_id) {
  const auto found = std::ranges::lower_bound(runs, program_id, {}, &ProgramRun::program_id);
  return found != runs.end() && found->program_id == program_id ? &*found : nullptr;
}

}  // namespace tfprof
