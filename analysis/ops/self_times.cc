// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/ops/device_ops.h"

namespace tfprof {

void MeasureSelfTimes(std::vector<TimedEvent>* events) {
  const auto before = [](const TimedEvent& a, const TimedEvent& b) {
    if (a.start_ps != b.start_ps) return a.start_ps < b.start_ps;
    if (a.duration_ps != b.duration_ps) return a.duration_ps > b.duration_ps;
    return a.row < b.row;
  };
  if (!std::is_sorted(events->begin(), events->end(), before)) {
    std::sort(events->begin(), events->end(), before);
  }
  const auto end_ps = [](const TimedEvent& e) { return SaturatingAdd(e.start_ps, e.duration_ps); };
  std::vector<TimedEvent*> open;  // each lies in the one before it
  for (TimedEvent& event : *events) {
    event.self_ps = event.duration_ps;
    while (!open.empty() && end_ps(*open.back()) < end_ps(event)) open.pop_back();
    if (!open.empty()) {
      open.back()->self_ps = SaturatingAdd(open.back()->self_ps, -event.duration_ps);
    }
    open.push_back(&event);
  }
}

int64_t SpanOfEvents::ps() const {
  return end_ps < start_ps ? 0 : SaturatingAdd(end_ps, -start_ps);
}

}  // namespace tfprof
