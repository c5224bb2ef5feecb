// SPDX-License-Identifier: Apache-2.0
#include "analysis/trace_nodes/module_scopes.h"

#include <map>
#include <unordered_map>
#include <utility>

#include "analysis/indexes.h"
#include "analysis/intervals/nesting.h"
#include "analysis/links/launch_ops.h"

namespace tfprof {
namespace {

// By label: the name of a part of a model; none for other events.
std::vector<NameId> PartsOfLabels(const Store& store, bool* any) {
  std::vector<NameId> parts(store.labels.size());
  for (size_t i = 0; i < parts.size(); ++i) {
    const PythonFunctionId id = store.labels[i].python;
    if (!id.some()) continue;
    const PythonFunction& of = store.python_functions[id.value];
    if (of.form != PythonForm::module) continue;
    parts[i] = of.function;
    *any = true;
  }
  return parts;
}

class ScopeFinding {
 public:
  ScopeFinding(const Store& store, const std::vector<NameId>& part_of_label, ModuleScopes* scopes)
      : store_(store), part_of_label_(part_of_label), scopes_(*scopes) {}

  // Sets the scopes of a thread. `known`: those that operations have by their numbers.
  void AddLane(const Lane& lane, const std::unordered_map<uint32_t, uint32_t>& known) {
    NestEvents(store_, lane, &nesting_);
    for (const uint32_t row : nesting_.order) {
      const uint32_t parent = nesting_.ParentOf(row);
      uint32_t scope = parent == kNoRow ? ModuleScopes::kNone : scopes_.of_event[parent];
      const NameId part = part_of_label_[store_.events.label[row].value];
      if (part.some()) scope = Child(scope, part);
      if (scope == ModuleScopes::kNone) {
        const auto found = known.find(row);
        if (found != known.end()) scope = found->second;
      }
      scopes_.of_event[row] = scope;
    }
  }

 private:
  uint32_t Child(uint32_t scope, NameId part) {
    const auto next = static_cast<uint32_t>(scopes_.paths.size());
    const auto [at, is_new] = children_.try_emplace({scope, part.value}, next);
    if (!is_new) return at->second;
    const std::string& around = scopes_.paths[scope];
    std::string path = around.empty() ? "" : around + "/";
    path += store_.Text(part);
    scopes_.paths.push_back(std::move(path));
    return next;
  }

  const Store& store_;
  const std::vector<NameId>& part_of_label_;
  ModuleScopes& scopes_;
  LaneNesting nesting_;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> children_;
};

// By row: the scope of the forward operation with the same number, of operations without a scope.
Result<std::unordered_map<uint32_t, uint32_t>> ScopesByNumber(const Store& store,
                                                              const Indexes& indexes,
                                                              const ModuleScopes& scopes,
                                                              ProcessId id, Context& context) {
  std::unordered_map<uint32_t, uint32_t> found;
  TFPROF_ASSIGN(const auto numbers, indexes.Details(id, AttributeKey::sequence, context));
  if (numbers->rows.count == 0) return found;
  std::unordered_map<int64_t, uint32_t> of_number;
  std::vector<uint32_t> others;
  for (const Lane& lane : store.LanesOf(store.processes[id.value])) {
    if (lane.measures != Measures::host_time) continue;
    for (const uint32_t row : lane.PlacedRows()) {
      if (!numbers->Has(row)) continue;
      if (scopes.of_event[row] == ModuleScopes::kNone) {
        others.push_back(row);
      } else {
        of_number.try_emplace(numbers->Integer(row), scopes.of_event[row]);
      }
    }
  }
  for (const uint32_t row : others) {
    const auto scope = of_number.find(numbers->Integer(row));
    if (scope != of_number.end()) found.emplace(row, scope->second);
  }
  return found;
}

Result<void> AddDevices(const Indexes& indexes, ModuleScopes* scopes, Context& context) {
  TFPROF_ASSIGN(const auto links, indexes.Get<LaunchLinks>(context));
  for (size_t i = 0; i < links->size(); ++i) {
    if (links->kind[i] != LinkKind::launch) continue;
    scopes->of_event[links->to[i].value] = scopes->of_event[links->from[i].value];
  }
  return {};
}

}  // namespace

Result<ModuleScopes> ModuleScopes::Build(const Indexes& indexes, Context& context) {
  const Store& store = *indexes.store();
  ModuleScopes scopes;
  bool any = false;
  const std::vector<NameId> parts = PartsOfLabels(store, &any);
  if (!any) return scopes;
  scopes.of_event.Resize(store.EventCount(), ModuleScopes::kNone);
  ScopeFinding finding(store, parts, &scopes);
  for (uint32_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    if (process.kind != ProcessKind::host) continue;
    std::unordered_map<uint32_t, uint32_t> known;
    for (const bool by_number : {false, true}) {
      if (by_number) {
        TFPROF_ASSIGN(known, ScopesByNumber(store, indexes, scopes, ProcessId(i), context));
        if (known.empty()) break;
      }
      for (const Lane& lane : store.LanesOf(process)) {
        if (lane.measures != Measures::host_time) continue;
        TFPROF_TRY(Poll(context));
        finding.AddLane(lane, known);
      }
    }
  }
  TFPROF_TRY(AddDevices(indexes, &scopes, context));
  return scopes;
}

}  // namespace tfprof
