// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/contention.h"

#include <algorithm>

#include "analysis/intervals/interval_set.h"
#include "analysis/place.h"
#include "analysis/wall/device_work.h"
#include "analysis/wall/times.h"

namespace tfprof {
namespace {

// 1990. An earlier time counts from the start of a recording or of a machine.
constexpr int64_t kFirstWallNs = 631'152'000'000'000'000;

Interval Moved(const Interval& interval, int64_t by_ps) {
  return {SaturatingAdd(interval.start_ps, by_ps), SaturatingAdd(interval.end_ps, by_ps)};
}

// The machine of a process: several processes of it have a host each, and say where they ran.
std::string_view MachineOf(const Store& store, const Process& process) {
  if (store.capture && process.source.some()) {
    const std::string& path = store.sources[process.source.value].path;
    for (const CapturedProcess& captured : store.capture->processes) {
      if (!captured.host.empty() && captured.trace == path) return captured.host;
    }
  }
  if (process.source.some() && !store.sources[process.source.value].machine.empty())
    return store.sources[process.source.value].machine;
  return HostName(store, process.host);
}

bool IsSameDevice(const UsedDevice& a, const UsedDevice& b) {
  return a.host == b.host && a.device == b.device;
}

// Adds the time in which `other` is busy while `own` is idle. Returns true if `other` is busy
// within the window.
bool AddWaits(const UsedDevice& own, Intervals idle, const UsedDevice& other, IntervalSet* waits) {
  bool shares = false;
  EachWithin(other.busy, own.window.start_ps, own.window.end_ps,
             [&](int64_t from_ps, int64_t to_ps) {
               shares |= from_ps < to_ps;
               EachWithin(idle, from_ps, to_ps,
                          [&](int64_t start_ps, int64_t end_ps) { waits->Add(start_ps, end_ps); });
             });
  return shares;
}

}  // namespace

int64_t WallTimeOf(const Store& store, SourceId source) {
  if (store.epoch_ns >= kFirstWallNs) return store.epoch_ns;
  const int64_t began_ns = source.some() ? store.sources[source.value].began_ns : kNoInt;
  return began_ns == kNoInt ? kNoInt : SaturatingAdd(began_ns, store.epoch_ns);
}

Result<std::vector<UsedDevice>> UseOf(const Store& store, const Indexes& indexes, int64_t base_ns,
                                      Context& context) {
  std::vector<UsedDevice> found;
  if (!store.IsTrace()) return found;
  constexpr int64_t kMostNs = kMaxPs / kPsPerNs;
  TFPROF_ASSIGN(const auto times, indexes.Get<WallTimes>(context));
  for (const HostWall& wall : times->hosts) {
    if (!wall.has_devices) continue;
    for (const WallDevice& device : wall.devices) {
      const Process& process = store.processes[device.process.value];
      const int64_t wall_ns = WallTimeOf(store, process.source);
      if (wall_ns == kNoInt) continue;
      const int64_t by_ps = std::clamp(wall_ns - base_ns, -kMostNs, kMostNs) * kPsPerNs;
      TFPROF_ASSIGN(DeviceWork work, WorkOfDevice(store, indexes, device.process, context));
      if (work.busy.empty()) continue;
      for (Interval& part : work.busy) part = Moved(part, by_ps);
      found.push_back({std::string(MachineOf(store, process)),
                       std::string(store.Text(process.name)), Moved(wall.steps.window, by_ps),
                       std::move(work.busy)});
    }
  }
  return found;
}

std::vector<Contention> ContentionOf(std::span<const std::vector<UsedDevice>> jobs) {
  std::vector<Contention> found(jobs.size());
  for (size_t job = 0; job < jobs.size(); ++job) {
    Contention& contention = found[job];
    for (const UsedDevice& own : jobs[job]) {
      const Interval window[] = {own.window};
      const std::vector<Interval> idle = Subtract(window, own.busy);
      IntervalSet waits;
      bool shares = false;
      for (size_t other = 0; other < jobs.size(); ++other) {
        if (other == job) continue;
        for (const UsedDevice& of_other : jobs[other]) {
          if (!IsSameDevice(own, of_other) || !AddWaits(own, idle, of_other, &waits)) continue;
          shares = true;
          contention.other.push_back(other);
        }
      }
      contention.devices += shares ? 1 : 0;
      contention.waits_ps = SaturatingAdd(contention.waits_ps, waits.CoveredPs());
    }
    std::ranges::sort(contention.other);
    contention.other.erase(std::unique(contention.other.begin(), contention.other.end()),
                           contention.other.end());
  }
  return found;
}

}  // namespace tfprof
