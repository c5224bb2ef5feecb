// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/store/store.h"

// Classes of what the time of a step is spent on.

namespace tfprof {

// By rank: of several active classes, the last one gets the time.
enum class StepClass : uint8_t {
  host_compute,
  host_to_host,
  host_to_device,
  collectives,
  input_wait,
  device_to_device,
  device_to_host,
  stalled,  // TPU instructions that stall on parallel ones (analysis/ops/async_done.h)
  compute_32,
  compute_16,
};
constexpr size_t kStepClasses = 10;
using ClassTimes = std::array<int64_t, kStepClasses>;  // ps, by StepClass
inline int64_t& At(ClassTimes& times, StepClass of) { return times[static_cast<size_t>(of)]; }
inline int64_t At(const ClassTimes& times, StepClass of) { return times[static_cast<size_t>(of)]; }

// What role and text of an event say of its class.
enum class HostText : uint8_t {
  compute,
  marker,   // of a step
  wrapper,  // only encloses other events, which get the time
  input_wait,
  host_to_device,
  host_to_host,
};
HostText HostTextOf(EventRole role, std::string_view name);

// Classify a GPU event. For compute, GpuTextOf detects 16 bit in the text; `shape`, if recorded, is
// more precise (GpuShapeOf).
StepClass GpuTextOf(std::string_view name);
StepClass GpuShapeOf(std::string_view shape);

// Classifies a TPU operation by its category or, if that is empty, by its name; async-done
// operations by both.
StepClass TpuTextOf(std::string_view category, std::string_view name);

struct ClassSpan {
  int64_t start_ps = 0;
  int64_t end_ps = 0;
  StepClass of = StepClass::host_compute;
};

// Returns the time of each class within [start_ps, end_ps): at each moment the active class of the
// highest rank gets it. A span without duration, at a time when nothing of its rank is active,
// extends to the next span of its rank or above: xprof counts like this if threads record only
// moments. Cost: sorting the spans, which are reordered.
ClassTimes TimesOfClasses(std::span<ClassSpan> spans, int64_t start_ps, int64_t end_ps);

}  // namespace tfprof
