// SPDX-License-Identifier: Apache-2.0
// Part of ProgramCallChecker: what the program compiles or traces again.
#include "views/causes/compiling.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/steps/spans.h"

namespace tfprof {
namespace {

struct CallCounts {
  int64_t calls = 0;
  int64_t made = 0;      // of these: compiled, or traced
  int64_t in_first = 0;  // of these, in the first step
};

CallCounts CountCalls(const HostWall& wall, std::string_view name, bool ProgramCall::*made) {
  CallCounts counts;
  const Interval first = wall.steps.steps.empty() ? wall.steps.window : wall.steps.steps.front();
  for (const ProgramCall& call : wall.thread.calls) {
    if (call.name != name || !InSteps(wall, call.start_ps)) continue;
    ++counts.calls;
    counts.made += call.*made;
    counts.in_first += call.*made && call.start_ps < first.end_ps;
  }
  return counts;
}

// Likewise where no calls of programs are recorded: regions that compile, and not the calls around
// them.
CallCounts CountCompiling(const Store& store, const HostWall& wall) {
  CallCounts counts;
  if (!wall.thread.lane.some()) return counts;
  const Interval first = wall.steps.steps.empty() ? wall.steps.window : wall.steps.steps.front();
  int64_t until_ps = kMinPs;
  for (const uint32_t row : wall.thread.nesting.order) {
    const Label& label = store.labels[store.events.label[row].value];
    const int64_t start_ps = store.events.start_ps[row];
    if (label.role != EventRole::compile || start_ps < until_ps) continue;
    until_ps = store.events.EndPs(row);
    if (!InSteps(wall, start_ps)) continue;
    ++counts.made;
    counts.in_first += start_ps < first.end_ps;
  }
  counts.calls = counts.made;
  return counts;
}

// Median duration of the steps but the first; 0: there are no others.
int64_t MedianOfOthers(const HostWall& wall) {
  std::vector<int64_t> spans;
  for (size_t i = 1; i < wall.steps.steps.size(); ++i) {
    spans.push_back(SpanOf(wall.steps.steps[i].start_ps, wall.steps.steps[i].end_ps));
  }
  return spans.empty() ? 0 : Median(std::move(spans));
}

// What a host compiles in its steps, or in the first step alone.
struct Compiled {
  const HostWall* wall = nullptr;
  std::vector<NamedAmount> functions;  // ps, descending
  int64_t ps = 0;
  int64_t times = 0;

  double Percent() const { return wall == nullptr ? 0 : wall->Percent(ps); }
  void Add(const WallPart& part, int64_t compiles) {
    functions.push_back({part.name, part.ps});
    ps = SaturatingAdd(ps, part.ps);
    times = SaturatingAdd(times, compiles);
  }
};

// Adds what the host compiles to one of the two, by when it does.
void FindCompiled(const Store& store, const HostWall& wall, Compiled* first, Compiled* again) {
  const bool marked = wall.steps.origin == StepOrigin::marked && MedianOfOthers(wall) > 0;
  for (const WallPart& part : wall.parts) {
    if (part.kind != WallKind::compile) continue;
    const CallCounts counts = wall.thread.calls.empty()
                                  ? CountCompiling(store, wall)
                                  : CountCalls(wall, part.name, &ProgramCall::compiles);
    if (counts.made == 0) continue;  // the calls are not recorded: it may be the first time
    (marked && counts.in_first == counts.made ? first : again)->Add(part, counts.made);
  }
}

// One function is named if it takes most of the time, else all are one finding.
void AddCompiled(const StepFacts& facts, FindingId id, Compiled compiled,
                 std::vector<Finding>* findings) {
  constexpr int64_t kMost = 80;  // percent
  if (compiled.functions.empty()) return;
  const NamedAmount& largest = compiled.functions[0];
  const bool one = Percent(largest.amount, compiled.ps) >= kMost;
  if (compiled.Percent() < kWallThreshold) return;
  const HostWall& wall = *compiled.wall;
  Finding finding = DescribeCause(facts, id, wall, compiled.ps);
  finding.values.push_back(TextIfAny("function", one ? largest.name : ""));
  finding.values.push_back(
      Number("programs", one ? kNoInt : static_cast<int64_t>(compiled.functions.size())));
  finding.values.push_back(Text("names", LargestNames(compiled.functions, 2)));
  finding.values.push_back(Number("compiles", compiled.times));
  if (id == FindingId::compiles_first_step) {
    const Interval& first = wall.steps.steps[0];
    finding.severity = std::max(finding.severity, Severity::medium);
    finding.values.push_back(Text("step", fmt::format("step {}", wall.steps.numbers[0])));
    finding.values.push_back({"times", static_cast<double>(SpanOf(first.start_ps, first.end_ps)) /
                                           static_cast<double>(MedianOfOthers(wall))});
  }
  findings->push_back(std::move(finding));
}

}  // namespace

void AddCompiles(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                 std::vector<Finding>* findings) {
  Compiled most_in_first, most_again;
  for (const HostWall* wall : walls) {
    Compiled first{wall}, again{wall};
    FindCompiled(facts.trace, *wall, &first, &again);
    if (first.Percent() > most_in_first.Percent()) most_in_first = std::move(first);
    if (again.Percent() > most_again.Percent()) most_again = std::move(again);
  }
  AddCompiled(facts, FindingId::compiles_again, std::move(most_again), findings);
  AddCompiled(facts, FindingId::compiles_first_step, std::move(most_in_first), findings);
}

void AddTraces(const StepFacts& facts, const std::vector<const HostWall*>& walls,
               std::vector<Finding>* findings) {
  for (const auto& [wall, part] : CausesOf(walls, WallKind::tracing)) {
    const CallCounts counts = CountCalls(wall, part.name, &ProgramCall::traces);
    Finding finding = DescribeCause(facts, FindingId::traces_again, wall, part.ps);
    finding.values.push_back(Text("function", part.name));
    finding.values.push_back(Number("traced", counts.made));
    finding.values.push_back(Number("calls", counts.calls));
    findings->push_back(std::move(finding));
  }
}

}  // namespace tfprof
