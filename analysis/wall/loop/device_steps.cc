// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/loop/device_steps.h"

#include <algorithm>
#include <vector>

#include "analysis/intervals/interval_set.h"
#include "analysis/links/launch_ops.h"
#include "analysis/place.h"
#include "analysis/steps/spans.h"

namespace tfprof {
namespace {

// The work of devices, by the step in which it was launched.
struct LaunchedWork {
  std::vector<StepWindow> steps;
  IntervalSet others;  // of no step
};

// Returns the step that runs at a time; the number of steps: none.
size_t StepAt(const std::vector<Interval>& steps, int64_t time_ps) {
  const auto after = std::ranges::upper_bound(steps, time_ps, {}, &Interval::start_ps);
  const bool within = after != steps.begin() && time_ps < (after - 1)->end_ps;
  return within ? static_cast<size_t>(after - 1 - steps.begin()) : steps.size();
}

Result<LaunchedWork> WorkIn(const Store& store, const Indexes& indexes,
                            std::span<const ProcessId> devices, const std::vector<Interval>& steps,
                            Context& context) {
  TFPROF_ASSIGN(const auto links, indexes.Get<LaunchLinks>(context));
  LaunchedWork work{std::vector<StepWindow>(steps.size())};
  for (const ProcessId device : devices) {
    for (const Lane* lane : LanesThatMeasure(store, device, Measures::accelerator_time)) {
      TFPROF_TRY(Poll(context));
      const uint32_t known = FirstLaunched(*links, *lane);
      for (const uint32_t row : lane->PlacedRows()) {
        const EventId launch = LaunchOf(*links, row);
        const StepWindow of_row = WindowOf(store, row);
        const size_t step =
            StepAt(steps, launch.some() ? store.events.start_ps[launch.value] : of_row.start_ps);
        if (row >= known && step < steps.size()) {
          Enclose(of_row, &work.steps[step]);
        } else {
          work.others.Add(of_row.start_ps, of_row.end_ps);
        }
      }
    }
  }
  return work;
}

}  // namespace

Result<WallSteps> StepsWithWork(const Store& store, const Indexes& indexes,
                                std::span<const ProcessId> devices, WallSteps of_thread,
                                Context& context) {
  if (of_thread.on_thread.empty()) return of_thread;
  TFPROF_ASSIGN(LaunchedWork work, WorkIn(store, indexes, devices, of_thread.steps, context));
  const Intervals others = work.others.Parts();
  int64_t until_ps = kMinPs;
  for (size_t i = 0; i < work.steps.size(); ++i) {
    const StepWindow& of_step = work.steps[i];
    Interval& step = of_thread.steps[i];
    if (of_step.some()) until_ps = std::max(until_ps, EndOfOthers(others, of_step));
    const StepWindow with_work = StepOfWork({step.start_ps, step.end_ps}, of_step, until_ps);
    step = {with_work.start_ps, std::max(with_work.start_ps, with_work.end_ps)};
    until_ps = step.end_ps;
  }
  of_thread.window = {of_thread.steps.front().start_ps, of_thread.steps.back().end_ps};
  return of_thread;
}

}  // namespace tfprof
