// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "analysis/steps/classes.h"
#include "core/base/context.h"
#include "core/query/query.h"
#include "core/store/store.h"

// Durations of the steps of a trace, and the time by class. The definitions are those of xprof
// (xprof/convert/xplane_to_step_events.cc, step_events_to_steps_db.cc); docs/views/input.md
// describes them and the differences.

namespace tfprof {

class Indexes;

// The evidence that something is a step.
enum class StepOrigin : uint8_t {
  recorded,  // the file stores its records by step
  marked,    // the program or the recorder marked it in a trace
  inferred,  // derived from repetition
};

// Which steps of a trace count.
enum class StepBasis : uint8_t {
  recorded,     // those that the trace records
  or_inferred,  // those, or if there are none, what repeats (analysis/wall/inferred_steps.h)
};
// The original accounting has no inferred steps.
inline StepBasis StepBasisOf(const PlaceFilter& place) {
  return place.exact ? StepBasis::or_inferred : StepBasis::recorded;
}

struct StepTime {
  int64_t group_id = 0;  // EventGroup::id
  std::string name;      // "train 3", or just its number
  int64_t number = 0;    // the number that -step selects
  int64_t start_ps = 0;
  int64_t duration_ps = 0;  // > 0
  // Until the next step of its host starts, since the program may be ahead of its devices, and
  // works between steps, too. kNoInt: none follows.
  int64_t wall_ps = kNoInt;
  ClassTimes class_ps{};  // within the step, over all devices or threads of the host
  // time within the step in which at least one collective runs, also if something computes
  int64_t collectives_ps = 0;

  int64_t SpanPs() const { return duration_ps; }
  int64_t EndPs() const { return start_ps + duration_ps; }
  int64_t UntilNextPs() const { return wall_ps == kNoInt ? duration_ps : wall_ps; }
  int64_t OtherPs() const;  // of no class
};

struct HostSteps {
  HostId host;
  // other: the host has no device, and the classes are those of its threads
  DeviceKind device = DeviceKind::other;
  StepOrigin origin = StepOrigin::marked;
  std::string inferred_from;    // what repeats; empty: marked
  std::vector<StepTime> steps;  // by group
  ClassTimes all_ps{};          // of all steps, including the time outside of their markers

  bool has_device() const { return device != DeviceKind::other; }
};

bool AnySteps(const std::vector<HostSteps>& hosts);

// Returns what the steps are inferred from; hosts of one job run the same program. Empty: they are
// marked, or there are none.
std::string_view InferredFrom(const std::vector<HostSteps>& hosts);

// "step 3"; in a trace of several hosts "step 3 of worker-1".
std::string StepName(const Store& trace, HostId host, int64_t number);

// Measures every host selected by -host: on the devices selected by -device if anything ran on one,
// else on the host's threads. Ignores -step.
// - A step is as long as its longest marker. On a GPU, the marker spans its kernels and copies;
//   those without a group belong to the last group before. On a TPU, it is the step line. On a
//   host, it is an event that starts with train, test or TraceContext, or that starts the group.
// - A step without compute is omitted.
// - With PlaceFilter::exact, a trace without any such step has inferred ones.
// Error: cancelled.
Result<std::vector<HostSteps>> MeasureSteps(const Store& store, const Indexes& indexes,
                                            const PlaceFilter& place, Context& context);

// An index: the steps on all hosts and devices.
struct AllSteps {
  using Value = std::vector<HostSteps>;
  using Key = StepBasis;
  static constexpr size_t kKept = 2;
  static Result<Value> Build(const Indexes& indexes, StepBasis basis, Context& context);
};

}  // namespace tfprof
