// SPDX-License-Identifier: Apache-2.0
#include "views/programs/modules.h"

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/arith.h"
#include "core/base/sorting.h"
#include "views/columns/device_use.h"
#include "views/columns/fill_columns.h"
#include "views/columns/percentiles.h"

namespace tfprof {
namespace {

constexpr ColumnDef kModulesColumns[] = {
    TextDef("program_id", "program ID", "Program ID."),
    TextDef("program", "program", "Name.").Was("module"),
    TextDef("stage", "stage", "Stage of its compilation; absent in a trace.").Droppable(),
    CountDef("computations", "computations", "Computations of the program."),
    CountDef("instructions", "instructions", "Instructions of the program."),
    CountDef("ran", "instructions run", "Instructions that ran."),
    CountDef("runs", "runs",
             "Executions, over all devices; absent if the trace does not show them."),
    CountDef("devices", "devices", "Devices that ran it; hosts, where it ran on threads.")
        .Droppable(),
    TimeDef("time_us", "self time", "Sum of the self times of its instructions.")
        .Was("total_self_time"),
    RealDef("mean_us", "mean run", Unit::us, "Mean execution, from its first to its last work."),
    TimeDef("min_us", "min run", "Shortest execution.").Droppable(),
    MedianDef("Median execution.", "median run"),
    P95Def("95th percentile of the executions."),
    TimeDef("max_us", "max run", "Longest execution.").Droppable(),
    RealDef("mfu_pct", "MFU %", Unit::percent,
            "Model flops as a share of what the devices can compute at their 16-bit peak during "
            "its executions.")
        .Droppable(),
};

struct ModuleRow {
  uint64_t program_id = 0;
  std::string_view name = {};  // null: the profile does not have the program
  int64_t computations = kNoInt;
  int64_t instructions = kNoInt;
  int64_t ran = 0;  // number of instructions that ran
  int64_t self_ps = 0;
  ProgramRun run = {};  // of a program that ran
  std::string_view stage = {};
  DeviceUse use = {};
};

// In a part of the trace (-host, -device, -step), returns only modules that ran in it.
std::vector<ModuleRow> ModuleRows(const Store& store, const CompiledPrograms& programs,
                                  const ProfiledOps& profiled, const PlaceFilter& place) {
  std::vector<ModuleRow> modules;
  for (size_t i = 0; i < store.modules.size(); ++i) {
    const Program& program = programs.Of(ModuleId(i));
    modules.push_back({store.modules[i].program_id, store.Text(store.modules[i].name),
                       static_cast<int64_t>(program.computations.size()),
                       static_cast<int64_t>(program.instructions.size())});
    modules.back().stage = store.Text(store.modules[i].stage);
  }
  for (const ProgramRun& run : profiled.runs) {
    const auto is_of = [&](const ModuleRow& row) { return row.program_id == run.program_id; };
    if (std::ranges::none_of(modules, is_of)) modules.push_back({run.program_id});
  }
  std::vector<OpTime> ops(profiled.ops.begin(), profiled.ops.end());
  StableSort(
      ops, [](const OpTime& a, const OpTime& b) { return a.xla->program_id < b.xla->program_id; });
  const auto by_id = [](const ModuleRow& a, const ModuleRow& b) {
    return a.program_id < b.program_id;
  };
  StableSort(modules, by_id);
  for (const OpTime& op : ops) {
    auto at = std::ranges::lower_bound(modules, ModuleRow{op.xla->program_id}, by_id);
    if (at == modules.end() || at->program_id != op.xla->program_id) {
      at = modules.insert(at, ModuleRow{op.xla->program_id});
    }
    ++at->ran;
    at->self_ps = SaturatingAdd(at->self_ps, op.self_ps);
    at->use.Add(profiled.peaks, op);
  }
  for (ModuleRow& row : modules) {
    if (const ProgramRun* run = FindRun(profiled.runs, row.program_id)) row.run = *run;
  }
  if (!place.host.empty() || !place.device.empty() || place.step >= 0) {
    std::erase_if(modules, [](const ModuleRow& row) { return row.ran == 0; });
  }
  StableSort(modules, std::greater(), &ModuleRow::self_ps);
  return modules;
}

std::vector<RowDuration> DurationsOf(const std::vector<ModuleRow>& rows) {
  std::vector<RowDuration> durations;
  for (uint32_t row = 0; row < rows.size(); ++row) {
    for (const int64_t ps : rows[row].run.durations_ps) durations.push_back({row, ps});
  }
  return durations;
}

}  // namespace

constexpr TableDef kModulesTable{"modules", "programs", kModulesColumns};

Table ProgramsTable(const Store& store, const CompiledPrograms& programs,
                    const ProfiledOps& profiled, const Query& query, TextPool& pool) {
  const std::vector<ModuleRow> modules = ModuleRows(store, programs, profiled, query.place);
  Table table = MakeTable(kModulesTable, modules.size());
  Fill(table, "program_id", modules,
       [&](const ModuleRow& m) { return pool.Keep(std::to_string(m.program_id)); });
  Fill(table, "program", modules, [](const ModuleRow& m) { return m.name; });
  const auto has_stage = [](const Module& module) { return module.stage.some(); };
  if (std::ranges::any_of(store.modules, has_stage)) {
    Fill(table, "stage", modules, [](const ModuleRow& m) { return m.stage; });
  }
  const auto add = [&](std::string_view id, auto cell) { Fill(table, id, modules, cell); };
  add("computations", [](const ModuleRow& m) { return m.computations; });
  add("instructions", [](const ModuleRow& m) { return m.instructions; });
  add("ran", [](const ModuleRow& m) { return m.ran; });
  add("runs", [](const ModuleRow& m) { return m.run.runs; });
  add("devices", [](const ModuleRow& m) { return m.run.devices; });
  add("time_us", [](const ModuleRow& m) { return m.self_ps; });
  add("mean_us", [](const ModuleRow& m) { return m.run.MeanPs() / 1e6; });
  add("min_us", [](const ModuleRow& m) { return m.run.min_ps; });
  AddPercentiles(DurationsOf(modules), query.display, &table);
  add("max_us", [](const ModuleRow& m) { return m.run.max_ps; });
  FillMfu(
      modules, [&](const ModuleRow& m) { return m.use.Mfu(profiled.peaks, m.run.sum_ps); }, &table);
  return table;
}

}  // namespace tfprof
