// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string_view>

#include "analysis/steps/times.h"
#include "core/report/report.h"

namespace tfprof {

// The displayed parts of a step: step classes with one meaning are one part. The parts add up to
// the step.
enum class StepPart : uint8_t {
  device_compute,
  stalled,  // TPUs stalled on copies and other asynchronous operations
  device_to_device,
  collectives,
  host_compute,
  input,   // waiting for input, copies to the device
  output,  // copies from the device
  other,
};
constexpr size_t kStepParts = 8;

// ps, by StepPart. kNoInt: not measured, since a device step has no host times, and a host step no
// device times.
using PartTimes = std::array<int64_t, kStepParts>;
inline int64_t& At(PartTimes& times, StepPart part) { return times[static_cast<size_t>(part)]; }
inline int64_t At(const PartTimes& times, StepPart part) {
  return times[static_cast<size_t>(part)];
}

PartTimes PartsOf(const HostSteps& host, const StepTime& step);

// The columns of the parts, in table order.
struct PartColumn {
  StepPart part;
  std::string_view id;
};
inline constexpr PartColumn kPartColumns[] = {
    {StepPart::device_compute, "compute_us"},
    {StepPart::stalled, "stalled_us"},
    {StepPart::device_to_device, "device_to_device_us"},
    {StepPart::collectives, "collectives_us"},
    {StepPart::host_compute, "host_us"},
    {StepPart::input, "input_us"},
    {StepPart::output, "output_us"},
    {StepPart::other, "other_us"},
};

// Returns xprof's name: "Device compute", "All others".
std::string_view NameOf(StepPart part);

// True if a column of times is 0 in all rows: since parts add up to a step, readers do not need it.
bool AddsNothing(const ReportColumn& times);

// Returns the part with the most time; ties go to the first.
StepPart LargestOf(const PartTimes& parts);

}  // namespace tfprof
