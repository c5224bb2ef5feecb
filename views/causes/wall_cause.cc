// SPDX-License-Identifier: Apache-2.0
#include "views/causes/wall_cause.h"

#include <algorithm>

#include "analysis/intervals/interval_set.h"
#include "analysis/place.h"
#include "core/base/sorting.h"

namespace tfprof {

int64_t StepsIn(const HostWall& wall) {
  return static_cast<int64_t>(std::max<size_t>(wall.steps.steps.size(), 1));
}

bool InSteps(const HostWall& wall, int64_t start_ps) {
  return start_ps >= wall.steps.window.start_ps && start_ps < wall.steps.window.end_ps;
}

std::vector<const HostWall*> WallsOf(const Store& store, const PlaceFilter& place,
                                     const WallTimes& times) {
  std::vector<const HostWall*> walls;
  if (place.SelectsSteps()) return walls;
  for (const HostWall& wall : times.hosts) {
    const ProcessId any = wall.process.some() ? wall.process : wall.devices[0].process;
    const Process& process = store.processes[any.value];
    if (MatchesPlace(store, process, place.OfHosts())) walls.push_back(&wall);
  }
  return walls;
}

std::vector<const HostWall*> WallsOf(const StepFacts& facts, const WallTimes& times) {
  return WallsOf(facts.trace, facts.place, times);
}

void EachInStep(const HostWall& wall,
                const std::function<void(size_t part, size_t step, int64_t ps)>& add) {
  const std::vector<Interval>& steps = wall.steps.steps;
  for (const WallSegment& segment : wall.segments) {
    if (segment.part >= wall.parts.size()) continue;
    EachWithin(steps, segment.start_ps, segment.end_ps, [&](int64_t start, int64_t end) {
      const auto step = std::ranges::upper_bound(steps, start, {}, &Interval::start_ps);
      add(segment.part, static_cast<size_t>(step - steps.begin() - 1), end - start);
    });
  }
}

std::vector<WallCause> CausesOf(const std::vector<const HostWall*>& walls, WallKind kind,
                                double threshold) {
  std::vector<WallCause> causes;
  for (const HostWall* wall : walls) {
    for (const WallPart& part : wall->parts) {
      if (part.kind == kind && wall->Percent(part.ps) >= threshold) causes.push_back({*wall, part});
    }
  }
  std::vector<WallCause> largest;
  std::vector<size_t> order(causes.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  StableSort(order, [&](size_t a, size_t b) { return causes[a].Percent() > causes[b].Percent(); });
  for (const size_t i : order) {
    const bool known = std::ranges::any_of(
        largest, [&](const WallCause& of) { return of.part.name == causes[i].part.name; });
    if (!known) largest.push_back(causes[i]);
  }
  return largest;
}

std::string WholeOf(const HostWall& wall) {
  if (wall.steps.steps.empty()) return "the capture";
  // Steps of devices may have gaps between them.
  return wall.has_devices && wall.steps.origin == StepOrigin::marked ? "wall time" : "step time";
}

Finding DescribeCause(const StepFacts& facts, FindingId id, const HostWall& wall, int64_t ps,
                      Shares limits) {
  const int64_t steps = StepsIn(wall);
  const double percent = wall.Percent(ps);
  const std::string host =
      facts.trace.hosts.size() > 1 ? std::string(HostName(facts.trace, wall.host)) : "";
  return {.id = id,
          .severity = SeverityOfShare(percent, limits),
          .cost_ps = ps / steps,
          .values = {{"share", percent / 100, Unit::fraction},
                     Time("time", ps / steps),
                     Text("whole", WholeOf(wall) + (host.empty() ? "" : " on " + host)),
                     When("per_step", !wall.steps.steps.empty()),
                     TextIfAny("host", host)}};
}

std::string LargestNames(const std::vector<NamedAmount>& amounts, size_t max) {
  int64_t all = 0;
  for (const NamedAmount& of : amounts) all = SaturatingAdd(all, of.amount);
  std::string text;
  size_t shown = 0;
  for (const NamedAmount& of : amounts) {
    if (shown == max || Percent(of.amount, all) < 10) break;
    text += (shown++ == 0 ? "" : ", ") + of.name;
  }
  return text;
}

double ShareIn(const std::vector<NamedAmount>& amounts, std::string_view name) {
  int64_t all = 0, named = 0;
  for (const NamedAmount& of : amounts) {
    all = SaturatingAdd(all, of.amount);
    if (of.name == name) named = SaturatingAdd(named, of.amount);
  }
  return Percent(named, all);
}

bool Sleeps(const WallPart& part) { return ShareIn(part.leaves, kSleep) >= 50; }

}  // namespace tfprof
