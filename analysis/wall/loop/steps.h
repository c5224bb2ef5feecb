// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/intervals/interval.h"
#include "analysis/steps/step_table.h"
#include "analysis/wall/loop/driving_thread.h"
#include "core/store/store.h"

namespace tfprof {

// The steps of a host, and the time that they cover. Without markers they are inferred from what
// repeats: from the start of one execution of the program that costs most to the start of the next
// one, else of calls of the function that costs most, else of the outermost iterator, else of the
// sequence of operations that the thread starts one by one. Where these executions or calls differ
// widely in length and the sequence of all of them repeats, a step is one repetition of that
// sequence. Where the host only starts programs and is ahead of the devices, or is not recorded,
// steps are the executions of the main program on the first device.
struct WallSteps {
  StepOrigin origin = StepOrigin::inferred;
  bool on_device = false;        // inferred from executions on a device
  std::string of;                // what marks them, or what repeats
  std::vector<Interval> steps;   // by start; empty: nothing repeats, `window` is the capture
  std::vector<int64_t> numbers;  // of the steps
  // As long as the thread is in them; `steps` may last until devices have done what they launch
  // (device_steps.h). Empty: devices recorded the steps.
  std::vector<Interval> on_thread;
  Interval window;
  // The number of a first step that `steps` lacks, because it warms up (ExcludeWarmUp); kNoInt:
  // none.
  int64_t warm_up = kNoInt;
  int64_t warm_up_ps = 0;

  int64_t WindowPs() const { return SpanOf(window.start_ps, window.end_ps); }
  // The wall time of one step; of the capture, if there are no steps.
  int64_t StepPs() const {
    return steps.empty() ? WindowPs() : WindowPs() / static_cast<int64_t>(steps.size());
  }
};

// Returns the steps from one execution of the program on a device to the next one, if the host was
// ahead of them by more than a step; else `of_host`. `runs`: by start.
WallSteps StepsOnDevice(WallSteps of_host, std::span<const Interval> runs,
                        std::string_view program);

// `of_devices`: the steps that devices recorded, else null.
WallSteps StepsOnThread(const Store& store, const DrivingThread& thread,
                        const HostExecutions& executions, const HostSteps* of_devices,
                        Interval capture);

// Excludes a first marked step that lasts for three times the median of the others or longer:
// libraries and drivers start and allocate then, and means would tell of that alone. A step that
// compiles for half of its time, `compiling_ps`, stays.
void ExcludeWarmUp(int64_t compiling_ps, WallSteps* steps);

}  // namespace tfprof
