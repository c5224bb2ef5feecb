// SPDX-License-Identifier: Apache-2.0
#include "views/advice/total_time.h"

#include <algorithm>

#include "analysis/flops/device_type.h"
#include "views/advice/evidence.h"

namespace tfprof {
namespace {

// Returns, by host, the number of devices that did anything, at least 1.
std::vector<int64_t> Places(const Store& trace) {
  std::vector<int64_t> places(trace.hosts.size());
  for (const Process& process : trace.processes) {
    const bool is_device = process.kind == ProcessKind::device && process.device.some();
    if (!is_device || !process.host.some()) continue;
    places[process.host.value] += WasActive(trace, process, Measures::accelerator_time);
  }
  for (int64_t& of_host : places) of_host = std::max(of_host, int64_t{1});
  return places;
}

int64_t SpanPs(const Store& trace) {
  int64_t first_ps = kMaxPs, last_ps = kMinPs;
  for (const Lane& lane : trace.lanes) {
    const uint32_t end = lane.rows.first + lane.rows.count;
    for (uint32_t row = lane.rows.first + lane.unplaced; row < end; ++row) {
      const int64_t start_ps = trace.events.start_ps[row];
      first_ps = std::min(first_ps, start_ps);
      last_ps = std::max(last_ps, SaturatingAdd(start_ps, trace.events.duration_ps[row]));
    }
  }
  return last_ps < first_ps ? 0 : SaturatingAdd(last_ps, -first_ps);
}

}  // namespace

double TotalTime::Percent(int64_t part_ps) const {
  return std::min(100.0, tfprof::Percent(part_ps, ps));
}

Value TotalTime::ShareOf(int64_t part_ps) const {
  const double share = ps == 0 ? kNoReal : Percent(part_ps) / 100;
  return {of_steps ? "of_steps" : "of_trace", share, Unit::fraction};
}

TotalTime TotalTimeOf(const Checking& checking) {
  TotalTime total;
  if (checking.trace == nullptr) return total;
  const std::vector<int64_t> places = Places(checking.recorded);
  const auto add = [&](int64_t ps, int64_t times) {
    bool clamped = false;
    total.ps = SaturatingAdd(total.ps, SaturatingMul(ps, times, &clamped));
  };
  total.of_steps = checking.durations.count > 0;
  for (const HostSteps& host : checking.tables.hosts) {
    add(TimeInSteps(host), places[host.host.value]);
  }
  if (total.of_steps) return total;
  const int64_t span_ps = SpanPs(checking.recorded);
  for (const int64_t of_host : places) add(span_ps, of_host);
  return total;
}

}  // namespace tfprof
