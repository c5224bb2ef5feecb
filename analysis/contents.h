// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/context.h"
#include "core/store/store.h"

// Contents of a profile and what it lacks, for `info` and `summary`.

namespace tfprof {

// One kind of data. `count` 0: the profile has none.
struct Content {
  std::string_view id;    // one word: time, memory, code, ...
  std::string_view what;  // what is counted
  std::string_view how;   // how to record it; empty: nothing to recommend
  int64_t count = 0;
};
std::vector<Content> ContentsOf(const Store& profile);
// Describes a trace and the store of its nodes (analysis/trace_nodes/trace_nodes.h).
std::vector<Content> ContentsOfTrace(const Store& trace, const Store& nodes);
// True if a recorder of the profile was told to record Python calls.
bool TracesPython(const Store& store);
int64_t CountOf(const std::vector<Content>& contents, std::string_view id);

// The events of a lane or of a step.
struct Activity {
  int64_t events = 0;    // recorded events, placed or not
  int64_t unplaced = 0;  // they ran at an unknown time
  int64_t time_ps = 0;   // sum over placed events
  int64_t start_ps = kNoTime;
  int64_t end_ps = kNoTime;
  // From the first start to the last end; kNoInt if nothing is placed.
  int64_t SpanPs() const;
};

struct Activities {
  std::vector<Activity> lanes;  // by LaneId
  std::vector<Activity> steps;  // by StepId
};
Result<Activities> ActivitiesOf(const Store& store, Context& context);

// Returns an expression that selects a node of that name, without characters that are special in a
// command line or in an expression.
std::string ExpressionFor(std::string_view name);

// Returns the name as a word of a command, quoted where necessary. Empty: it cannot be typed.
std::string WordFor(std::string_view name);

}  // namespace tfprof
