// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "analysis/programs.h"
#include "analysis/runs/longest_chain.h"
#include "analysis/runs/program_path.h"
#include "core/store/note_catalogue.h"
#include "views/columns/fill_columns.h"
#include "views/columns/group_sums.h"
#include "views/columns/how_to_record.h"
#include "views/columns/measure_rows.h"
#include "views/programs/instructions.h"
#include "views/views.h"

namespace tfprof {
namespace {

constexpr ColumnDef kPathColumns[] = {
    TextDef("program_id", "program ID", "Program ID; absent in a graph.").ForMachines(),
    TextDef("program", "program", "Compiled program; absent in a graph."),
    IntegerDef("position", "position", Unit::none, "Place on the path of its program, from 1."),
    TextDef("name", "name", "Instruction of the program, or node of the graph."),
    TextDef("category", "category", "HLO category, or type of the node."),
    TextDef("op", "operation", "Framework operation of the instruction; absent in a graph."),
    CountDef("runs", "runs", "Executions."),
    TimeDef("time_us", "self time", "Time without that of nested instructions."),
    RealDef("share_pct", "share", Unit::percent,
            "Share of the self time of all that the program or the graph ran."),
    RealDef("cumulative_pct", "cum %", Unit::percent,
            "Share of this row and of those above it on the path: all of them bound the time "
            "that more parallel work could save."),
};
constexpr TableDef kPathTable{"critical_path", "critical path", kPathColumns};

struct PathRow {
  std::string program_id;
  std::string_view program, name, category, op;
  int64_t position = 0;
  int64_t runs = kNoInt;
  int64_t time = 0;
  double share_pct = kNoReal;
  double cumulative_pct = kNoReal;
};

// Numbers the rows of one path, which are the last ones. `all`: time of all, also beside it.
void NumberPath(size_t first, int64_t all, std::vector<PathRow>* rows) {
  double sum = 0;
  for (size_t i = first; i < rows->size(); ++i) {
    PathRow& row = (*rows)[i];
    row.position = static_cast<int64_t>(i - first) + 1;
    row.share_pct = 100 * static_cast<double>(row.time) / static_cast<double>(all);
    sum += row.share_pct;
    row.cumulative_pct = sum;
  }
}

// `scale`: of the nodes of a graph; null: instructions, in ps.
Table PathTable(const std::vector<PathRow>& rows, const MeasureScale* scale, TextPool* pool) {
  Table table = MakeTable(kPathTable, rows.size());
  table.ordered_by = "position";
  const auto text = [&](std::string_view id, auto member) -> ReportColumn& {
    return Fill(table, id, rows,
                [&](const PathRow& row) { return pool->Keep(std::string(row.*member)); });
  };
  Fill(table, "program_id", rows, [&](const PathRow& row) { return pool->Keep(row.program_id); });
  text("program", &PathRow::program).spec.human_readable = std::ranges::any_of(
      rows, [&](const PathRow& row) { return row.program_id != rows[0].program_id; });
  Fill(table, "position", rows, [](const PathRow& row) { return row.position; });
  text("name", &PathRow::name);
  text("category", &PathRow::category);
  text("op", &PathRow::op).spec.human_readable = scale == nullptr;
  ReportColumn& runs = Fill(table, "runs", rows, [](const PathRow& row) { return row.runs; });
  if (scale != nullptr) SetScale(*scale, Measure::run_count, &runs);
  ReportColumn& time = Fill(table, "time_us", rows, [](const PathRow& row) { return row.time; });
  if (scale != nullptr) SetScale(*scale, Measure::micros, &time);
  Fill(table, "share_pct", rows, [](const PathRow& row) { return row.share_pct; });
  Fill(table, "cumulative_pct", rows, [](const PathRow& row) { return row.cumulative_pct; });
  return table;
}

// Adds the path of one program. `ran`: its instructions.
Result<void> AddProgram(const Store& store, const CompiledPrograms& programs, ModuleId module,
                        const std::vector<const OpTime*>& ran, std::vector<PathRow>* rows,
                        Context& context) {
  const Program& program = programs.Of(module);
  std::vector<const OpTime*> times(program.instructions.size());
  int64_t all = 0;
  for (const OpTime* op : ran) {
    const uint32_t at = programs.Find(module, op->xla->name);
    if (at == Instruction::kNone || op->is_async_done) continue;
    times[at] = op;
    all = SaturatingAdd(all, op->self_ps);
  }
  TFPROF_ASSIGN(
      const std::vector<uint32_t> path,
      PathOfProgram(
          program,
          [&](uint32_t at) { return times[at] != nullptr ? times[at]->self_ps : int64_t{0}; },
          context));
  const size_t first = rows->size();
  for (const uint32_t at : path) {
    const OpTime& op = *times[at];
    rows->push_back({.program_id = std::to_string(op.xla->program_id),
                     .program = store.Text(store.modules[module.value].name),
                     .name = op.xla->name,
                     .category = op.xla->category,
                     .op = WithoutEmptyType(op.provenance),
                     .runs = op.occurrences,
                     .time = op.self_ps});
  }
  NumberPath(first, all, rows);
  return {};
}

// The programs that took most time first.
Result<std::vector<PathRow>> PathsOfPrograms(const Store& store, const CompiledPrograms& programs,
                                             const std::vector<OpTime>& ops, Context& context) {
  struct Ran {
    ModuleId module;
    int64_t time = 0;
    std::vector<const OpTime*> ops;
  };
  std::vector<Ran> of_programs;
  std::map<uint64_t, size_t> by_id;
  for (const OpTime& op : ops) {
    const ModuleId module = FindModule(store, HostId(), op.xla->program_id);
    if (!module.some()) continue;
    const auto [known, is_new] = by_id.try_emplace(op.xla->program_id, of_programs.size());
    if (is_new) of_programs.push_back({module, 0, {}});
    Ran& ran = of_programs[known->second];
    ran.time = SaturatingAdd(ran.time, op.self_ps);
    ran.ops.push_back(&op);
  }
  std::ranges::stable_sort(of_programs, std::ranges::greater(), &Ran::time);
  std::vector<PathRow> rows;
  for (const Ran& ran : of_programs) {
    TFPROF_TRY(AddProgram(store, programs, ran.module, ran.ops, &rows, context));
  }
  return rows;
}

Result<Report> PathOfGraph(const StorePtr& store, const Indexes& indexes, const Query& query,
                           Context& context) {
  TFPROF_ASSIGN(const NodeCosts costs, CostsOf(*store, indexes, query, context));
  Report report = StartReport("critical_path", store, *costs.accounts, query.place);
  std::vector<GroupSum> sums;
  int64_t all = 0;
  for (uint32_t i = 0; i < store->nodes.size(); ++i) {
    const NodeId node(i);
    sums.push_back(costs.Of({&node, 1}));
    all = SaturatingAdd(all, std::max<int64_t>(TimeOf(sums.back()), 0));
  }
  const auto inputs_of = [&](uint32_t at) {
    std::vector<uint32_t> inputs;
    for (const Edge& edge : store->Inputs(store->nodes[at])) {
      if (edge.producer.some()) inputs.push_back(edge.producer.value);
    }
    return inputs;
  };
  TFPROF_ASSIGN(
      const std::vector<uint32_t> path,
      LongestChain({store->nodes.size(),
                    [&](uint32_t at) { return std::max<int64_t>(TimeOf(sums[at]), 0); }, inputs_of},
                   context));
  std::vector<PathRow> rows;
  for (const uint32_t at : path) {
    const Node& node = store->nodes[at];
    rows.push_back({.name = store->Text(node.name),
                    .category = store->Text(node.type),
                    .runs = RunsOf(sums[at]),
                    .time = TimeOf(sums[at])});
  }
  NumberPath(0, all, &rows);
  report.tables.push_back(PathTable(rows, &report.scale, report.pool.get()));
  return report;
}

}  // namespace

// Instructions of programs have edges in traces, nodes of graphs in profiles.
Result<Report> CriticalPath(const StorePtr& store, const Indexes& indexes, const Query& query,
                            Context& context) {
  if (!store->IsTrace()) return PathOfGraph(store, indexes, query, context);
  Report report = NewReport("critical_path", store);
  TFPROF_ASSIGN(const RanInstructions ran,
                InstructionsThatRan(*store, indexes, query, report.pool.get(), context));
  TFPROF_ASSIGN(const auto programs, indexes.Get<CompiledPrograms>(context));
  TFPROF_ASSIGN(const std::vector<PathRow> rows,
                PathsOfPrograms(*store, *programs, ran.ops, context));
  report.tables.push_back(PathTable(rows, nullptr, report.pool.get()));
  if (rows.empty()) {
    TFPROF_TRY(AddHowToRecord(note::no_programs, CriticalPath, indexes, query, context, &report));
  }
  return report;
}

TableDefs CriticalPathTables() { return {&kPathTable}; }

}  // namespace tfprof
