// SPDX-License-Identifier: Apache-2.0
// Part of ProgramCallChecker: many programs a step, and small ones.
#include "views/causes/program_starts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "analysis/intervals/interval_set.h"
#include "analysis/wall/python_names.h"
#include "core/base/sorting.h"
#include "views/advice/thresholds.h"

namespace tfprof {
namespace {

constexpr int64_t kManyPrograms = 10;  // programs a step
constexpr int64_t kManyPieces = 100;   // of a graph, a step: more than its operations are
constexpr double kSmallPrograms = 50;  // percent of the wall time in which programs are started

// The programs that the thread starts.
struct Starts {
  int64_t count = 0;
  std::vector<std::pair<std::string, int64_t>> names;  // descending by count
};

Starts StartsIn(const HostWall& wall) {
  Starts starts;
  std::map<std::string_view, int64_t> counts;
  for (const ProgramCall& call : wall.thread.calls) {
    if (!InSteps(wall, call.start_ps)) continue;
    ++starts.count;
    ++counts[call.name];
  }
  for (const auto& [name, count] : counts) starts.names.emplace_back(name, count);
  StableSort(starts.names, [](const auto& a, const auto& b) { return a.second > b.second; });
  return starts;
}

// Returns "add 20, step 1": programs with their starts in a step.
std::string PerStep(const Starts& starts, int64_t steps) {
  std::vector<std::string> names;
  for (const auto& [name, count] : starts.names) {
    names.push_back(fmt::format("{} {}", name, std::max<int64_t>(count / steps, 1)));
  }
  return Listed(names, 7);
}

// Returns "metrics (2 a step), evaluate (3 times in 100 steps)".
std::string Often(const Starts& starts, int64_t steps) {
  std::vector<std::string> names;
  for (const auto& [name, count] : starts.names) {
    names.push_back(count < steps ? fmt::format("{} ({} in {})", name, Counted(count, "time"),
                                                Counted(steps, "step"))
                                  : fmt::format("{} ({} a step)", name, count / steps));
  }
  return Listed(names, 4);
}

// The time in which the thread starts programs or waits for them, and nothing computes. Long gaps
// have another cause. Callers add what code of libraries takes.
int64_t StartingPs(const HostWall& wall) {
  const int64_t gaps_ps = wall.PartPs(WallKind::unrecorded);
  const int64_t ps = SaturatingAdd(wall.PartPs(WallKind::launch), wall.PartPs(WallKind::waits));
  return SaturatingAdd(ps, gaps_ps - std::min(gaps_ps, LongGapsPs(wall)));
}

// Returns the outermost event around the call that is code of a library, such as an operator of
// arrays, or an event of the runtime.
uint32_t StartOf(const Store& store, const HostWall& wall, const ProgramCall& call) {
  uint32_t outermost = call.row;
  for (uint32_t row = wall.thread.nesting.ParentOf(call.row); row != kNoRow;
       row = wall.thread.nesting.ParentOf(row)) {
    const PythonName name = PythonNameOfEvent(store, row);
    if (name.kind != PythonKind::library && name.kind != PythonKind::native) break;
    outermost = row;
  }
  return outermost;
}

// Returns by part of the wall time how long the thread starts programs in functions of Python: the
// calls of programs count, with the code of libraries around them. Empty: steps do not start many
// programs.
std::vector<int64_t> StartingByPart(const Store& store, const HostWall& wall) {
  // Without any record of what programs do, their calls may be the work.
  const bool runs =
      wall.has_devices || !wall.executions.executions.empty() || wall.PartPs(WallKind::compute) > 0;
  const bool many = runs && StartsIn(wall).count / StepsIn(wall) > kManyPrograms;
  if (!many) return {};
  IntervalSet starting;
  for (const ProgramCall& call : wall.thread.calls) {
    const uint32_t row = StartOf(store, wall, call);
    starting.Add(store.events.start_ps[row], store.events.EndPs(row));
  }
  std::vector<int64_t> by_part(wall.parts.size(), 0);
  for (const WallSegment& segment : wall.segments) {
    if (segment.part >= wall.parts.size()) continue;
    const WallKind kind = wall.parts[segment.part].kind;
    if (kind != WallKind::python && kind != WallKind::library) continue;
    EachWithin(starting.Parts(), segment.start_ps, segment.end_ps, [&](int64_t start, int64_t end) {
      by_part[segment.part] = SaturatingAdd(by_part[segment.part], SpanOf(start, end));
    });
  }
  return by_part;
}

// A graph whose operations are too short to be recorded runs in pieces on the threads of a pool.
int64_t PiecesOfGraph(const Store& store, const HostWall& wall) {
  int64_t pieces = 0;
  for (const Lane& lane : store.LanesOf(store.processes[wall.process.value])) {
    for (const uint32_t row : lane.PlacedRows()) {
      const EventRole role = store.labels[store.events.label[row].value].role;
      pieces += role == EventRole::graph_executor && InSteps(wall, store.events.start_ps[row]);
    }
  }
  return pieces;
}

}  // namespace

int64_t LongGapsPs(const HostWall& wall) {
  int64_t ps = 0;
  for (const WallSegment& segment : wall.segments) {
    if (segment.part >= wall.parts.size()) continue;
    if (wall.parts[segment.part].kind != WallKind::unrecorded) continue;
    const int64_t gap_ps = SpanOf(segment.start_ps, segment.end_ps);
    if (gap_ps > kLongGapPs) ps = SaturatingAdd(ps, gap_ps);
  }
  return ps;
}

bool MostlyStarts(const Store& store, const HostWall& wall, const WallPart& part) {
  const std::vector<int64_t> starting = StartingByPart(store, wall);
  return !starting.empty() &&
         Percent(starting[static_cast<size_t>(&part - wall.parts.data())], part.ps) >= 50;
}

void AddManyPrograms(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                     std::vector<Finding>* findings) {
  for (const HostWall* wall : walls) {
    const std::vector<int64_t> by_part = StartingByPart(facts.trace, *wall);
    if (by_part.empty()) continue;
    const Starts starts = StartsIn(*wall);
    const int64_t steps = StepsIn(*wall);
    int64_t ps = StartingPs(*wall);
    for (const int64_t in_function : by_part) ps = SaturatingAdd(ps, in_function);
    if (wall->Percent(ps) < kWallThreshold) continue;
    Finding finding = DescribeCause(facts, FindingId::many_programs, *wall, ps);
    const bool one = starts.names[0].second * 10 >= starts.count * 8;
    finding.values.push_back(Number("programs", starts.count / steps));
    finding.values.push_back(Text("names", PerStep(starts, steps)));
    finding.values.push_back(TextIfAny("one", one ? starts.names[0].first : ""));
    finding.values.push_back(When("several", !one));
    const bool compiled = !wall->thread.main_program.empty();
    finding.values.push_back(Text("jit", compiled ? "jax.jit" : "tf.function"));
    finding.values.push_back(When("map", one && compiled));
    findings->push_back(std::move(finding));
    return;
  }
}

// Programs that some or all steps start beside the one that drives them: of an evaluation, of
// metrics.
void AddOtherPrograms(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                      std::vector<Finding>* findings) {
  for (const HostWall* wall : walls) {
    const std::string_view main = wall->thread.main_call;
    Starts others = StartsIn(*wall);
    if (main.empty() || others.count / StepsIn(*wall) > kManyPrograms) continue;
    std::erase_if(others.names, [&](const auto& of) { return of.first == main; });
    if (others.names.empty()) continue;
    int64_t ps = wall->PartPs(WallKind::eager);
    for (const WallPart& part : wall->parts) {
      if (part.kind == WallKind::launch && part.name != main) ps = SaturatingAdd(ps, part.ps);
    }
    if (wall->Percent(ps) < kMuchOfWall) continue;
    Finding finding = DescribeCause(facts, FindingId::other_programs, *wall, ps);
    finding.values.push_back(Text("main", main));
    finding.values.push_back(Text("names", Often(others, StepsIn(*wall))));
    finding.values.push_back(When("keras", wall->thread.is_keras));
    findings->push_back(std::move(finding));
    return;
  }
}

void AddSmallPrograms(const StepFacts& facts, const std::vector<const HostWall*>& walls,
                      std::vector<Finding>* findings) {
  for (const HostWall* wall : walls) {
    const Starts starts = StartsIn(*wall);
    const int64_t steps = StepsIn(*wall), a_step = starts.count / steps;
    const bool one_a_step = a_step >= 1 && a_step <= kManyPrograms;
    const int64_t launch_ps = wall->PartPs(WallKind::launch);
    const int64_t starting_ps =
        wall->has_devices ? launch_ps
                          : SaturatingAdd(StartingPs(*wall), wall->PartPs(WallKind::library));
    if (!one_a_step || wall->Percent(starting_ps) < kSmallPrograms) continue;
    if (launch_ps == 0) continue;
    Finding finding = DescribeCause(facts, FindingId::small_program, *wall, starting_ps);
    const bool compiled = !wall->thread.main_program.empty();
    finding.values.push_back(
        Text("program", compiled ? wall->thread.main_program : wall->thread.main_call));
    finding.values.push_back(Time("compute", wall->PartPs(WallKind::compute) / steps));
    finding.values.push_back(When("jax", compiled));
    const int64_t pieces = compiled ? 0 : PiecesOfGraph(facts.trace, *wall) / steps;
    const bool loops = pieces > kManyPieces;
    finding.values.push_back(When("keras", !compiled && !loops));
    finding.values.push_back(When("loops", loops));
    finding.values.push_back(Number("pieces", loops ? pieces : kNoInt));
    findings->push_back(std::move(finding));
    return;
  }
}

}  // namespace tfprof
