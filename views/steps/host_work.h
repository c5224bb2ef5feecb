// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "views/steps/answer.h"

namespace tfprof {

class Indexes;

// What the threads of hosts did in steps, by the name of the event.
struct HostWork {
  std::string_view name;  // of the store
  int64_t count = 0;
  int64_t self_ps = 0;          // together, less what lies within on the same thread
  int64_t longest_self_ps = 0;  // of one event
};

struct WorkInSteps {
  std::vector<HostWork> work;  // by self time, the longest first
  int64_t steps_ps = 0;        // the steps that it is of, together

  // "load_batch 86.0%, Await 9.1%": the longest, of the time of the steps; empty: there is none.
  std::string Longest() const;
};

// Of the steps of the answer that hosts tell themselves, without their markers: where devices tell
// the steps, threads work for one before it begins and after. Cost: one pass over the events of
// these hosts. Error: cancelled.
Result<WorkInSteps> HostWorkIn(const Store& store, const Indexes& indexes, const StepAnswer& steps,
                               Context& context);

}  // namespace tfprof
