// SPDX-License-Identifier: Apache-2.0
// StragglerChecker of hosts whose threads make the collectives: the one that enters them last finds
// the others waiting there.
#include <algorithm>
#include <cmath>

#include "analysis/place.h"
#include "core/base/sorting.h"
#include "core/store/same_run.h"
#include "views/advice/thresholds.h"
#include "views/causes/wall_cause.h"

namespace tfprof {
namespace {

double CommunicationPercent(const HostWall& wall) {
  return wall.Percent(wall.PartPs(WallKind::communication));
}

// The exposed communication of each step.
std::vector<int64_t> CommunicationOfSteps(const HostWall& wall) {
  std::vector<int64_t> sums(wall.steps.steps.size(), 0);
  EachInStep(wall, [&](size_t part, size_t step, int64_t ps) {
    if (wall.parts[part].kind == WallKind::communication) sums[step] += ps;
  });
  return sums;
}

// True if the other one waits longer by more than chance: the mean of the differences is at least
// three times its standard error.
bool IsLateInSteps(const HostWall& late, const HostWall& other) {
  constexpr double kErrors = 3;
  const std::vector<int64_t> of_late = CommunicationOfSteps(late);
  const std::vector<int64_t> of_other = CommunicationOfSteps(other);
  const size_t steps = std::min(of_late.size(), of_other.size());
  if (steps < 2) return true;
  const auto count = static_cast<double>(steps);
  double mean = 0, square = 0;
  const auto difference = [&](size_t i) { return static_cast<double>(of_other[i] - of_late[i]); };
  for (size_t i = 0; i < steps; ++i) mean += difference(i) / count;
  for (size_t i = 0; i < steps; ++i) square += std::pow(difference(i) - mean, 2);
  return mean >= kErrors * std::sqrt(square / (count - 1) / count);
}

// "all-reduce.3" is all-reduce.
std::string_view WithoutNumber(std::string_view name) { return name.substr(0, name.find('.')); }

// What the host does instead: the largest part of its wall time that is no work of its program.
const WallPart* OwnWork(const HostWall& wall) {
  const auto part = std::ranges::find_if(wall.parts, [](const WallPart& of) {
    return of.kind != WallKind::communication && of.kind != WallKind::compute;
  });
  return part == wall.parts.end() || wall.Percent(part->ps) < kWallThreshold ? nullptr : &*part;
}

}  // namespace

Result<void> CheckLateHosts(const StepFacts& facts, std::vector<Finding>* findings) {
  if (facts.trace.hosts.size() < 2 || !IsOneRun(facts.trace)) return {};
  TFPROF_ASSIGN(const auto times, facts.indexes.Get<WallTimes>(facts.context));
  std::vector<const HostWall*> walls = WallsOf(facts, *times);
  std::erase_if(walls,
                [](const HostWall* wall) { return wall->executions.collective_row == kNoRow; });
  if (walls.size() < 2) return {};
  StableSort(walls, [](const HostWall* a, const HostWall* b) {
    return CommunicationPercent(*a) < CommunicationPercent(*b);
  });
  const HostWall& late = *walls.front();
  const HostWall& other = *walls[walls.size() / 2];
  const double percent = CommunicationPercent(other) - CommunicationPercent(late);
  if (percent < kStragglerThreshold || !IsLateInSteps(late, other)) return {};
  const auto ps = static_cast<int64_t>(percent / 100 * static_cast<double>(other.steps.WindowPs()));
  Finding finding = DescribeCause(facts, FindingId::late_host, other, ps, kStragglerShares);
  const Store& store = facts.trace;
  const LabelId label = store.events.label[other.executions.collective_row];
  finding.values.push_back(Text("late", HostName(store, late.host)));
  finding.values.push_back(Text("other", HostName(store, other.host)));
  finding.values.push_back(Text("other_whole", WholeOf(other)));
  finding.values.push_back(
      Text("collective", WithoutNumber(store.Text(store.labels[label.value].name))));
  const WallPart* own = OwnWork(late);
  finding.values.push_back(TextIfAny("function", own == nullptr ? "" : own->name));
  const bool sleeps = own != nullptr && own->name != kSleep && Sleeps(*own);
  finding.values.push_back(TextIfAny("sleeps", sleeps ? kSleep : ""));
  finding.values.push_back(When("idle", own != nullptr && own->kind == WallKind::unrecorded));
  findings->push_back(std::move(finding));
  return {};
}

}  // namespace tfprof
