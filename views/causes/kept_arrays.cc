// SPDX-License-Identifier: Apache-2.0
#include "views/causes/kept_arrays.h"

#include <algorithm>

#include "analysis/memory/arrays.h"
#include "analysis/memory/events.h"

namespace tfprof {
namespace {

// A training that keeps less has room for it.
constexpr int64_t kRoomBytes = 1'000'000'000;

// Inferred steps begin when a program runs, maybe long after the thread has called it: arrays are
// made and freed by calls.
std::vector<Interval> StepsOfArrays(const HostWall& wall) {
  if (wall.steps.origin == StepOrigin::marked) return wall.steps.steps;
  std::vector<Interval> steps;
  for (const ProgramCall& call : wall.thread.calls) {
    if (!wall.thread.IsMain(call)) continue;
    if (!steps.empty()) steps.back().end_ps = call.start_ps;
    steps.push_back({call.start_ps, call.start_ps});
  }
  if (!steps.empty()) steps.pop_back();
  return steps;
}

// What a step adds to the arrays in memory.
struct StepArrays {
  int64_t change = 0;  // made - freed
  int64_t single = 0;  // results of one element
  bool known = true;
  bool puts = false;
  std::vector<int64_t> executions;  // by program
};

// The time after a step belongs to the next one.
std::vector<StepArrays> ArraysBySteps(const HostArrays& arrays,
                                      const std::vector<Interval>& steps) {
  std::vector<StepArrays> found(steps.size());
  for (StepArrays& of : found) of.executions.resize(arrays.programs.size());
  size_t step = 0;
  for (const ArrayEvent& event : arrays.events) {
    if (event.time_ps < steps[0].start_ps) continue;
    while (step < steps.size() && event.time_ps >= steps[step].end_ps) ++step;
    if (step == steps.size()) break;
    StepArrays& of = found[step];
    if (event.kind != ArrayEvent::made) {
      of.change += event.kind == ArrayEvent::freed ? -1 : 1;
      of.puts |= event.kind == ArrayEvent::put;
    } else if (event.program == HostArrays::kUnknown) {
      of.known = false;
    } else {
      const ProgramResults& results = arrays.programs[event.program];
      of.change += static_cast<int64_t>(results.bytes.size());
      of.single += results.single;
      ++of.executions[event.program];
    }
  }
  return found;
}

// Losses in a list are no leak: a step may keep its results of one element. What the first step
// keeps may be for all, but it frees none that others would have kept for a while.
bool KeepsMore(const std::vector<StepArrays>& steps) {
  return steps.size() >= kMinStepsOfMemory && steps[0].change >= 0 &&
         std::all_of(steps.begin() + 1, steps.end(),
                     [](const StepArrays& of) { return of.known && of.change > of.single; });
}

// What steps can keep.
struct Kept {
  int64_t least = kMaxPs, most = 0;       // arrays a step
  int64_t alive = 0;                      // more after the last step than after the second one
  bool puts = false;                      // also arrays of unknown size
  std::vector<int64_t> executions;        // most in a step, by program
  std::vector<const ProgramResults*> of;  // by their largest array, descending
};

Kept DescribeKept(const HostArrays& arrays, const std::vector<StepArrays>& steps) {
  Kept kept{.executions = std::vector<int64_t>(arrays.programs.size())};
  for (size_t i = 1; i < steps.size(); ++i) {
    const StepArrays& step = steps[i];
    kept.least = std::min(kept.least, step.change);
    kept.most = std::max(kept.most, step.change);
    if (i > 1) kept.alive += step.change;
    kept.puts |= step.puts;
    for (size_t k = 0; k < step.executions.size(); ++k) {
      kept.executions[k] = std::max(kept.executions[k], step.executions[k]);
    }
  }
  for (size_t k = 0; k < arrays.programs.size(); ++k) {
    const ProgramResults& of = arrays.programs[k];
    const bool keeps = static_cast<int64_t>(of.bytes.size()) > of.single;
    if (kept.executions[k] > 0 && keeps) kept.of.push_back(&of);
  }
  std::ranges::stable_sort(kept.of, std::greater(),
                           [](const ProgramResults* of) { return of->bytes[0]; });
  return kept;
}

// The size of the largest arrays that a step makes, as many as it keeps at most. kNoInt: unknown.
int64_t MostBytes(const HostArrays& arrays, const Kept& kept) {
  if (kept.puts) return kNoInt;
  std::vector<std::pair<int64_t, int64_t>> sizes;  // bytes, arrays
  for (size_t k = 0; k < arrays.programs.size(); ++k) {
    for (const int64_t bytes : arrays.programs[k].bytes) {
      sizes.emplace_back(bytes, kept.executions[k]);
    }
  }
  std::ranges::sort(sizes, std::greater());
  int64_t sum = 0, left = kept.most;
  bool clamped = false;
  for (const auto& [bytes, count] : sizes) {
    const int64_t taken = std::min(count, left);
    sum = SaturatingAdd(sum, SaturatingMul(bytes, taken, &clamped));
    left -= taken;
  }
  return sum;
}

std::vector<std::string_view> SourcesOf(const Kept& kept) {
  std::vector<std::string_view> names;
  for (const ProgramResults* of : kept.of) names.push_back(of->call);
  if (kept.puts) names.emplace_back("copies to devices");
  return names;
}

}  // namespace

Result<void> AddKeptArrays(const StepFacts& facts, const HostWall& wall,
                           std::vector<Finding>* findings) {
  const std::vector<Interval> steps = StepsOfArrays(wall);
  if (!wall.process.some() || wall.has_devices || steps.size() < kMinStepsOfMemory) return {};
  TFPROF_ASSIGN(const HostArrays arrays,
                ArraysOn(facts.trace, facts.indexes, wall.process, facts.context));
  const std::vector<StepArrays> by_step = ArraysBySteps(arrays, steps);
  if (!KeepsMore(by_step)) return {};
  TFPROF_ASSIGN(const auto memory, facts.indexes.Get<MemoryEvents>(facts.context));
  const bool has_allocators = std::ranges::any_of(
      memory->allocators, [&](const Allocator& of) { return of.host == wall.host; });
  if (has_allocators) return {};
  const Kept kept = DescribeKept(arrays, by_step);
  const int64_t bytes = MostBytes(arrays, kept);
  bool clamped = false;
  if (bytes != kNoInt && SaturatingMul(bytes, kStepsOfTraining, &clamped) < kRoomBytes) return {};
  const int64_t freed = std::ranges::count(arrays.events, ArrayEvent::freed, &ArrayEvent::kind);
  findings->push_back(
      {.id = FindingId::arrays_kept,
       .severity = Severity::high,
       .values = {Number("kept", kept.least), When("vary", kept.least != kept.most),
                  Text("programs", Listed(SourcesOf(kept), 3)), Bytes("bytes", bytes),
                  Number("freed", freed), Number("alive", kept.alive),
                  TextIfAny("largest", kept.puts || kept.of.empty() ? "" : kept.of[0]->largest)}});
  return {};
}

}  // namespace tfprof
