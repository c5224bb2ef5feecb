// SPDX-License-Identifier: Apache-2.0
#include "views/causes/copy_callers.h"

#include <algorithm>
#include <map>

#include "analysis/links/launch_ops.h"
#include "analysis/wall/python_names.h"
#include "views/causes/wall_cause.h"

namespace tfprof {
namespace {

// The time of copies by the function that launches them; "": unknown.
struct CopyCallers {
  const Store& store;
  const EventLinks& links;
  EventRole direction;
  std::map<std::string, int64_t> ps;

  void AddLane(const HostWall& wall, const Lane& lane) {
    const Range calls = store.lanes[wall.thread.lane.value].rows;
    for (const uint32_t row : lane.PlacedRows()) {
      if (store.labels[store.events.label[row].value].role != direction) continue;
      const int64_t start_ps = std::max(store.events.start_ps[row], wall.steps.window.start_ps);
      const int64_t end_ps = std::min(store.events.EndPs(row), wall.steps.window.end_ps);
      if (end_ps <= start_ps) continue;
      const EventId launch = LaunchOf(links, row);
      const bool on_thread = launch.some() && launch.value - calls.first < calls.count;
      const uint32_t caller =
          on_thread ? ProgramFunctionAround(store, wall.thread.nesting, launch.value) : kNoRow;
      ps[caller == kNoRow ? "" : DisplayText(PythonNameOfEvent(store, caller))] +=
          end_ps - start_ps;
    }
  }
};

}  // namespace

Result<std::string> CallerOfCopies(const StepFacts& facts, EventRole direction) {
  TFPROF_ASSIGN(const auto times, facts.indexes.Get<WallTimes>(facts.context));
  for (const HostWall* wall : WallsOf(facts, *times)) {
    if (!wall->has_devices || !wall->thread.records_python) continue;
    TFPROF_ASSIGN(const auto links, facts.indexes.Get<LaunchLinks>(facts.context));
    CopyCallers callers{facts.trace, *links, direction, {}};
    for (const WallDevice& device : wall->devices) {
      const Process& process = facts.trace.processes[device.process.value];
      for (const Lane& lane : facts.trace.LanesOf(process)) {
        if (lane.measures == Measures::accelerator_time) callers.AddLane(*wall, lane);
      }
    }
    const std::vector<NamedAmount> largest = LargestFirst(callers.ps);
    if (!largest.empty() && ShareIn(largest, largest[0].name) >= 50) return largest[0].name;
  }
  return std::string();
}

}  // namespace tfprof
