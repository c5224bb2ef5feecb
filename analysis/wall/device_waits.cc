// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/device_waits.h"

#include <algorithm>
#include <map>
#include <string>

#include "analysis/intervals/interval_set.h"
#include "analysis/wall/python_names.h"

namespace tfprof {
namespace {

// A wait has another cause if the host launches nothing for longer.
constexpr int64_t kLongestPs = 500 * kPsPerUs;

bool Waits(const Label& label) {
  return label.of == EventClass::runtime_call && WaitsForDevice(label.role);
}

bool IsWorkOfDevice(WallKind kind) {
  return kind == WallKind::compute || kind == WallKind::callback ||
         kind == WallKind::communication || kind == WallKind::copies;
}

// When the first device is idle.
std::vector<Interval> IdleTimes(const HostWall& wall) {
  IntervalSet busy;
  for (const WallSegment& segment : wall.segments) {
    if (segment.part >= wall.parts.size()) continue;
    const WallPart& part = wall.parts[segment.part];
    if (part.name.empty() && IsWorkOfDevice(part.kind)) busy.Add(segment.start_ps, segment.end_ps);
  }
  return Subtract(Intervals(&wall.steps.window, 1), busy.Parts());
}

class WaitCounting {
 public:
  WaitCounting(const Store& store, const HostWall& wall) : store_(store), wall_(wall) {}

  void Add(uint32_t row) {
    ++found_.recorded;
    const int64_t end_ps = store_.events.EndPs(row);
    const Interval& window = wall_.steps.window;
    if (end_ps < window.start_ps || end_ps >= window.end_ps) return;
    ++found_.count;
    ends_ps_.push_back(end_ps);
    ++calls_[CallOf(row)];
    const uint32_t function = ProgramFunctionAround(store_, wall_.thread.nesting, row);
    if (function != kNoRow) ++functions_[NameOf(function)];
  }

  DeviceWaits Finish() {
    std::ranges::sort(ends_ps_);
    for (const Interval& idle : IdleTimes(wall_)) {
      if (SpanOf(idle.start_ps, idle.end_ps) > kLongestPs) continue;
      const auto end = std::ranges::lower_bound(ends_ps_, idle.start_ps);
      if (end == ends_ps_.end() || *end > idle.end_ps) continue;
      found_.idle_ps = SaturatingAdd(found_.idle_ps, SpanOf(idle.start_ps, idle.end_ps));
    }
    found_.calls = LargestFirst(calls_);
    found_.functions = LargestFirst(functions_);
    return std::move(found_);
  }

 private:
  const Label& LabelOf(uint32_t row) const { return store_.labels[store_.events.label[row].value]; }
  uint32_t ParentOf(uint32_t row) const { return wall_.thread.nesting.ParentOf(row); }
  std::string NameOf(uint32_t row) const { return NameOfEvent(store_, wall_.thread.columns, row); }

  // "aten::nonzero of aten::index": the innermost operation, or that which reads a result, and the
  // one that the program calls.
  std::string CallOf(uint32_t row) const {
    uint32_t innermost = kNoRow, outermost = kNoRow;
    for (uint32_t i = ParentOf(row); i != kNoRow; i = ParentOf(i)) {
      if (LabelOf(i).of != EventClass::op) continue;
      const bool reads = LabelOf(i).role == EventRole::read_result;
      if (innermost == kNoRow || reads) innermost = i;
      outermost = i;
    }
    if (innermost == kNoRow) return NameOf(row);
    if (innermost == outermost) return NameOf(innermost);
    return NameOf(innermost) + " of " + NameOf(outermost);
  }

  const Store& store_;
  const HostWall& wall_;
  std::vector<int64_t> ends_ps_;
  std::map<std::string, int64_t> calls_, functions_;
  DeviceWaits found_;
};

}  // namespace

DeviceWaits DeviceWaitsOf(const Store& store, const HostWall& wall) {
  if (!wall.thread.lane.some() || !wall.has_devices) return {};
  WaitCounting counting(store, wall);
  for (const uint32_t row : wall.thread.nesting.order) {
    if (Waits(store.labels[store.events.label[row].value])) counting.Add(row);
  }
  return counting.Finish();
}

}  // namespace tfprof
