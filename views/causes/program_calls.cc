// SPDX-License-Identifier: Apache-2.0
// ProgramCallChecker: how the program starts its work: compiling, tracing, single operations,
// functions of Python that programs call, and waiting for each result.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "analysis/steps/spans.h"
#include "analysis/wall/device_waits.h"
#include "analysis/wall/python_names.h"
#include "analysis/wall/small_ops.h"
#include "core/base/sorting.h"
#include "core/store/op_name.h"
#include "views/advice/thresholds.h"
#include "views/causes/program_starts.h"
#include "views/causes/wall_cause.h"

namespace tfprof {
namespace {

constexpr int64_t kManyOps = 20;                    // eager operations a step
constexpr int64_t kStepOfLongGaps = 5'000'000'000;  // ps without events, a step: another cause
constexpr int64_t kManyWaits = 3;  // for devices, a step: most trainings read their loss

struct CallCounts {
  int64_t calls = 0;
  int64_t made = 0;      // of these: compiled, or traced
  int64_t in_first = 0;  // of these, in the first step
};

CallCounts CountCalls(const HostWall& wall, std::string_view name, bool ProgramCall::*made) {
  CallCounts counts;
  const Interval first = wall.steps.steps.empty() ? wall.steps.window : wall.steps.steps.front();
  for (const ProgramCall& call : wall.thread.calls) {
    if (call.name != name || !InWindow(wall, call)) continue;
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
    if (start_ps < wall.steps.window.start_ps || start_ps >= wall.steps.window.end_ps) continue;
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

// The iterators that the thread creates, of which some are created by others.
int64_t IteratorsMade(const Store& store, const HostWall& wall) {
  const auto makes = [&](uint32_t row) {
    return row != kNoRow &&
           store.labels[store.events.label[row].value].role == EventRole::iterator_made;
  };
  int64_t made = 0;
  for (const uint32_t row : wall.thread.nesting.order) {
    made += makes(row) && !makes(wall.thread.nesting.ParentOf(row));
  }
  return made;
}

// One iterator is created once. A program that creates them in its loop reads each from its
// beginning.
void AddIterators(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                  std::vector<Finding>* findings) {
  for (const auto& [wall, part] : CausesOf(walls, WallKind::iterator)) {
    const int64_t made = IteratorsMade(facts.trace, wall);
    if (made < 2) continue;
    Finding finding = DescribeCause(facts, FindingId::creates_iterators, wall, part.ps);
    finding.values.push_back(Number("iterators", made));
    findings->push_back(std::move(finding));
  }
}

// The time in which the thread starts operations beside its functions, or is between them: Python
// records nothing there.
int64_t StartingBeside(const HostWall& wall) {
  int64_t ps = SaturatingAdd(wall.PartPs(WallKind::eager), wall.PartPs(WallKind::unrecorded));
  for (const WallPart& part : wall.parts) {
    if (part.kind == WallKind::launch && part.name.empty()) ps = SaturatingAdd(ps, part.ps);
  }
  const bool long_gaps = wall.PartPs(WallKind::unrecorded) / StepsIn(wall) > kStepOfLongGaps;
  return long_gaps ? wall.PartPs(WallKind::eager) : ps;
}

void AddEager(const StepFacts& facts, const std::vector<const HostWall*>& walls,
              std::vector<Finding>* findings) {
  for (const HostWall* wall : walls) {
    if (wall->has_devices && wall->Percent(wall->PartPs(WallKind::eager)) < kWallThreshold)
      continue;
    const Lane* lane =
        wall->thread.lane.some() ? &facts.trace.lanes[wall->thread.lane.value] : nullptr;
    if (lane == nullptr) continue;
    int64_t ops = 0;
    for (uint32_t row = FirstPlaced(*lane); row < EndOf(*lane); ++row) {
      const int64_t start_ps = facts.trace.events.start_ps[row];
      const Interval& window = wall->steps.window;
      if (start_ps < window.start_ps || start_ps >= window.end_ps) continue;
      ops += wall->thread.columns.IsEagerOp(facts.trace, row);
    }
    const int64_t steps = StepsIn(*wall);
    const bool alone = wall->thread.calls.empty();
    const int64_t ps = alone ? wall->PartPs(WallKind::eager) : StartingBeside(*wall);
    if (ops / steps <= kManyOps || wall->Percent(ps) < kWallThreshold) continue;
    Finding finding = DescribeCause(facts, FindingId::eager_execution, *wall, ps);
    finding.values.push_back(Number("ops", ops / steps));
    finding.values.push_back(When("alone", alone));
    finding.values.push_back(TextIfAny("function", alone ? "" : wall->thread.main_call));
    findings->push_back(std::move(finding));
    return;
  }
}

// Operations of a framework that starts each from Python, most of them short.
void AddSmallOperations(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                        std::vector<Finding>* findings) {
  for (const HostWall* wall : walls) {
    const SmallOps ops = SmallOpsOf(facts.trace, *wall);
    const int64_t steps = StepsIn(*wall);
    if (ops.count / steps <= kManyOps || wall->Percent(ops.ps) < kWallThreshold) continue;
    Finding finding = DescribeCause(facts, FindingId::small_operations, *wall, ops.ps);
    finding.values.push_back(Number("ops", ops.count / steps));
    finding.values.push_back(When("small", !wall->has_devices));
    finding.values.push_back(When("operations", !ops.are_launches));
    finding.values.push_back(When("launches", ops.are_launches));
    finding.values.push_back(TextIfAny("places", LargestNames(ops.places, 2)));
    finding.values.push_back(Text("names", LargestNames(ops.ops, 2)));
    findings->push_back(std::move(finding));
    return;
  }
}

// The function of the program that a callback runs: the outermost one on a thread of the host,
// within the instruction.
std::string FunctionOfCallbacks(const Store& store, const HostWall& wall) {
  const Process& process = store.processes[wall.process.value];
  std::map<std::string, int64_t> functions;
  for (uint32_t i = process.lanes.first; i < process.lanes.first + process.lanes.count; ++i) {
    const Lane& lane = store.lanes[i];
    for (uint32_t row = FirstPlaced(lane); row < EndOf(lane); ++row) {
      const PythonName name = PythonNameOfEvent(store, row);
      if (name.kind != PythonKind::user) continue;
      const int64_t start_ps = store.events.start_ps[row];
      const int64_t end_ps = EndPs(store.events, row);
      for (const Interval& callback : wall.executions.callbacks.intervals) {
        if (start_ps >= callback.start_ps && end_ps <= callback.end_ps) {
          functions[DisplayText(name)] += end_ps - start_ps;
        }
      }
    }
  }
  const auto max = std::ranges::max_element(functions, {}, [](const auto& f) { return f.second; });
  return max == functions.end() ? std::string() : max->first;
}

// What the program calls, by time: the types of operations, or the names of instructions.
std::vector<NamedAmount> CallbackNames(const Store& store, const HostWall& wall) {
  std::map<std::string, int64_t> names;
  for (const uint32_t row : wall.executions.callbacks.rows) {
    const Label& label = store.labels[store.events.label[row].value];
    std::string_view name = store.Text(OpText(label));
    const OpName op = OpNameOf(label.of, name);
    name = op ? op.type : name.substr(0, name.find('.'));
    names[std::string(name)] += store.events.duration_ps[row];
  }
  return LargestFirst(names);
}

void AddCallbacks(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                  std::vector<Finding>* findings) {
  const std::vector<WallCause> causes = CausesOf(walls, WallKind::callback);
  if (causes.empty()) return;
  const auto& [wall, part] = causes[0];
  Finding finding = DescribeCause(facts, FindingId::python_callback, wall, part.ps);
  const Callback what = wall.executions.callbacks.what;
  finding.values.push_back(When("printing", what == Callback::printing));
  finding.values.push_back(When("summaries", what == Callback::summaries));
  finding.values.push_back(When("python", what == Callback::python));
  std::string_view program = wall.thread.main_program;
  if (program.empty()) program = wall.thread.main_call;
  finding.values.push_back(Text("program", program.empty() ? "the program" : program));
  finding.values.push_back(Text("callback", LargestNames(CallbackNames(facts.trace, wall), 2)));
  finding.values.push_back(TextIfAny(
      "function", what == Callback::python ? FunctionOfCallbacks(facts.trace, wall) : ""));
  findings->push_back(std::move(finding));
}

// The time in which the thread waits for results, whether devices work or not; the call.
struct ResultWaits {
  int64_t ps = 0;
  int64_t count = 0;
  std::string call;
};

ResultWaits WaitsIn(const Store& store, const HostWall& wall) {
  ResultWaits waits;
  for (const HostSegment& segment : wall.causes) {
    if (segment.cause != HostCause::waits || segment.named_by == kNoRow) continue;
    if (segment.start_ps < wall.steps.window.start_ps) continue;
    waits.ps = SaturatingAdd(waits.ps, SpanOf(segment.start_ps, segment.end_ps));
    if (!waits.call.empty()) continue;
    waits.call = "float()";
    for (uint32_t row = segment.named_by; row != kNoRow; row = wall.thread.nesting.ParentOf(row)) {
      const PythonName name = PythonNameOfEvent(store, row);
      if (name.function == "__array__") waits.call = "np.asarray()";
      if (name.function == "__int__") waits.call = "int()";
      if (name.function == "__bool__") waits.call = "bool()";
      if (name.function == "item") waits.call = "item()";
    }
  }
  return waits;
}

// The program that waits for each result starts the next one late: what it does in between delays
// the device.
void AddWaitsForResults(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                        std::vector<Finding>* findings) {
  for (const HostWall* wall : walls) {
    const ResultWaits waits = WaitsIn(facts.trace, *wall);
    if (wall->Percent(waits.ps) < kMuchOfWall) continue;
    const auto function = std::ranges::find_if(
        wall->parts, [](const WallPart& part) { return part.kind == WallKind::python; });
    if (function == wall->parts.end() || wall->Percent(function->ps) < kMuchOfWall) continue;
    Finding finding = DescribeCause(facts, FindingId::waits_for_results, *wall, function->ps);
    finding.explained_by = {FindingId::steps_get_longer, FindingId::copies_in_steps};
    if (MostlyStarts(facts.trace, *wall, *function)) {
      finding.explained_by.push_back(FindingId::many_programs);
    }
    finding.values.push_back(Text("call", waits.call));
    finding.values.push_back(Text("function", function->name));
    findings->push_back(std::move(finding));
    return;
  }
}

void AddWaitsForDevices(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                        std::vector<Finding>* findings) {
  for (const HostWall* wall : walls) {
    const DeviceWaits waits = DeviceWaitsOf(facts.trace, *wall);
    const int64_t a_step = waits.count / StepsIn(*wall);
    if (a_step <= kManyWaits || wall->Percent(waits.idle_ps) < kWallThreshold) continue;
    Finding finding = DescribeCause(facts, FindingId::waits_for_devices, *wall, waits.idle_ps);
    finding.values.push_back(Number("waits", a_step));
    finding.values.push_back(Number("recorded", waits.recorded));
    finding.values.push_back(Text("call", waits.calls[0].name));
    finding.values.push_back(
        TextIfAny("function", waits.functions.empty() ? "" : waits.functions[0].name));
    findings->push_back(std::move(finding));
    return;
  }
}

}  // namespace

Result<void> CheckProgramCalls(const StepFacts& facts, std::vector<Finding>* findings) {
  TFPROF_ASSIGN(const auto times, facts.indexes.Get<WallTimes>(facts.context));
  const std::vector<const HostWall*> walls = WallsOf(facts, *times);
  AddCompiles(facts, walls, findings);
  AddTraces(facts, walls, findings);
  AddIterators(facts, walls, findings);
  AddCallbacks(facts, walls, findings);
  AddEager(facts, walls, findings);
  AddSmallOperations(facts, walls, findings);
  AddManyPrograms(facts, walls, findings);
  AddOtherPrograms(facts, walls, findings);
  AddWaitsForResults(facts, walls, findings);
  AddWaitsForDevices(facts, walls, findings);
  AddSmallPrograms(facts, walls, findings);
  return {};
}

}  // namespace tfprof
