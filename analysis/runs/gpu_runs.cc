// SPDX-License-Identifier: Apache-2.0
#include "analysis/runs/gpu_runs.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "analysis/indexes.h"
#include "analysis/links/launch_ops.h"
#include "analysis/programs.h"
#include "analysis/runs/launch_calls.h"
#include "analysis/steps/grouping/event_roots.h"

namespace tfprof {
namespace {

// Instructions that only move data; they launch one kernel, as fusions do.
constexpr std::string_view kMoves[] = {"bitcast", "broadcast", "concatenate",   "constant",
                                       "convert", "copy",      "dynamic-slice", "get-tuple-element",
                                       "iota",    "pad",       "parameter",     "reshape",
                                       "slice",   "transpose", "tuple"};

struct KernelRow {
  uint32_t op = 0;
  uint32_t row = 0;
  int64_t start_ps = 0;
  uint32_t call = kNoRow;       // of its instruction
  uint32_t execution = kNoRow;  // the call of its program
};

struct Judging {
  const Store& store;
  const CompiledPrograms& programs;
  const GpuRuns& runs;
  std::vector<KernelRow> kernels;  // by operation, then by start

  const Instruction* InstructionOf(const EventOp& op) const {
    if (op.instruction == Instruction::kNone) return nullptr;
    return &programs.Of(op.module).instructions[op.instruction];
  }
  bool LaunchesOneKernel(const EventOp& op) const {
    const Instruction* of = InstructionOf(op);
    if (of == nullptr) return false;
    const std::string_view opcode = programs.Of(op.module).Text(of->opcode);
    return opcode == "fusion" || std::ranges::find(kMoves, opcode) != std::end(kMoves);
  }
  bool IsOfEntry(const EventOp& op) const {
    const Instruction* of = InstructionOf(op);
    return of != nullptr && of->computation == programs.Of(op.module).entry;
  }
};

using Kernels = std::span<KernelRow>;

// Calls each(kernels) for the kernels of each operation.
template <class Each>
void EachOp(std::vector<KernelRow>& kernels, Each each) {
  for (size_t first = 0, end = 0; first < kernels.size(); first = end) {
    while (end < kernels.size() && kernels[end].op == kernels[first].op) ++end;
    each(Kernels(kernels).subspan(first, end - first));
  }
}

// ---- the calls around the launches

std::string_view ProgramName(const Judging& of, const EventOp& op) {
  if (!op.module.some()) return op.program.substr(0, op.program.find('('));
  const Program& program = of.programs.Of(op.module);
  if (program.name.count > 0) return program.Text(program.name);
  const std::string_view name = of.store.Text(of.store.modules[op.module.value].name);
  return name.substr(0, name.rfind('('));
}

void FindCalls(const LaunchCalls& calls, const EventLinks& links, Judging* of) {
  EachOp(of->kernels, [&](Kernels kernels) {
    const EventOp& op = of->runs.ops.ops[kernels.front().op];
    const NameId name = of->store.names.Find(op.hlo_name);
    const auto instruction = calls.instructions.find(name.value);
    const auto program = calls.programs.find(ProgramName(*of, op));
    for (KernelRow& kernel : kernels) {
      const EventId launch = LaunchOf(links, kernel.row);
      if (!launch.some()) continue;
      const LaneId lane = LaneOf(of->store, launch);
      const int64_t at_ps = of->store.events.start_ps[launch.value];
      const LaunchCall* around = nullptr;
      if (name.some() && instruction != calls.instructions.end()) {
        around = instruction->second.Around(lane, at_ps);
      }
      if (around != nullptr) kernel.call = around->row;
      if (around == nullptr && program != calls.programs.end()) {
        around = program->second.Around(lane, at_ps);
      }
      if (around != nullptr) kernel.execution = around->program_row;
    }
  });
}

// ---- executions of programs

// By program: how often it ran; kNoInt: its kernels do not show it.
using RunsOfPrograms = std::map<uint64_t, int64_t>;

// Numbers the executions whose calls are known for all kernels of the program.
RunsOfPrograms NumberExecutions(Judging* of, GpuRuns* runs) {
  RunsOfPrograms of_program;
  std::map<std::pair<uint64_t, uint32_t>, uint32_t> numbers;
  EachOp(of->kernels, [&](Kernels kernels) {
    int64_t& known = of_program[runs->ops.ops[kernels.front().op].program_id];
    const bool all = std::ranges::all_of(
        kernels, [](const KernelRow& kernel) { return kernel.execution != kNoRow; });
    if (!all) known = kNoInt;
  });
  EachOp(of->kernels, [&](Kernels kernels) {
    const uint64_t program_id = runs->ops.ops[kernels.front().op].program_id;
    if (of_program[program_id] == kNoInt) return;
    for (const KernelRow& kernel : kernels) {
      const auto fresh = static_cast<uint32_t>(runs->executions.size());
      const auto [at, is_new] = numbers.try_emplace({program_id, kernel.execution}, fresh);
      if (is_new) runs->executions.push_back({program_id, kernel.execution});
      runs->execution_of[kernel.row - runs->rows.first] = at->second;
    }
  });
  for (const GpuRuns::Execution& execution : runs->executions) ++of_program[execution.program_id];
  return of_program;
}

// Programs of unknown executions ran as often as their instructions of one kernel, if those agree.
void CountByInstructions(Judging* of, RunsOfPrograms* of_program) {
  std::map<uint64_t, std::pair<int64_t, int64_t>> found;  // least and greatest
  EachOp(of->kernels, [&](Kernels kernels) {
    const EventOp& op = of->runs.ops.ops[kernels.front().op];
    if (!of->IsOfEntry(op) || !of->LaunchesOneKernel(op)) return;
    const auto count = static_cast<int64_t>(kernels.size());
    auto& range = found.try_emplace(op.program_id, count, count).first->second;
    range = {std::min(range.first, count), std::max(range.second, count)};
  });
  for (const auto& [program_id, range] : found) {
    int64_t& known = (*of_program)[program_id];
    if (known == kNoInt && range.first == range.second) known = range.first;
  }
}

// ---- executions of instructions

void KeepFirstOfCalls(Kernels kernels, GpuRuns* runs) {
  std::unordered_set<uint32_t> begun;
  for (const KernelRow& kernel : kernels) {
    runs->continues[kernel.row - runs->rows.first] = !begun.insert(kernel.call).second;
  }
}

void KeepEach(Kernels kernels, size_t distance, GpuRuns* runs) {
  for (size_t i = 0; i < kernels.size(); ++i) {
    runs->continues[kernels[i].row - runs->rows.first] = i % distance != 0;
  }
}

void KeepMostFrequent(const Store& store, Kernels kernels, GpuRuns* runs) {
  std::unordered_map<uint32_t, size_t> counts;
  const auto label = [&](const KernelRow& kernel) { return store.events.label[kernel.row].value; };
  for (const KernelRow& kernel : kernels) ++counts[label(kernel)];
  uint32_t most = label(kernels.front());
  for (const KernelRow& kernel : kernels) {
    if (counts[label(kernel)] > counts[most]) most = label(kernel);
  }
  for (const KernelRow& kernel : kernels) {
    runs->continues[kernel.row - runs->rows.first] = label(kernel) != most;
  }
}

void JudgeOp(const Judging& of, const RunsOfPrograms& of_program, Kernels kernels, GpuRuns* runs) {
  const EventOp& op = runs->ops.ops[kernels.front().op];
  if (of.LaunchesOneKernel(op)) return;
  const bool has_calls =
      std::ranges::all_of(kernels, [](const KernelRow& kernel) { return kernel.call != kNoRow; });
  if (has_calls) return KeepFirstOfCalls(kernels, runs);
  const int64_t known = of.IsOfEntry(op) ? of_program.at(op.program_id) : kNoInt;
  const auto launches = static_cast<int64_t>(kernels.size());
  if (known > 0 && launches % known == 0) {
    return KeepEach(kernels, static_cast<size_t>(launches / known), runs);
  }
  KeepMostFrequent(of.store, kernels, runs);
}

std::vector<KernelRow> KernelsOfPrograms(const Store& store, const Process& process,
                                         const EventOps& ops) {
  std::vector<KernelRow> kernels;
  for (uint32_t i = 0; i < process.lanes.count; ++i) {
    const Lane& lane = store.lanes[process.lanes.first + i];
    if (lane.measures != Measures::accelerator_time) continue;
    for (uint32_t k = lane.unplaced; k < lane.rows.count; ++k) {
      const uint32_t row = lane.rows.first + k, op = ops.Of(row);
      if (op == EventOps::kNone || !ops.ops[op].is_xla) continue;
      kernels.push_back({op, row, store.events.start_ps[row]});
    }
  }
  std::ranges::sort(kernels, [](const KernelRow& a, const KernelRow& b) {
    return std::tie(a.op, a.start_ps, a.row) < std::tie(b.op, b.start_ps, b.row);
  });
  return kernels;
}

}  // namespace

Result<GpuRuns> GpuRuns::Build(const Indexes& indexes, ProcessId device, Context& context) {
  const Store& store = *indexes.store();
  const Process& process = store.processes[device.value];
  GpuRuns runs;
  TFPROF_ASSIGN(runs.ops, FindEventOps(store, indexes, device, OpSources::all, context));
  TFPROF_ASSIGN(const auto programs, indexes.Get<CompiledPrograms>(context));
  Judging of{store, *programs, runs, KernelsOfPrograms(store, process, runs.ops)};
  if (of.kernels.empty()) return runs;
  runs.rows = RowsOf(store, process);
  runs.continues.Resize(runs.rows.count, 0);
  runs.execution_of.Resize(runs.rows.count, kNone);
  TFPROF_ASSIGN(const auto calls, indexes.Get<LaunchCalls>(process.host, context));
  TFPROF_ASSIGN(const auto links, indexes.Get<LaunchLinks>(context));
  FindCalls(*calls, *links, &of);
  TFPROF_TRY(Poll(context));
  RunsOfPrograms of_program = NumberExecutions(&of, &runs);
  CountByInstructions(&of, &of_program);
  EachOp(of.kernels, [&](Kernels kernels) { JudgeOp(of, of_program, kernels, &runs); });
  return runs;
}

}  // namespace tfprof
