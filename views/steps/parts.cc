// SPDX-License-Identifier: Apache-2.0
#include "views/steps/parts.h"

#include <algorithm>

namespace tfprof {

PartTimes PartsOf(const HostSteps& host, const StepTime& step) {
  const auto time = [&](StepClass of) { return At(step.class_ps, of); };
  PartTimes parts;
  parts.fill(kNoInt);
  At(parts, StepPart::input) = time(StepClass::input_wait) + time(StepClass::host_to_device);
  if (host.has_device()) {
    At(parts, StepPart::device_compute) = time(StepClass::compute_16) + time(StepClass::compute_32);
    At(parts, StepPart::device_to_device) = time(StepClass::device_to_device);
    At(parts, StepPart::collectives) = time(StepClass::collectives);
    At(parts, StepPart::output) = time(StepClass::device_to_host);
    if (host.device == DeviceKind::tpu) At(parts, StepPart::stalled) = time(StepClass::stalled);
  } else {
    At(parts, StepPart::host_compute) = time(StepClass::host_compute);
  }
  int64_t other_ps = step.duration_ps;
  for (const int64_t part_ps : parts) {
    if (part_ps != kNoInt) other_ps -= part_ps;
  }
  At(parts, StepPart::other) = other_ps;
  return parts;
}

std::string_view NameOf(StepPart part) {
  constexpr std::string_view kNames[kStepParts] = {
      "Device compute", "Waiting", "Device to device", "Device collective communication",
      "Host compute",   "Input",   "Output",           "All others"};
  return kNames[static_cast<size_t>(part)];
}

bool AddsNothing(const ReportColumn& times) {
  return std::ranges::all_of(times.integers, [](int64_t time) { return time == 0; });
}

StepPart LargestOf(const PartTimes& parts) {
  StepPart largest = StepPart::other;
  int64_t max_ps = -1;
  for (size_t i = 0; i < kStepParts; ++i) {
    if (parts[i] == kNoInt || parts[i] <= max_ps) continue;
    largest = static_cast<StepPart>(i);
    max_ps = parts[i];
  }
  return largest;
}

}  // namespace tfprof
