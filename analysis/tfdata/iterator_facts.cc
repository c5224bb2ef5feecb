// SPDX-License-Identifier: Apache-2.0
#include "analysis/tfdata/iterator_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/intervals/interval_set.h"
#include "analysis/nodes/op_kinds.h"
#include "core/base/arith.h"
#include "core/store/details.h"
#include "core/store/op_name.h"
#include "core/text/units.h"

namespace tfprof {
namespace {

constexpr std::string_view kPyFunc = "PyFunc";
constexpr std::string_view kPythonTypes[] = {kPyFunc, "PyFuncStateless", "EagerPyFunc"};
constexpr double kMajorityOfWait = 0.5;
constexpr double kHardlyOverlap = 1.1;  // concurrent runs

// The operations that a process recorded, by type: all that run Python have one, kPyFunc.
struct OpTypes {
  static constexpr uint32_t kNoOp = 0xFFFFFFFFu;
  static constexpr uint32_t kPython = 0;

  std::vector<std::string_view> types = {kPyFunc};
  std::vector<uint32_t> of_label;  // by label of the process: index into `types`, or kNoOp
};

OpTypes OpTypesOf(const Store& store, const Process& process) {
  OpTypes found;
  std::map<std::string_view, uint32_t> index;
  for (const Label& label : store.LabelsOf(process)) {
    const OpName op = ParseOpName(store.Text(label.name));
    uint32_t& type = found.of_label.emplace_back(OpTypes::kNoOp);
    if (RunsPython(op.type)) type = OpTypes::kPython;
    if (type == OpTypes::kPython || op.family != OpFamily::tensorflow || IsCall(op.type)) continue;
    const auto [at, is_new] = index.emplace(op.type, found.types.size());
    if (is_new) found.types.push_back(op.type);
    type = at->second;
  }
  return found;
}

// Adds the part of a run within the wait; returns its time. `may_wait`: a run from before a wait
// until after it is an operation that waits.
int64_t AddRun(Intervals waited, int64_t start_ps, int64_t end_ps, bool may_wait,
               IntervalSet* running) {
  int64_t ps = 0;
  EachWithin(waited, start_ps, end_ps, [&](int64_t from_ps, int64_t to_ps) {
    if (may_wait && start_ps < from_ps && to_ps < end_ps) return;
    running->Add(from_ps, to_ps);
    ps = SaturatingAdd(ps, to_ps - from_ps);
  });
  return ps;
}

// `covered`: gets the time by type in which at least one operation of it ran during the wait.
Result<void> AddOps(const Store& store, const Process& process, IntervalSet* waited,
                    Context& context, IteratorFacts* facts,
                    std::map<std::string_view, int64_t>* covered) {
  const OpTypes ops = OpTypesOf(store, process);
  std::vector<IntervalSet> running(ops.types.size());
  for (const Lane& lane : store.LanesOf(process)) {
    TFPROF_TRY(Poll(context));
    for (const uint32_t row : lane.PlacedRows()) {
      const uint32_t type = ops.of_label[store.events.label[row].value - process.labels.first];
      if (type == OpTypes::kNoOp) continue;
      const int64_t ps = AddRun(waited->Parts(), store.events.start_ps[row],
                                store.events.EndPs(row), type != OpTypes::kPython, &running[type]);
      if (type != OpTypes::kPython) continue;
      facts->python_ps = SaturatingAdd(facts->python_ps, ps);
      facts->python_runs += ps > 0;
    }
  }
  for (size_t type = 0; type < running.size(); ++type) {
    int64_t& of_type = (*covered)[ops.types[type]];
    of_type = SaturatingAdd(of_type, running[type].CoveredPs());
  }
  return {};
}

Result<void> AddParallelism(const Store& store, ProcessId process, const IteratorCalls& found,
                            std::string_view iterator, Context& context, IteratorFacts* facts) {
  std::vector<EventId> events;
  for (const IteratorCall& call : found.calls) {
    if (store.Text(store.labels[call.label.value].name) == iterator) events.push_back(call.event);
  }
  constexpr DetailKey kKeys[] = {AttributeKey::parallelism};
  TFPROF_ASSIGN(const std::vector<DetailColumn> columns,
                ReadColumns(store, process, events, kKeys, context));
  if (columns[0].rows.count == 0) return {};
  for (uint32_t i = 0; i < events.size(); ++i) {
    facts->parallelism = std::max(facts->parallelism, columns[0].Integer(i));
  }
  return {};
}

}  // namespace

double IteratorFacts::PythonAtATime() const {
  if (python_covered_ps <= 0) return kNoReal;
  return static_cast<double>(python_ps) / static_cast<double>(python_covered_ps);
}

bool RunsPython(std::string_view type) {
  return std::ranges::find(kPythonTypes, type) != std::end(kPythonTypes);
}

bool IteratorFacts::IsMost(int64_t ps) const {
  return static_cast<double>(ps) > kMajorityOfWait * static_cast<double>(waited_ps);
}

bool IteratorFacts::IsPython() const { return IsMost(python_covered_ps); }

bool IteratorFacts::NeverOverlap() const { return PythonAtATime() < kHardlyOverlap; }

Result<IteratorFacts> FactsOf(const Store& store, const Pipelines& pipelines,
                              std::string_view iterator, std::span<const WaitingCalls> waits,
                              Context& context) {
  IteratorFacts facts;
  std::map<std::string_view, int64_t> covered;
  for (const WaitingCalls& of : waits) {
    const IteratorCalls& found = pipelines.calls[of.process.value];
    IntervalSet waited;
    for (const uint32_t call : of.calls) {
      waited.Add(found.calls[call].start_ps, found.calls[call].end_ps);
    }
    facts.waited_ps = SaturatingAdd(facts.waited_ps, waited.CoveredPs());
    TFPROF_TRY(AddParallelism(store, of.process, found, iterator, context, &facts));
    TFPROF_TRY(
        AddOps(store, store.processes[of.process.value], &waited, context, &facts, &covered));
  }
  facts.python_covered_ps = covered[kPyFunc];
  const auto most = std::ranges::max_element(covered, {}, [](const auto& of) { return of.second; });
  if (facts.IsMost(most->second)) facts.operation = most->first;
  return facts;
}

std::string DisplayTextOf(const IteratorFacts& facts) {
  if (!facts.IsPython()) return {};
  return fmt::format("Python functions ran for {} of the wait: {}, {:.2f} at a time on average.",
                     PercentText(100 * Quotient(facts.python_covered_ps, facts.waited_ps)),
                     Counted(facts.python_runs, "run"), facts.PythonAtATime());
}

}  // namespace tfprof
