// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/context.h"
#include "core/store/store.h"

// What a profile can tell, and what it lacks; for info and summary.

namespace tfprof {

// A kind of facts. `count` 0: the profile has none.
struct Content {
  std::string_view id;    // one word: time, memory, code, ...
  std::string_view what;  // what is counted
  std::string_view how;   // how to get it into a profile; empty: nobody misses it
  int64_t count = 0;
};
std::vector<Content> ContentsOf(const Store& profile);
// Of a trace, and of the store of its nodes (analysis/trace_nodes/trace_nodes.h).
std::vector<Content> ContentsOfTrace(const Store& trace, const Store& nodes);
int64_t CountOf(const std::vector<Content>& contents, std::string_view id);

// The events of a lane or of a step.
struct Activity {
  int64_t events = 0;    // recorded ones, placed or not
  int64_t unplaced = 0;  // ran, when is unknown
  int64_t time_ps = 0;   // of the placed ones, added up
  int64_t start_ps = kNoTime;
  int64_t end_ps = kNoTime;
  // First start to last end; kNoInt when nothing is placed.
  int64_t SpanPs() const;
};

struct Activities {
  std::vector<Activity> lanes;  // by LaneId
  std::vector<Activity> steps;  // by StepId
};
Result<Activities> ActivitiesOf(const Store& store, Context& context);

// How a node of that name is asked for: an expression without characters that a command line or
// the expression would take for its own.
std::string ExpressionFor(std::string_view name);

// The name as a word of a command, in quotes where it needs them. Empty: it cannot be typed.
std::string WordFor(std::string_view name);

}  // namespace tfprof
