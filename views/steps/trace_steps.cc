// SPDX-License-Identifier: Apache-2.0
#include "views/steps/trace_steps.h"

#include <algorithm>

#include "core/parallel.h"
#include "views/place.h"
#include "views/start_order.h"
#include "views/steps/lane_steps.h"
#include "views/steps/spans.h"

namespace tfprof {
namespace {

constexpr uint32_t kNone = EventGroups::kNone;

// A stretch of a thread or stream in one step: events that lie within each other or touch.
struct Stretch {
  uint32_t step = 0;
  LabelId first;  // what begins it
  int64_t start_ps = 0;
  int64_t end_ps = 0;
  int64_t records = 0;
};

// By label of the process: whether its events only enclose others.
std::vector<uint8_t> Encloses(const Store& store, const Process& process) {
  std::vector<uint8_t> encloses(process.labels.count, 0);
  if (process.kind != ProcessKind::host) return encloses;
  for (uint32_t i = 0; i < process.labels.count; ++i) {
    const HostText text = HostTextOf(store.Text(store.labels[process.labels.first + i].name));
    encloses[i] = text == HostText::marker || text == HostText::wrapper;
  }
  return encloses;
}

// `step_of`: by group; kNone: it is no step. `encloses`: by label, from `first_label` on.
std::vector<Stretch> StretchesOf(const Store& store, const EventGroups& groups, const Lane& lane,
                                 const std::vector<uint32_t>& step_of,
                                 const std::vector<uint8_t>& encloses, uint32_t first_label) {
  std::vector<Stretch> stretches;
  const Events& events = store.events;
  const auto add = [&](uint32_t first, uint32_t end, uint32_t group) {
    if (group == kNone || step_of[group] == kNone) return;
    const EventGroup& of = groups.groups[group];
    for (uint32_t row = first; row < end; ++row) {
      if (encloses[events.label[row].value - first_label] != 0) continue;
      if (of.is_marked && of.root.value == row) continue;
      const int64_t start_ps = events.start_ps[row];
      const int64_t end_ps = SaturatingAdd(start_ps, events.duration_ps[row]);
      const bool joins = !stretches.empty() && stretches.back().step == step_of[group] &&
                         start_ps <= stretches.back().end_ps;
      if (!joins) stretches.push_back({step_of[group], events.label[row], start_ps, end_ps, 0});
      stretches.back().end_ps = std::max(stretches.back().end_ps, end_ps);
      ++stretches.back().records;
    }
  };
  groups.of_event.EachRun({lane.rows.first + lane.unplaced, lane.rows.count - lane.unplaced}, add);
  return stretches;
}

// Adds what lies within `window`. REQUIRES: calls in order of start.
void Add(Stretch stretch, const StepWindow& window, PlaneStep* sum) {
  sum->records += stretch.records;
  sum->time_ps = SaturatingAdd(sum->time_ps, SpanOf(stretch.start_ps, stretch.end_ps));
  stretch.start_ps = std::max(stretch.start_ps, window.start_ps);
  stretch.end_ps = std::min(stretch.end_ps, window.end_ps);
  if (stretch.end_ps < stretch.start_ps) return;
  if (sum->start_ps == kNoTime) {
    sum->start_ps = sum->end_ps = stretch.start_ps;
  } else if (stretch.start_ps > sum->end_ps) {
    const int64_t gap_ps = SpanOf(sum->end_ps, stretch.start_ps);
    ++sum->gaps;
    if (gap_ps > sum->longest_gap_ps) {
      sum->longest_gap_ps = gap_ps;
      sum->after_longest_gap = stretch.first;
    }
  }
  if (stretch.end_ps <= sum->end_ps) return;
  const int64_t from_ps = std::max(stretch.start_ps, sum->end_ps);
  sum->busy_ps = SaturatingAdd(sum->busy_ps, SpanOf(from_ps, stretch.end_ps));
  sum->end_ps = stretch.end_ps;
}

// By group, of host.steps; kNone: it is no step of that host. Both are by id.
std::vector<uint32_t> StepsOfGroups(const EventGroups& groups, const HostSteps& host) {
  std::vector<uint32_t> step_of(groups.groups.size(), kNone);
  size_t step = 0;
  for (size_t i = 0; i < groups.groups.size() && step < host.steps.size(); ++i) {
    const EventGroup& group = groups.groups[i];
    if (group.host != host.host || group.id != host.steps[step].group_id) continue;
    step_of[i] = static_cast<uint32_t>(step++);
  }
  return step_of;
}

bool Works(const Lane& lane) { return lane.measures != Measures::nothing && !lane.derived; }

// The stretches of all lanes, those of a step together and by start.
std::vector<Stretch> Sorted(const std::vector<std::vector<Stretch>>& lanes, size_t steps) {
  std::vector<size_t> first(steps + 1, 0);
  for (const std::vector<Stretch>& lane : lanes) {
    for (const Stretch& stretch : lane) ++first[stretch.step + 1];
  }
  for (size_t i = 0; i < steps; ++i) first[i + 1] += first[i];
  std::vector<Stretch> all(first[steps]);
  std::vector<size_t> next(first.begin(), first.end() - 1);
  for (const std::vector<Stretch>& lane : lanes) {
    for (const Stretch& stretch : lane) all[next[stretch.step]++] = stretch;
  }
  StartOrder order;
  for (size_t i = 0; i < steps; ++i) {
    order.Sort(std::span(all).subspan(first[i], first[i + 1] - first[i]));
  }
  return all;
}

constexpr StepWindow kAlways{kMinPs, kMaxPs};

// Of a device without a line Steps; `all`: what it did in the step.
int64_t StepOfDevicePs(const StepTime& of_host, std::span<const Stretch> all) {
  StepWindow own{all[0].start_ps, all[0].end_ps};
  for (const Stretch& stretch : all) own.end_ps = std::max(own.end_ps, stretch.end_ps);
  const int64_t own_ps = SpanOf(own.start_ps, own.end_ps);
  const int64_t from_ps = std::max(own.start_ps, of_host.start_ps);
  const int64_t to_ps = std::min(own.end_ps, of_host.EndPs());
  const bool with_host = to_ps >= from_ps && SpanOf(from_ps, to_ps) >= own_ps / 2;
  return with_host ? std::max(own_ps, of_host.duration_ps) : own_ps;
}

// `all`: what it did in one step; `line`: the event of its line Steps.
PlaneStep StepOfPlane(const Store& store, ProcessId id, const HostSteps& host,
                      const StepWindow& line, std::span<const Stretch> all) {
  PlaneStep row{.process = id, .step = all[0].step, .after_longest_gap = {}};
  const StepTime& step = host.steps[row.step];
  StepWindow window = kAlways;
  if (store.processes[id.value].kind != ProcessKind::host) {
    row.step_ps = line.some() ? SpanOf(line.start_ps, line.end_ps) : StepOfDevicePs(step, all);
  } else if (!host.has_device()) {
    row.step_ps = step.duration_ps;
    window = {step.start_ps, step.EndPs()};
  }
  for (const Stretch& stretch : all) Add(stretch, window, &row);
  return row;
}

// `lines`: by step, of the line Steps.
std::vector<PlaneStep> StepsOfPlane(const Store& store, ProcessId id, const HostSteps& host,
                                    const std::vector<StepWindow>& lines,
                                    const std::vector<std::vector<Stretch>>& lanes) {
  const std::vector<Stretch> all = Sorted(lanes, host.steps.size());
  std::vector<PlaneStep> rows;
  for (size_t first = 0, end = 0; first < all.size(); first = end) {
    const uint32_t step = all[first].step;
    while (end < all.size() && all[end].step == step) ++end;
    const auto of_step = std::span(all).subspan(first, end - first);
    rows.push_back(StepOfPlane(store, id, host, lines[step], of_step));
  }
  return rows;
}

// By step of the host: what the line Steps of a device says.
std::vector<StepWindow> StepLinesOf(const Store& store, const EventGroups& groups,
                                    const Process& process, const HostSteps& host,
                                    const std::vector<uint32_t>& step_of) {
  std::vector<StepWindow> of_groups(groups.groups.size()), lines(host.steps.size());
  KeepStepLines(store, groups, process, &of_groups);
  for (size_t i = 0; i < of_groups.size(); ++i) {
    if (step_of[i] != kNone) lines[step_of[i]] = of_groups[i];
  }
  return lines;
}

}  // namespace

int64_t PlaneStep::IdlePs() const {
  return HasIdle() ? std::max<int64_t>(SpanOf(start_ps, end_ps) - busy_ps, 0) : kNoInt;
}

Result<std::vector<PlaneStep>> PlaneStepsOf(const Store& store, const EventGroups& groups,
                                            const HostSteps& host, const Query& query,
                                            Context& context) {
  const std::vector<uint32_t> step_of = StepsOfGroups(groups, host);
  std::vector<PlaneStep> rows;
  const size_t threads = ThreadsFor(store.events.start_ps.bytes());
  for (size_t i = 0; i < store.processes.size(); ++i) {
    const Process& process = store.processes[i];
    if (process.host != host.host || !InPlace(store, process, query)) continue;
    const std::vector<uint8_t> encloses = Encloses(store, process);
    std::vector<std::vector<Stretch>> lanes(process.lanes.count);
    TFPROF_TRY(ForEachTask(lanes.size(), threads, context, [&](size_t k) {
      const Lane& lane = store.lanes[process.lanes.first + k];
      if (!Works(lane)) return;
      lanes[k] = StretchesOf(store, groups, lane, step_of, encloses, process.labels.first);
    }));
    const auto lines = StepLinesOf(store, groups, process, host, step_of);
    const std::vector<PlaneStep> of_plane = StepsOfPlane(store, ProcessId(i), host, lines, lanes);
    rows.insert(rows.end(), of_plane.begin(), of_plane.end());
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const PlaneStep& a, const PlaneStep& b) { return a.step < b.step; });
  return rows;
}

}  // namespace tfprof
