// SPDX-License-Identifier: Apache-2.0
#include "analysis/tfdata/iterator_facts.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/intervals/interval_set.h"
#include "core/base/arith.h"
#include "core/store/details.h"
#include "core/store/op_name.h"
#include "core/text/units.h"

namespace tfprof {
namespace {

constexpr std::string_view kPythonTypes[] = {"PyFunc", "PyFuncStateless", "EagerPyFunc"};
constexpr double kMajorityOfWait = 0.5;
constexpr double kHardlyOverlap = 1.1;  // concurrent runs

// By label of the process; empty: there is none.
std::vector<bool> PythonLabels(const Store& store, const Process& process) {
  std::vector<bool> is_python;
  bool any = false;
  for (const Label& label : store.LabelsOf(process)) {
    is_python.push_back(RunsPython(ParseOpName(store.Text(label.name)).type));
    any = any || is_python.back();
  }
  return any ? is_python : std::vector<bool>();
}

// Adds the part of a run within the wait.
void AddRun(Intervals waited, int64_t start_ps, int64_t end_ps, IntervalSet* running,
            IteratorFacts* facts) {
  bool counts = false;
  EachWithin(waited, start_ps, end_ps, [&](int64_t from_ps, int64_t to_ps) {
    running->Add(from_ps, to_ps);
    facts->python_ps = SaturatingAdd(facts->python_ps, to_ps - from_ps);
    counts = true;
  });
  facts->python_runs += counts;
}

Result<void> AddPython(const Store& store, const Process& process, IntervalSet* waited,
                       Context& context, IteratorFacts* facts) {
  const std::vector<bool> is_python = PythonLabels(store, process);
  if (is_python.empty()) return {};
  IntervalSet running;
  for (const Lane& lane : store.LanesOf(process)) {
    TFPROF_TRY(Poll(context));
    for (const uint32_t row : lane.PlacedRows()) {
      if (!is_python[store.events.label[row].value - process.labels.first]) continue;
      AddRun(waited->Parts(), store.events.start_ps[row], store.events.EndPs(row), &running, facts);
    }
  }
  facts->python_covered_ps = SaturatingAdd(facts->python_covered_ps, running.CoveredPs());
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

bool IteratorFacts::IsPython() const {
  return static_cast<double>(python_covered_ps) > kMajorityOfWait * static_cast<double>(waited_ps);
}

bool IteratorFacts::NeverOverlap() const { return PythonAtATime() < kHardlyOverlap; }

Result<IteratorFacts> FactsOf(const Store& store, const Pipelines& pipelines,
                              std::string_view iterator, std::span<const WaitingCalls> waits,
                              Context& context) {
  IteratorFacts facts;
  for (const WaitingCalls& of : waits) {
    const IteratorCalls& found = pipelines.calls[of.process.value];
    IntervalSet waited;
    for (const uint32_t call : of.calls) {
      waited.Add(found.calls[call].start_ps, found.calls[call].end_ps);
    }
    facts.waited_ps = SaturatingAdd(facts.waited_ps, waited.CoveredPs());
    TFPROF_TRY(AddParallelism(store, of.process, found, iterator, context, &facts));
    TFPROF_TRY(AddPython(store, store.processes[of.process.value], &waited, context, &facts));
  }
  return facts;
}

std::string DisplayTextOf(const IteratorFacts& facts) {
  if (!facts.IsPython()) return {};
  return fmt::format("Python functions ran for {} of the wait: {}, {:.2f} at a time on average.",
                     PercentText(100 * Quotient(facts.python_covered_ps, facts.waited_ps)),
                     Counted(facts.python_runs, "run"), facts.PythonAtATime());
}

}  // namespace tfprof
