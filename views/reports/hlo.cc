// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "analysis/flops/program_inputs.h"
#include "analysis/programs.h"
#include "analysis/recorded_keys.h"
#include "analysis/runs/program_runs.h"
#include "core/base/arith.h"
#include "core/store/note_catalogue.h"
#include "views/columns/device_use.h"
#include "views/columns/fill_columns.h"
#include "views/columns/how_to_record.h"
#include "views/columns/percentiles.h"
#include "views/columns/rates.h"
#include "views/programs/instructions.h"
#include "views/programs/modules.h"
#include "views/programs/op_profile.h"

namespace tfprof {
namespace {

constexpr ColumnDef kHloColumns[] = {
    IntegerDef("rank", "rank", Unit::none, "Rank by self time, from 1.").ForMachines(),
    TextDef("program_id", "program ID", "Program ID.").ForMachines(),
    TextDef("program", "program", "Program name with its ID.").Was("module").ForMachines(),
    TextDef("instruction", "instruction", "Instruction name.").Was("hlo_op_name"),
    TextDef("category", "category", "HLO category.").Droppable(),
    TextDef("text", "text", "Instruction, as XLA prints it.")
        .Was("hlo_op_expression")
        .ForMachines(),
    TextDef("tf_op_name", "framework op", "Framework operation of the instruction, NAME:TYPE.")
        .ForOriginal(),
    TextDef("op", "operation",
            "Framework operation of the instruction, with its type where recorded.")
        .Was("operation"),
    TextDef("source", "source", "Source line that created it.").Was("source_info").ForMachines(),
    CountDef("runs", "runs", "Executions of the instruction.").Was("occurrences"),
    CountDef("launches", "launches", "Kernels and copies that it launched; on GPUs only.")
        .Droppable(),
    TimeDef("inclusive_us", "time", "Sum of durations.").Was("total_time").ForMachines(),
    RealDef("inclusive_mean_us", "mean time", Unit::us, "Per run.").Was("avg_time").ForMachines(),
    TimeDef("time_us", "self time", "Duration minus that of nested instructions.")
        .Was("total_self_time"),
    RealDef("mean_us", "mean self time", Unit::us, "Per run.").Was("avg_self_time").ForMachines(),
    MedianDef("Median self time of single runs; absent where they cannot be separated."),
    P95Def("95th percentile of the self times of single runs; absent likewise."),
    RealDef("share_pct", "share", Unit::percent,
            "Self time as a share of that of all instructions that do not wait for others.")
        .Was("total_self_time_percent"),
    RealDef("cumulative_pct", "cum %", Unit::percent, "Share of this row and all rows above it.")
        .Was("cumulative_total_self_time_percent")
        .ForMachines(),
    RealDef("model_flop_rate", "model_flop_rate", Unit::gflops_per_s,
            "Known model flops over total time, as in xprof.")
        .ForOriginal(),
    RealDef("normalized_flop_rate", "normalized_flop_rate", Unit::gflops_per_s,
            "Known flops over total time, normalized by precision.")
        .ForOriginal(),
    RealDef("measured_memory_bw", "measured_memory_bw", Unit::gibytes_per_s,
            "Known bytes over total time, as in xprof.")
        .ForOriginal(),
    RealDef("flops_per_s", "FLOP/s", Unit::gflops_per_s,
            "Model flops over the time of the runs whose cost is known; absent for stalls.")
        .Was("flop_rate")
        .Droppable(),
    RealDef("bandwidth_bytes_per_s", "bandwidth", Unit::gbytes_per_s,
            "Bytes read and written over the time of the runs whose cost is known; absent for "
            "stalls and where no memory is accessed.")
        .Was("memory_rate")
        .Droppable(),
    RealDef("intensity_flops_per_byte", "intensity", Unit::flops_per_byte,
            "Flops per byte accessed.")
        .Was("operational_intensity")
        .ForMachines(),
    TextDef("original_bound_by", "bound_by", "Compute or HBM, as in xprof.")
        .Was("bound_by")
        .ForOriginal(),
    TextDef("bound_by", "bound by",
            "Compute or HBM, whichever is closer to its peak; async if it is stalled on async "
            "work; absent for link transfers.")
        .Was("limited_by")
        .Droppable(),
    ListDef("operands", "operands", "Operands, seen through instructions that move no data.")
        .ForMachines(),
};
constexpr TableDef kHloTable{"hlo", "instructions", kHloColumns};

struct HloRows {
  std::vector<OpTime> ops;  // descending by self time
  OpAccounting accounting;
  double all_ps = 0;  // the whole of the shares
  DevicePeaks peaks;
  TextPool& pool;
  std::vector<const ProcessOps*> processes = {};  // that ran them

  // An instruction that waits for others has no share. xprof gives it one.
  bool HasShare(const OpTime& op) const {
    return accounting == OpAccounting::original || !op.is_async_done;
  }

  std::string_view Keep(std::string_view text) const { return pool.Keep(std::string(text)); }
};

HloRows Choose(const Store& store, const OpTimes& times, const Query& query, TextPool& pool) {
  const OpAccounting accounting = AccountingOf(query.display);
  auto devices = ChooseOps(store, times, query.place, true);
  const DevicePeaks peaks = PeaksOfAny(store, accounting, devices);
  const int64_t idle_ps = IdleOf(devices);
  const auto cpus = ChooseCpus(store, times, query.place);
  devices.insert(devices.end(), cpus.begin(), cpus.end());
  HloRows rows{CombineProcesses(devices), accounting, 0, peaks, pool, devices};
  const bool is_exact = accounting == OpAccounting::exact;
  if (is_exact) std::erase_if(rows.ops, [](const OpTime& op) { return op.xla == nullptr; });
  if (!is_exact && idle_ps != kNoInt) rows.all_ps = static_cast<double>(idle_ps);
  for (const OpTime& op : rows.ops) {
    if (rows.HasShare(op)) rows.all_ps += static_cast<double>(op.self_ps);
  }
  std::erase_if(rows.ops, [](const OpTime& op) { return op.xla == nullptr; });
  return rows;
}

std::string_view ModuleName(const Store& store, uint64_t program_id) {
  const ModuleId module = FindModule(store, HostId(), program_id);
  return module.some() ? store.Text(store.modules[module.value].name) : std::string_view();
}

void AddNames(const Store& store, const HloRows& rows, Table* table) {
  const auto add = [&](std::string_view id, auto cell) -> ReportColumn& {
    return Fill(*table, id, rows.ops, [&](const OpTime& op) { return rows.Keep(cell(op)); });
  };
  FillRank(table);
  add("program_id", [](const OpTime& op) { return std::to_string(op.xla->program_id); });
  const bool several = std::any_of(rows.ops.begin(), rows.ops.end(), [&](const OpTime& op) {
    return op.xla->program_id != rows.ops.front().xla->program_id;
  });
  add("program", [&](const OpTime& op) {
    return ModuleName(store, op.xla->program_id);
  }).spec.human_readable = several;
  add("instruction", [](const OpTime& op) { return op.xla->name; });
  add("category", [](const OpTime& op) { return op.xla->category; });
  add("text", [](const OpTime& op) { return op.xla->expression; });
  add("tf_op_name", [](const OpTime& op) { return op.provenance; });
  add("op", [](const OpTime& op) { return WithoutEmptyType(op.provenance); });
  add("source", [](const OpTime& op) { return op.xla->source; });
}

// Adds the names of the instructions whose results each row reads.
void AddOperands(const Store& store, const CompiledPrograms& programs, const HloRows& rows,
                 Table* table) {
  ReportColumn& column = AddColumn(*table, "operands");
  for (const OpTime& op : rows.ops) {
    std::vector<std::string_view>& names = column.lists.emplace_back();
    const ModuleId module = FindModule(store, HostId(), op.xla->program_id);
    const uint32_t at = module.some() ? programs.Find(module, op.xla->name) : Instruction::kNone;
    if (at == Instruction::kNone) continue;
    const Program& program = programs.Of(module);
    for (const uint32_t input : InputsOf(program, at)) {
      names.push_back(rows.Keep(program.Text(program.instructions[input].name)));
    }
  }
}

auto KeyOf(const XlaOp& op) { return std::tie(op.program_id, op.name, op.expression); }

std::vector<RowDuration> DurationsOf(const HloRows& rows) {
  std::map<decltype(KeyOf(XlaOp())), uint32_t> row_of;
  for (uint32_t row = 0; row < rows.ops.size(); ++row) row_of[KeyOf(*rows.ops[row].xla)] = row;
  return ExecutionsOfOps(rows.processes, [&](const ProcessOps&, const OpTime& op) {
    const auto found = op.xla == nullptr ? row_of.end() : row_of.find(KeyOf(*op.xla));
    return found == row_of.end() ? kNoRow : found->second;
  });
}

void AddTimes(const HloRows& rows, const Display& display, Table* table) {
  Fill(*table, "runs", rows.ops, [](const OpTime& op) { return op.occurrences; });
  ReportColumn& launches =
      Fill(*table, "launches", rows.ops, [](const OpTime& op) { return op.launches; });
  launches.spec.human_readable =
      std::ranges::any_of(rows.ops, [](const OpTime& op) { return op.launches != kNoInt; });
  const auto time = [&](std::string_view id, std::string_view mean_id, int64_t OpTime::*ps) {
    Fill(*table, id, rows.ops, [&](const OpTime& op) { return op.*ps; });
    Fill(*table, mean_id, rows.ops, [&](const OpTime& op) {
      if (op.occurrences == 0) return kNoReal;
      return static_cast<double>(op.*ps) / 1e6 / static_cast<double>(op.occurrences);
    });
  };
  time("inclusive_us", "inclusive_mean_us", &OpTime::total_ps);
  time("time_us", "mean_us", &OpTime::self_ps);
  if (HasPercentiles(kHloTable, display)) AddPercentiles(DurationsOf(rows), display, table);
  const auto percent = [&](double ps) {
    return rows.all_ps > 0 ? 100 * ps / rows.all_ps : kNoReal;
  };
  Fill(*table, "share_pct", rows.ops, [&](const OpTime& op) {
    return rows.HasShare(op) ? percent(static_cast<double>(op.self_ps)) : kNoReal;
  });
  double sum = 0;
  Fill(*table, "cumulative_pct", rows.ops, [&](const OpTime& op) {
    if (rows.HasShare(op)) sum += static_cast<double>(op.self_ps);
    return percent(sum);
  });
}

void AddCosts(const HloRows& rows, Table* table) {
  const auto add = [&](std::string_view id, auto cell) { Fill(*table, id, rows.ops, cell); };
  // Columns of xprof have its ids as headings; other columns give the same rates over runs of known
  // cost.
  add("model_flop_rate",
      [](const OpTime& op) { return RecordedPerSecond(op, op.model_flops) / 1e9; });
  add("normalized_flop_rate",
      [](const OpTime& op) { return RecordedPerSecond(op, op.device_flops) / 1e9; });
  add("measured_memory_bw",
      [](const OpTime& op) { return RecordedPerSecond(op, op.bytes) / kGibi; });
  add("flops_per_s", [](const OpTime& op) { return ModelFlopRate(op) / 1e9; });
  add("bandwidth_bytes_per_s", [&](const OpTime& op) { return MemoryRate(rows.peaks, op) / 1e9; });
  add("intensity_flops_per_byte",
      [](const OpTime& op) { return op.device_flops.amount / op.bytes.amount; });
  Fill(*table, "original_bound_by", rows.ops,
       [&](const OpTime& op) { return RecordedBound(rows.peaks, op).by; });
  Fill(*table, "bound_by", rows.ops, [&](const OpTime& op) { return BoundOf(rows.peaks, op).by; });
}

Table InstructionsTable(const Store& store, const CompiledPrograms& programs, const HloRows& rows,
                        const Display& display) {
  Table table = MakeTable(kHloTable, rows.ops.size());
  AddNames(store, rows, &table);
  AddTimes(rows, display, &table);
  AddCosts(rows, &table);
  AddOperands(store, programs, rows, &table);
  return table;
}

// Returns the times of all operations; none if no program can have run.
Result<std::shared_ptr<const OpTimes>> TimesOfOps(const Store& store, const Indexes& indexes,
                                                  const Query& query, Context& context) {
  const PlaceFilter& place = query.place;
  for (size_t i = 0; i < store.processes.size(); ++i) {
    // TPU events are instructions; other devices' events name theirs.
    TFPROF_ASSIGN(const bool names,
                  IsKeyRecorded(store, ProcessId(i), AttributeKey::instruction, context));
    const bool may_run = names || DeviceKindOf(store, store.processes[i]) == DeviceKind::tpu;
    if (may_run || place.step >= 0) {
      return OpsOf(store, indexes, place, AccountingOf(query.display), context,
                   HasPercentiles(kHloTable, query.display));
    }
  }
  return std::make_shared<const OpTimes>();
}

Failure GroupsOnlyWhatRan() {
  return UsageError("-by: it groups the instructions that ran, of all programs",
                    "leave out -all, -program, -stage and -instruction");
}

}  // namespace

std::string_view WithoutEmptyType(std::string_view op) {
  return op.ends_with(':') ? op.substr(0, op.size() - 1) : op;
}

Result<RanInstructions> InstructionsThatRan(const Store& store, const Indexes& indexes,
                                            const Query& query, TextPool* pool, Context& context) {
  TFPROF_ASSIGN(auto times, TimesOfOps(store, indexes, query, context));
  std::vector<OpTime> ops = Choose(store, *times, query, *pool).ops;
  return RanInstructions{std::move(times), std::move(ops)};
}

Result<Report> Hlo(const StorePtr& store, const Indexes& indexes, const Query& query,
                   Context& context) {
  TFPROF_ASSIGN(const auto times, TimesOfOps(*store, indexes, query, context));
  TFPROF_ASSIGN(const auto programs, indexes.Get<CompiledPrograms>(context));
  Report report = NewReport("hlo", store);
  const HloRows rows = Choose(*store, *times, query, *report.pool);
  TFPROF_ASSIGN(const auto runs, indexes.Get<ProgramRuns>(query.place, context));
  const ProfiledOps profiled{rows.ops, *runs, rows.peaks, rows.accounting};
  // Where nothing ran, as in dumped programs, all instructions are the answer.
  const bool only_programs = store->EventCount() == 0 && !store->modules.empty();
  if (query.programs.Selects() && query.rows_by != RowsBy::each) return GroupsOnlyWhatRan();
  if (query.programs.Selects() || only_programs) {
    TFPROF_TRY(AddInstructions(*programs, rows.ops, query, &report, context));
    report.tables.push_back(ProgramsTable(*store, *programs, profiled, query, *report.pool));
    return report;
  }
  if (query.rows_by != RowsBy::each) {
    report.tables.push_back(OpProfileTable(*store, profiled, query.rows_by, *report.pool));
  } else {
    report.tables.push_back(InstructionsTable(*store, *programs, rows, query.display));
  }
  report.tables.push_back(ProgramsTable(*store, *programs, profiled, query, *report.pool));
  NoteRates(rows.peaks, rows.ops, &report);
  const auto devices = ChooseOps(*store, *times, query.place, true);
  if (rows.accounting == OpAccounting::exact) AddSummedDevices(devices, &report);
  NoteDeviceClock(devices, rows.accounting, &report.notes);
  if (rows.ops.empty()) {
    TFPROF_TRY(AddHowToRecord(note::no_programs, Hlo, indexes, query, context, &report));
  }
  return report;
}

TableDefs HloTables() {
  return {&kHloTable, &kModulesTable, &kOpProfileTable, &kInstructionsTable, &kNeighborsTable};
}

}  // namespace tfprof
