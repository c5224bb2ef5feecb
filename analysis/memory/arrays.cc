// SPDX-License-Identifier: Apache-2.0
#include "analysis/memory/arrays.h"

#include <algorithm>
#include <functional>
#include <map>

#include "analysis/intervals/nesting.h"
#include "analysis/programs.h"
#include "analysis/runs/program_runs.h"
#include "analysis/wall/loop/driving_thread.h"

namespace tfprof {
namespace {

const Label& LabelOf(const Store& store, uint32_t row) {
  return store.labels[store.events.label[row].value];
}

bool IsOfArrays(EventRole role) {
  return role == EventRole::program_call || role == EventRole::array_made ||
         role == EventRole::array_freed || role == EventRole::put_on_device;
}

// Adds the leaves of a type: a runtime makes an array of each.
void AddLeaves(const Program& program, uint32_t type, ProgramResults* results) {
  int64_t largest = -1;
  std::vector<uint32_t> open = {type};
  while (!open.empty()) {
    const TensorType& of = program.types[open.back()];
    open.pop_back();
    if (of.element == ElementType::tuple) {
      for (uint32_t i = 0; i < of.parts.count; ++i) open.push_back(of.parts.first + i);
      continue;
    }
    const int64_t bytes = BytesOf(program, of);
    results->bytes.push_back(bytes);
    results->single += ElementsOf(program, of) == 1;
    if (bytes <= largest) continue;
    largest = bytes;
    results->largest.clear();
    AppendType(program, of, &results->largest);
    results->largest.resize(std::min(results->largest.find('{'), results->largest.size()));
  }
  std::ranges::sort(results->bytes, std::greater());
}

// Reads the results of programs by the names of calls.
class Results {
 public:
  Results(const Store& store, const Indexes& indexes, HostId host, Context& context)
      : store_(store), indexes_(indexes), host_(host), context_(context) {}

  // Returns an index into programs(); kUnknown: see ArraysOn.
  Result<uint32_t> Of(std::string_view call) {
    const auto [at, is_new] = known_.try_emplace(call, HostArrays::kUnknown);
    if (!is_new) return at->second;
    std::vector<ModuleId> modules = ModulesOf(call);
    TFPROF_ASSIGN(std::vector<ProgramResults> results, Read(modules));
    if (!AllHave(results, SizeOf) || !AllHave(results, SingleOf)) {
      TFPROF_ASSIGN(const auto runs, indexes_.Get<ProgramRuns>(PlaceFilter{}, context_));
      std::erase_if(modules, [&](ModuleId module) {
        return FindRun(*runs, store_.modules[module.value].program_id) == nullptr;
      });
      if (!modules.empty()) {
        TFPROF_ASSIGN(results, Read(modules));
      }
    }
    if (results.empty() || !AllHave(results, SizeOf)) return HostArrays::kUnknown;
    at->second = static_cast<uint32_t>(programs_.size());
    programs_.push_back(Largest(std::move(results)));
    programs_.back().call = call;
    return at->second;
  }

  std::vector<ProgramResults>& programs() { return programs_; }

 private:
  std::vector<ModuleId> ModulesOf(std::string_view call) const {
    std::vector<ModuleId> modules;
    for (size_t i = 0; i < store_.modules.size(); ++i) {
      const Module& module = store_.modules[i];
      if (store_.processes[module.process.value].host != host_) continue;
      std::string_view name = store_.Text(module.name);
      name = name.substr(0, name.rfind('('));  // the number of the program
      if (IsProgramOf(name, call)) modules.push_back(ModuleId(i));
    }
    return modules;
  }

  Result<std::vector<ProgramResults>> Read(const std::vector<ModuleId>& modules) {
    std::vector<ProgramResults> results;
    if (modules.empty()) return results;
    TFPROF_ASSIGN(const auto compiled, indexes_.Get<CompiledPrograms>(context_));
    for (const ModuleId module : modules) {
      const Program& program = compiled->Of(module);
      const uint32_t root = program.entry == Instruction::kNone
                                ? Instruction::kNone
                                : program.computations[program.entry].root;
      if (root == Instruction::kNone) return std::vector<ProgramResults>();
      AddLeaves(program, program.instructions[root].type, &results.emplace_back());
    }
    return results;
  }

  static int64_t SizeOf(const ProgramResults& of) { return static_cast<int64_t>(of.bytes.size()); }
  static int64_t SingleOf(const ProgramResults& of) { return of.single; }
  static bool AllHave(const std::vector<ProgramResults>& results,
                      int64_t (*number)(const ProgramResults&)) {
    return std::ranges::all_of(
        results, [&](const ProgramResults& of) { return number(of) == number(results[0]); });
  }

  static ProgramResults Largest(std::vector<ProgramResults> results) {
    ProgramResults largest = std::move(results[0]);
    for (const ProgramResults& of : results) {
      if (!of.bytes.empty() && of.bytes[0] > largest.bytes[0]) largest.largest = of.largest;
      for (size_t i = 0; i < of.bytes.size(); ++i) {
        largest.bytes[i] = std::max(largest.bytes[i], of.bytes[i]);
      }
      largest.single = std::max(largest.single, of.single);
    }
    return largest;
  }

  const Store& store_;
  const Indexes& indexes_;
  HostId host_;
  Context& context_;
  std::map<std::string_view, uint32_t> known_;
  std::vector<ProgramResults> programs_;
};

// The innermost event around `row` with that role; kNoRow: there is none.
uint32_t Around(const Store& store, const LaneNesting& nesting, uint32_t row, EventRole role) {
  uint32_t around = nesting.ParentOf(row);
  while (around != kNoRow && LabelOf(store, around).role != role) around = nesting.ParentOf(around);
  return around;
}

Result<void> AddLane(const Store& store, const Lane& lane, Results* results, HostArrays* arrays) {
  std::vector<uint32_t> rows;
  for (const uint32_t row : lane.PlacedRows()) {
    if (IsOfArrays(LabelOf(store, row).role)) rows.push_back(row);
  }
  if (rows.empty()) return {};
  LaneNesting nesting;
  NestRows(store, rows, &nesting);
  for (const uint32_t row : rows) {
    const EventRole role = LabelOf(store, row).role;
    if (role == EventRole::program_call) continue;
    const uint32_t call = Around(store, nesting, row, EventRole::program_call);
    ArrayEvent event{.time_ps = store.events.start_ps[row]};
    if (role == EventRole::put_on_device) {
      if (Around(store, nesting, row, EventRole::put_on_device) != kNoRow) continue;
      event.kind = call == kNoRow ? ArrayEvent::put : ArrayEvent::argument;
    } else if (role == EventRole::array_made) {
      event.kind = ArrayEvent::made;
      event.program = HostArrays::kUnknown;
      if (call != kNoRow) {
        TFPROF_ASSIGN(event.program, results->Of(CalledName(store, call)));
      }
    }
    arrays->events.push_back(event);
  }
  return {};
}

}  // namespace

Result<HostArrays> ArraysOn(const Store& store, const Indexes& indexes, ProcessId id,
                            Context& context) {
  HostArrays arrays;
  const Process& process = store.processes[id.value];
  const bool any = std::ranges::any_of(store.LabelsOf(process), [](const Label& label) {
    return label.role == EventRole::array_made;
  });
  if (!any) return arrays;
  Results results(store, indexes, process.host, context);
  for (const Lane& lane : store.LanesOf(process)) {
    TFPROF_TRY(Poll(context));
    TFPROF_TRY(AddLane(store, lane, &results, &arrays));
  }
  std::ranges::stable_sort(arrays.events, {}, &ArrayEvent::time_ps);
  arrays.programs = std::move(results.programs());
  return arrays;
}

}  // namespace tfprof
