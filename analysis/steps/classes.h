// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/store/store.h"

// What a moment of a step was spent on.

namespace tfprof {

// By rank: where several classes are active at once, the last of them has the time.
enum class StepClass : uint8_t {
  host_compute,
  host_to_host,
  host_to_device,
  collectives,
  input_wait,
  device_to_device,
  device_to_host,
  waiting,  // of a TPU, for what runs beside it (analysis/ops/async_done.h)
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
  wrapper,  // of other events, which have the time
  input_wait,
  host_to_device,
  host_to_host,
};
HostText HostTextOf(EventRole role, std::string_view name);

// On a GPU. Of compute: 16 bit where the text says so; `shape`, where there is one, knows better
// (GpuShape).
StepClass GpuTextOf(std::string_view name);
StepClass GpuShapeOf(std::string_view shape);

// Of an operation of a TPU by its category, or where that is empty by its name; of what awaits
// others by both.
StepClass TpuTextOf(std::string_view category, std::string_view name);

struct ClassSpan {
  int64_t start_ps = 0;
  int64_t end_ps = 0;
  StepClass of = StepClass::host_compute;
};

// The time of each class within [start_ps, end_ps): at every moment the active class of the highest
// rank has it. A span that takes no time, where nothing of its rank is active, holds until the next
// one of its rank or above begins: so xprof counts, where threads report moments only. Cost:
// sorting the spans, which that changes.
ClassTimes TimesOfClasses(std::span<ClassSpan> spans, int64_t start_ps, int64_t end_ps);

}  // namespace tfprof
