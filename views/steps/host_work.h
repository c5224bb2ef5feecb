// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "views/steps/answer.h"

namespace tfprof {

class Indexes;

// Host thread work in steps, by event name.
struct HostWork {
  std::string_view name;  // name in the store
  int64_t count = 0;
  int64_t self_ps = 0;          // sum, without nested events on the same thread
  int64_t longest_self_ps = 0;  // max of one event
};

struct WorkInSteps {
  std::vector<HostWork> work;  // by self time, descending
  int64_t steps_ps = 0;        // total duration of the steps

  // Returns "load_batch 86.0%, Await 9.1%": the largest ones in percent of the step time; empty:
  // none.
  std::string Longest() const;
};

// Measures the steps of the answer that host threads mark, without the markers themselves. Where
// devices mark the steps, threads work for a step before it begins and after it ends. Cost: one
// pass over the events of these hosts. Error: cancelled.
Result<WorkInSteps> HostWorkIn(const Store& store, const Indexes& indexes, const StepAnswer& steps,
                               Context& context);

}  // namespace tfprof
