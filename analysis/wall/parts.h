// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/wall/device_work.h"
#include "analysis/wall/times.h"

namespace tfprof {

// When other threads of a host than the driving one work at all, and when threads exchange data
// with other hosts.
struct ThreadWork {
  Intervals others;
  Intervals collectives;
};

// Sums the wall time of the devices of a host by kind and name.
class PartSums {
 public:
  PartSums(const Store& store, const ThreadColumns& columns) : store_(store), columns_(columns) {}

  // Adds the work of a device within `wall->steps.window`, and what the host does while it is idle.
  // Sets the segments of the first device.
  void AddDevice(const DeviceWork& work, const ThreadWork& threads, HostWall* wall);

  // Sets the parts of `wall`, and the places of its segments among them.
  void Finish(HostWall* wall);

 private:
  using ByName = std::map<std::string, int64_t>;

  uint32_t PartOf(WallKind kind, std::string name);
  uint32_t PartOf(const HostSegment& segment);
  void Add(uint32_t part, int64_t start_ps, int64_t end_ps);
  void AddWork(Intervals work, WallKind kind, const Interval& window);
  // Returns the time in which the thread itself computes: single operations, without devices.
  int64_t AddIdle(Intervals idle, Intervals others, const HostWall& wall);
  void AddUnrecorded(Intervals idle, Intervals others, int64_t start_ps, int64_t end_ps);
  void AddCalls(uint32_t part, const HostSegment& segment, int64_t ps);
  const std::string& NameOf(uint32_t row);
  bool HasDisplayName(uint32_t row) const;

  const Store& store_;
  const ThreadColumns& columns_;
  int64_t devices_ = 0;
  std::vector<WallPart> parts_;
  std::map<std::pair<WallKind, std::string>, uint32_t> index_;
  std::map<uint32_t, std::string> names_;      // by row
  std::map<uint32_t, ByName> calls_, leaves_;  // by part
  std::vector<WallSegment> segments_;          // of the first device
};

}  // namespace tfprof
