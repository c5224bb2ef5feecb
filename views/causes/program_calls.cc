// SPDX-License-Identifier: Apache-2.0
// ProgramCallChecker: how the program starts its work: compiling, tracing, single operations,
// functions of Python that programs call, and waiting for each result.
#include "analysis/wall/small_ops.h"
#include "views/advice/thresholds.h"
#include "views/causes/callbacks.h"
#include "views/causes/compiling.h"
#include "views/causes/program_starts.h"
#include "views/causes/waits.h"

namespace tfprof {
namespace {

constexpr int64_t kManyOps = 20;                    // eager operations a step
constexpr int64_t kStepOfLongGaps = 5'000'000'000;  // ps without events, a step: another cause

// The iterators that the thread creates in the steps, of which some are created by others.
int64_t IteratorsMade(const Store& store, const HostWall& wall) {
  const auto makes = [&](uint32_t row) {
    return row != kNoRow &&
           store.labels[store.events.label[row].value].role == EventRole::iterator_made;
  };
  int64_t made = 0;
  for (const uint32_t row : wall.thread.nesting.order) {
    made += InSteps(wall, store.events.start_ps[row]) && makes(row) &&
            !makes(wall.thread.nesting.ParentOf(row));
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
    for (const uint32_t row : lane->PlacedRows()) {
      if (!InSteps(*wall, facts.trace.events.start_ps[row])) continue;
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
