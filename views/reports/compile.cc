// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "analysis/intervals/interval.h"
#include "analysis/programs.h"
#include "analysis/runs/compilations.h"
#include "analysis/wall_time.h"
#include "core/base/arith.h"
#include "core/base/sorting.h"
#include "core/store/note_catalogue.h"
#include "views/columns/fill_columns.h"
#include "views/columns/how_to_record.h"
#include "views/programs/argument_changes.h"
#include "views/views.h"

namespace tfprof {
namespace {

constexpr ColumnDef kFunctionsColumns[] = {
    TextDef("function", "function",
            "Function that was traced or compiled; absent for what happened outside of calls."),
    TextDef("host", "host", "Host name.").ForMachines(),
    CountDef("runs", "calls", "Calls of the function by the program."),
    CountDef("traces", "traced",
             "Calls in which it was traced: Python ran it to build its graph or program."),
    CountDef("compiles", "compiled", "Calls in which it was compiled."),
    TimeDef("time_us", "time", "Time of tracing, lowering and compiling."),
    ShareDef("share_pct", "share", "Share of that time of all functions."),
    TimeDef("tracing_us", "tracing", "Time in which Python ran the function to trace it.")
        .Droppable(),
    TimeDef("lowering_us", "lowering",
            "Time in which what was traced became what the compiler reads.")
        .Droppable(),
    TimeDef("compiling_us", "compiling", "Time of compiling.").Droppable(),
    CountDef("programs", "programs", "Compiled programs of that name in the trace.").Droppable(),
    TextDef("differences", "differences", "Arguments in which its programs differ.")
        .Below("programs differ in"),
};
constexpr TableDef kFunctionsTable{"functions", "", kFunctionsColumns};

constexpr ColumnDef kCompilationsColumns[] = {
    TextDef("function", "function", "Function that was called; absent outside of calls."),
    TextDef("host", "host", "Host name.").ForMachines(),
    TimeDef("start_us", "start", "Start of the call, from time 0 of the profile."),
    TimeDef("time_us", "time", "Time of tracing, lowering and compiling."),
    TimeDef("tracing_us", "tracing", "Time in which Python ran the function to trace it."),
    TimeDef("lowering_us", "lowering",
            "Time in which what was traced became what the compiler reads."),
    TimeDef("compiling_us", "compiling", "Time of compiling."),
    CountDef("traces", "trace #", "How often the function was traced until then."),
};
constexpr TableDef kCompilationsTable{"compilations", "calls that traced or compiled",
                                      kCompilationsColumns};

int64_t Plus(int64_t sum, int64_t more) {
  return more == kNoInt ? sum : SaturatingAdd(sum == kNoInt ? 0 : sum, more);
}

struct FunctionRow {
  HostId host;
  std::string_view name;
  int64_t calls = kNoInt;
  int64_t traces = 0;
  int64_t compiles = 0;
  int64_t time_ps = kNoInt;
  int64_t tracing_ps = kNoInt;
  int64_t lowering_ps = kNoInt;
  int64_t compiling_ps = kNoInt;
  int64_t programs = kNoInt;
  std::string differences = {};

  void Add(const Compilation& made) {
    traces += made.is_traced;
    compiles += made.is_compiled;
    time_ps = Plus(time_ps, made.TimePs());
    tracing_ps = Plus(tracing_ps, made.tracing_ps);
    lowering_ps = Plus(lowering_ps, made.lowering_ps);
    compiling_ps = Plus(compiling_ps, made.compiling_ps);
  }
};

// Descending by time.
std::vector<FunctionRow> FunctionRows(const Store& store, const Compilations& found,
                                      const CompiledPrograms& programs) {
  std::map<Compilations::Function, FunctionRow> by_function;
  for (const Compilation& made : found.made) {
    const Compilations::Function key{made.host.value, made.function};
    FunctionRow& row =
        by_function.try_emplace(key, FunctionRow{made.host, made.function}).first->second;
    row.Add(made);
    const auto calls = found.calls.find(key);
    if (calls != found.calls.end()) row.calls = calls->second;
  }
  std::vector<FunctionRow> rows;
  for (auto& [key, row] : by_function) {
    const std::vector<ModuleId> of = ProgramsOf(store, row.name);
    if (!of.empty()) row.programs = static_cast<int64_t>(of.size());
    row.differences = DescribeArgumentChanges(programs, of);
    rows.push_back(std::move(row));
  }
  StableSort(rows, std::greater(), &FunctionRow::time_ps);
  return rows;
}

template <class Rows>
void FillHost(const Store& store, const Rows& rows, Table* table) {
  ReportColumn& host = AddColumn(*table, "host");
  host.spec.human_readable = store.hosts.size() > 1;
  Fill(host, rows, [&](const auto& row) { return store.Text(store.hosts[row.host.value].name); });
}

template <class Rows>
void FillTimes(const Rows& rows, Table* table) {
  Fill(*table, "tracing_us", rows, [](const auto& row) { return row.tracing_ps; });
  Fill(*table, "lowering_us", rows, [](const auto& row) { return row.lowering_ps; });
  Fill(*table, "compiling_us", rows, [](const auto& row) { return row.compiling_ps; });
}

Table FunctionsTable(const Store& store, const std::vector<FunctionRow>& rows, TextPool& pool) {
  Table table = MakeTable(kFunctionsTable, rows.size());
  table.ordered_by = "time_us";
  int64_t all_ps = 0;
  for (const FunctionRow& row : rows) all_ps = Plus(all_ps, row.time_ps);
  const auto keep = [&](std::string_view text) {
    return text.empty() ? std::string_view() : pool.Keep(std::string(text));
  };
  Fill(table, "function", rows, [&](const FunctionRow& r) { return keep(r.name); });
  FillHost(store, rows, &table);
  Fill(table, "runs", rows, [](const FunctionRow& r) { return r.calls; });
  Fill(table, "traces", rows, [](const FunctionRow& r) { return r.traces; });
  Fill(table, "compiles", rows, [](const FunctionRow& r) { return r.compiles; });
  Fill(table, "time_us", rows, [](const FunctionRow& r) { return r.time_ps; });
  Fill(table, "share_pct", rows, [&](const FunctionRow& r) {
    return r.time_ps == kNoInt ? kNoReal : Quotient(r.time_ps, all_ps);
  });
  FillTimes(rows, &table);
  Fill(table, "programs", rows, [](const FunctionRow& r) { return r.programs; });
  Fill(table, "differences", rows, [&](const FunctionRow& r) { return keep(r.differences); });
  return table;
}

Table CompilationsTable(const Store& store, const std::vector<Compilation>& rows, TextPool& pool) {
  Table table = MakeTable(kCompilationsTable, rows.size());
  Fill(table, "function", rows, [&](const Compilation& made) {
    return made.function.empty() ? std::string_view() : pool.Keep(std::string(made.function));
  });
  FillHost(store, rows, &table);
  const int64_t first_ps = FirstStart(store);
  Fill(table, "start_us", rows,
       [&](const Compilation& made) { return SpanOf(first_ps, made.start_ps); });
  Fill(table, "time_us", rows, [](const Compilation& made) { return made.TimePs(); });
  FillTimes(rows, &table);
  Fill(table, "traces", rows, [](const Compilation& made) { return made.traces; });
  return table;
}

}  // namespace

Result<Report> Compile(const StorePtr& store, const Indexes& indexes, const Query& query,
                       Context& context) {
  TFPROF_ASSIGN(const auto found, indexes.Get<Compilations>(query.place, context));
  TFPROF_ASSIGN(const auto programs, indexes.Get<CompiledPrograms>(context));
  Report report = NewReport("compile", store);
  const std::vector<FunctionRow> rows = FunctionRows(*store, *found, *programs);
  if (rows.empty()) {
    TFPROF_TRY(AddHowToRecord(note::no_compilations, Compile, indexes, query, context, &report));
  }
  report.tables.push_back(FunctionsTable(*store, rows, *report.pool));
  report.tables.push_back(CompilationsTable(*store, found->made, *report.pool));
  return report;
}

TableDefs CompileTables() { return {&kFunctionsTable, &kCompilationsTable}; }

}  // namespace tfprof
