// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string_view>

#include "analysis/steps/times.h"
#include "core/base/arith.h"
#include "core/report/report.h"

namespace tfprof {

// The parts into which people see a step fall: classes that mean one thing are one part. They add
// up to the step.
enum class StepPart : uint8_t {
  device_compute,
  waiting,  // of TPUs, for copies and the like that run beside them
  device_to_device,
  collectives,
  host_compute,
  input,   // waiting for input, copies to the device
  output,  // copies from the device
  other,
};
constexpr size_t kStepParts = 8;

// ps, by StepPart. kNoInt: not measured, since a step of a device says nothing of the host, and
// that of a host nothing of devices.
using PartTimes = std::array<int64_t, kStepParts>;
inline int64_t& At(PartTimes& times, StepPart part) { return times[static_cast<size_t>(part)]; }
inline int64_t At(const PartTimes& times, StepPart part) {
  return times[static_cast<size_t>(part)];
}

PartTimes PartsOf(const HostSteps& host, const StepTime& step);

// The columns that have them, in the order of tables.
struct PartColumn {
  StepPart part;
  std::string_view id;
};
inline constexpr PartColumn kPartColumns[] = {
    {StepPart::device_compute, "compute_us"},
    {StepPart::waiting, "stalled_us"},
    {StepPart::device_to_device, "device_to_device_us"},
    {StepPart::collectives, "collectives_us"},
    {StepPart::host_compute, "host_us"},
    {StepPart::input, "input_us"},
    {StepPart::output, "output_us"},
    {StepPart::other, "other_us"},
};

// "Device compute", "All others": as xprof calls them.
std::string_view NameOf(StepPart part);

// Whether a column of times is 0 in all rows: of parts that add up to a step people then miss
// nothing without it.
bool AddsNothing(const ReportColumn& times);

// The part with the most time; of equal ones the first.
StepPart LargestOf(const PartTimes& parts);

}  // namespace tfprof
