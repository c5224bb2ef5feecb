// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/plane_sums.h"

#include <algorithm>

#include "analysis/intervals/lanes_by_start.h"
#include "analysis/place.h"
#include "analysis/steps/spans.h"
#include "core/base/context.h"

namespace tfprof {
namespace {

// State of a thread or stream: the step of its last event, and the latest end in that step.
struct LaneAt {
  uint32_t step = EventGroups::kNone;
  int64_t end_ps = kMinPs;
};

// On a lane, enclosed and touching events count once.
void AddToLane(uint32_t step, int64_t start_ps, int64_t end_ps, LaneAt* lane, DeviceStep* sum) {
  if (lane->step != step) *lane = {step, kMinPs};
  ExtendUnion(start_ps, end_ps, &lane->end_ps, &sum->time_ps);
}

bool Works(const Lane& lane) { return lane.measures != Measures::nothing && !lane.derived; }

constexpr StepWindow kAlways{kMinPs, kMaxPs};

// By step: the window in which the events of a plane count.
std::vector<StepWindow> WindowsOf(const HostPlanes& of, const Process& process) {
  std::vector<StepWindow> windows(of.host.steps.size(), kAlways);
  if (process.kind != ProcessKind::host || of.host.has_device()) return windows;
  for (size_t i = 0; i < windows.size(); ++i) {
    windows[i] = {of.host.steps[i].start_ps, of.host.steps[i].EndPs()};
  }
  return windows;
}

// By step: the time in which anything but a collective runs; nothing is counted if there are no
// collectives.
class OverlapWithCollectives {
 public:
  OverlapWithCollectives(const std::vector<PlaneText>& texts, size_t steps)
      : any_(std::ranges::any_of(texts, [](const PlaneText& text) { return text.exchanges; })),
        of_steps_(any_ ? steps : 0) {}

  // REQUIRES: calls in order of start.
  void Add(uint32_t step, int64_t start_ps, int64_t end_ps) {
    if (!any_) return;
    ExtendUnion(start_ps, end_ps, &of_steps_[step].until_ps, &of_steps_[step].sum_ps);
  }
  void SetExchange(std::vector<DeviceStep>* sums) const {
    for (size_t i = 0; i < sums->size(); ++i) {
      DeviceStep& sum = (*sums)[i];
      if (any_) sum.exchange_ps = sum.busy_ps - of_steps_[i].sum_ps;
    }
  }

 private:
  struct Sum {
    int64_t until_ps = kMinPs;
    int64_t sum_ps = 0;
  };
  bool any_;
  std::vector<Sum> of_steps_;
};

bool IsWork(const HostPlanes& of, PlaneText text, uint32_t group, uint32_t row) {
  if (text.encloses) return false;
  if (group == EventGroups::kNone) return true;
  return !of.groups.groups[group].is_marked || of.groups.groups[group].root.value != row;
}

LanesByStart<> WorkByStart(const Store& store, const Process& process) {
  LanesByStart<> events(store.events);
  for (const Lane& lane : store.LanesOf(process)) {
    if (Works(lane)) events.Add(lane);
  }
  return events;
}

// REQUIRES: calls in order of start.
void AddBusy(int64_t start_ps, int64_t end_ps, LabelId label, std::vector<BusyTime>* busy) {
  if (busy->empty() || start_ps > busy->back().end_ps) {
    busy->push_back({start_ps, end_ps, label});
  } else {
    busy->back().end_ps = std::max(busy->back().end_ps, end_ps);
  }
}

}  // namespace

Result<std::vector<PlaneText>> TextsOfPlane(const HostPlanes& of, ProcessId id, Context& context) {
  const Process& process = of.store.processes[id.value];
  std::vector<PlaneText> texts(process.labels.count);
  if (process.kind == ProcessKind::host) {
    const std::vector<HostText> of_host = HostTextsOf(of.store, process);
    for (size_t i = 0; i < texts.size(); ++i) {
      const HostText text = of_host[i];
      texts[i].encloses = text == HostText::marker || text == HostText::wrapper;
    }
  } else if (DeviceKindOf(of.store, process) == DeviceKind::tpu) {
    TFPROF_ASSIGN(const auto ops, OpsOfTpu(of.store, of.indexes, id, context));
    for (size_t i = 0; i < texts.size(); ++i) {
      texts[i] = {false, ops[i].is_async_done, ops[i].of == StepClass::collectives};
    }
  } else {
    for (size_t i = 0; i < texts.size(); ++i) {
      const NameId name = of.store.labels[process.labels.first + i].name;
      texts[i].exchanges = GpuTextOf(of.store.Text(name)) == StepClass::collectives;
    }
  }
  return texts;
}

Result<PlaneSums> SumsOfPlane(const HostPlanes& of, ProcessId id,
                              const std::vector<PlaneText>& texts, Context& context) {
  const Events& events = of.store.events;
  const Process& process = of.store.processes[id.value];
  const std::vector<StepWindow> windows = WindowsOf(of, process);
  LanesByStart<> next = WorkByStart(of.store, process);
  std::vector<LaneAt> lanes(process.lanes.count);
  const bool is_device = process.kind == ProcessKind::device;
  PlaneSums plane{std::vector<DeviceStep>(of.host.steps.size())};
  std::vector<DeviceStep>& sums = plane.steps;
  if (DeviceKindOf(of.store, process) == DeviceKind::tpu) {
    for (DeviceStep& sum : sums) sum.stalled_ps = 0;
  }
  int64_t stalled_until_ps = kMinPs;
  OverlapWithCollectives rest(texts, sums.size());
  size_t polls = 0;
  for (; !next.Done(); next.Next()) {
    if (polls++ % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const uint32_t row = next.row(), group = of.groups.of_event[row];
    const LabelId label = events.label[row];
    const PlaneText text = texts[label.value - process.labels.first];
    if (!IsWork(of, text, group, row)) continue;
    const int64_t start_ps = events.start_ps[row];
    const int64_t end_ps = SaturatingAdd(start_ps, events.duration_ps[row]);
    if (is_device) AddBusy(start_ps, end_ps, label, &plane.busy);
    const uint32_t step = group == EventGroups::kNone ? group : of.step_of[group];
    if (step == EventGroups::kNone) {
      plane.any_outside = true;
      continue;
    }
    ++sums[step].records;
    AddToLane(step, start_ps, end_ps, &lanes[next.lane()], &sums[step]);
    const int64_t from_ps = std::max(start_ps, windows[step].start_ps);
    const int64_t to_ps = std::min(end_ps, windows[step].end_ps);
    if (from_ps <= to_ps) sums[step].AddBusy(label, from_ps, to_ps);
    if (text.is_async_done) ExtendUnion(from_ps, to_ps, &stalled_until_ps, &sums[step].stalled_ps);
    if (!text.exchanges) rest.Add(step, from_ps, to_ps);
  }
  rest.SetExchange(&sums);
  return plane;
}

}  // namespace tfprof
