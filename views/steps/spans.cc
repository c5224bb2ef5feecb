// SPDX-License-Identifier: Apache-2.0
#include "views/steps/spans.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/parallel.h"
#include "views/indexes.h"
#include "views/nesting.h"
#include "views/thread_regions.h"

namespace tfprof {
namespace {

constexpr uint32_t kNone = EventGroups::kNone;

// The spans of one lane, which arrive by start, but for those that are told when they end.
struct LaneSpans {
  std::vector<GroupedSpan> spans;
  std::array<size_t, kStepClasses> last{};  // of each class: 1 + its last span

  void Add(uint32_t group, StepClass of, int64_t start_ps, int64_t end_ps) {
    size_t& last_of = last[static_cast<size_t>(of)];
    if (last_of > 0) {
      GroupedSpan& before = spans[last_of - 1];
      // What takes no time counts where nothing else runs, so only one within goes.
      const bool joins =
          start_ps < before.end_ps || (start_ps == before.end_ps && end_ps > start_ps);
      if (before.group == group && joins) {
        before.start_ps = std::min(before.start_ps, start_ps);
        before.end_ps = std::max(before.end_ps, end_ps);
        return;
      }
    }
    spans.push_back({start_ps, end_ps, group, of});
    last_of = spans.size();
  }
};

struct LaneTask {
  ProcessId process;
  LaneId lane;
};

std::vector<LaneTask> LanesOf(const StepSources& of, Measures measures) {
  std::vector<LaneTask> tasks;
  for (const ProcessId id : of.processes) {
    const Process& process = of.store.processes[id.value];
    for (uint32_t i = 0; i < process.lanes.count; ++i) {
      const LaneId lane(process.lanes.first + i);
      if (of.store.lanes[lane.value].measures == measures) tasks.push_back({id, lane});
    }
  }
  return tasks;
}

// collect(task, &spans) for every lane, on several threads.
template <class Collect>
Result<SpansByLane> CollectLanes(const StepSources& of, const std::vector<LaneTask>& tasks,
                                 Context& context, const Collect& collect) {
  std::vector<LaneSpans> lanes(tasks.size());
  const size_t threads = ThreadsFor(of.store.events.start_ps.bytes());
  TFPROF_TRY(
      ForEachTask(tasks.size(), threads, context, [&](size_t i) { collect(tasks[i], &lanes[i]); }));
  SpansByLane spans;
  for (LaneSpans& lane : lanes) spans.push_back(std::move(lane.spans));
  return spans;
}

uint32_t FirstPlaced(const Lane& lane) { return lane.rows.first + lane.unplaced; }
uint32_t EndOf(const Lane& lane) { return lane.rows.first + lane.rows.count; }
int64_t EndPs(const Events& events, uint32_t row) {
  return SaturatingAdd(events.start_ps[row], events.duration_ps[row]);
}

// By text of the column.
std::vector<StepClass> ClassesOfShapes(const DetailColumn& shapes) {
  std::vector<StepClass> classes;
  for (size_t i = 0; i < shapes.texts.size(); ++i) {
    classes.push_back(GpuShapeOf(shapes.texts[NameId(i)]));
  }
  return classes;
}

// What is known of the events of one GPU before looking at any.
struct GpuFacts {
  IndexPtr<DetailColumn> correlation;
  IndexPtr<DetailColumn> shape;
  std::vector<StepClass> of_shape;
  std::vector<StepClass> of_label;

  StepClass ClassOf(uint32_t label, uint32_t row) const {
    const StepClass by_text = of_label[label];
    if (by_text < StepClass::compute_32 || shape->rows.count == 0) return by_text;
    const NameId text = shape->TextId(row);
    return text.some() && !shape->texts[text].empty() ? of_shape[text.value] : by_text;
  }
};

Result<GpuFacts> FactsOfGpu(const StepSources& of, ProcessId id, Context& context) {
  GpuFacts facts;
  constexpr std::string_view kKeys[] = {"correlation", "shape"};
  TFPROF_ASSIGN(const auto columns, of.indexes.Details(id, kKeys, context));
  facts.correlation = columns[0];
  facts.shape = columns[1];
  facts.of_shape = ClassesOfShapes(*facts.shape);
  const Range labels = of.store.processes[id.value].labels;
  for (uint32_t i = 0; i < labels.count; ++i) {
    const Label& label = of.store.labels[labels.first + i];
    facts.of_label.push_back(GpuTextOf(of.store.Text(label.name)));
  }
  return facts;
}

void CollectGpuLane(const StepSources& of, const LaneTask& task, const GpuFacts& facts,
                    const std::vector<StepWindow>& windows, LaneSpans* out) {
  if (facts.correlation->rows.count == 0) return;
  const Events& events = of.store.events;
  const Lane& lane = of.store.lanes[task.lane.value];
  const uint32_t first_label = of.store.processes[task.process.value].labels.first;
  for (uint32_t row = FirstPlaced(lane); row < EndOf(lane); ++row) {
    const uint32_t group = of.groups.of_event[row];
    if (group == kNone || !windows[group].some() || !facts.correlation->Has(row)) continue;
    const StepClass of_event = facts.ClassOf(events.label[row].value - first_label, row);
    out->Add(group, of_event, events.start_ps[row], EndPs(events, row));
  }
}

// ---- host --------------------------------------------------------------------------------------

struct HostFacts {
  std::vector<HostText> of_label;
  IndexPtr<DetailColumn> step_name;
  IndexPtr<DetailColumn> stage;  // of an input pipeline
  RegionLabels regions;
};

// By row of the lane: whether an event that is an input stage lies around it or is it, outermost.
struct StageRows {
  uint32_t first = 0;
  std::vector<uint8_t> outermost;
};

StageRows OutermostStages(const Store& store, const Lane& lane, const DetailColumn& stage) {
  StageRows rows;
  if (stage.rows.count == 0) return rows;
  LaneNesting nesting;
  NestEvents(store, lane, &nesting);
  rows.first = nesting.first;
  rows.outermost.assign(nesting.parent.size(), 0);
  std::vector<uint8_t> inside(nesting.parent.size(), 0);
  for (const uint32_t row : nesting.order) {
    const uint32_t parent = nesting.ParentOf(row);
    const bool within = parent != kNoRow && inside[parent - nesting.first] != 0;
    const bool is_stage = !stage.Text(row).empty();
    rows.outermost[row - nesting.first] = is_stage && !within;
    inside[row - nesting.first] = is_stage || within;
  }
  return rows;
}

// none: it has no time of its own.
std::optional<StepClass> ClassOf(HostText text) {
  switch (text) {
    case HostText::compute:
      return StepClass::host_compute;
    case HostText::input_wait:
      return StepClass::input_wait;
    case HostText::host_to_device:
      return StepClass::host_to_device;
    case HostText::host_to_host:
      return StepClass::host_to_host;
    default:
      return std::nullopt;
  }
}

void CollectHostLane(const StepSources& of, const LaneTask& task, const HostFacts& facts,
                     const std::vector<StepWindow>& windows, LaneSpans* out) {
  const Events& events = of.store.events;
  const Lane& lane = of.store.lanes[task.lane.value];
  const uint32_t first_label = of.store.processes[task.process.value].labels.first;
  const StageRows stages = OutermostStages(of.store, lane, *facts.stage);
  uint32_t region = kNoRow;
  for (uint32_t row = FirstPlaced(lane); row < EndOf(lane); ++row) {
    const LabelId label = events.label[row];
    if (label == facts.regions.start) region = row;
    if (label == facts.regions.stop && region != kNoRow) {
      const uint32_t group = of.groups.of_event[region];
      if (group != kNone && windows[group].some()) {
        out->Add(group, StepClass::host_compute, events.start_ps[region], events.start_ps[row]);
      }
      region = kNoRow;
    }
    const uint32_t group = of.groups.of_event[row];
    if (group == kNone || !windows[group].some()) continue;
    const HostText text = facts.of_label[label.value - first_label];
    if (IsMarker(of, text, *facts.step_name, row)) continue;
    std::optional<StepClass> of_event = ClassOf(text);
    if (!of_event) continue;
    const bool is_stage = !stages.outermost.empty() && stages.outermost[row - stages.first] != 0;
    if (text == HostText::compute && is_stage) of_event = StepClass::input_wait;
    out->Add(group, *of_event, events.start_ps[row], EndPs(events, row));
  }
}

// ---- TPU ---------------------------------------------------------------------------------------

// The innermost operation has the time; operations that enclose others are loops and calls.
void CollectTpuLane(const StepSources& of, const LaneTask& task,
                    const std::vector<StepClass>& of_label, const std::vector<StepWindow>& windows,
                    LaneSpans* out) {
  const Events& events = of.store.events;
  const uint32_t first_label = of.store.processes[task.process.value].labels.first;
  LaneNesting nesting;
  NestEvents(of.store, of.store.lanes[task.lane.value], &nesting);
  std::vector<uint32_t> open;
  int64_t told_ps = kMinPs;  // up to here
  const auto tell = [&](uint32_t row, int64_t until_ps) {
    const uint32_t group = of.groups.of_event[row];
    const int64_t from_ps = std::max(told_ps, events.start_ps[row]);
    if (until_ps <= from_ps) return;
    told_ps = until_ps;
    if (group == kNone || !windows[group].some()) return;
    out->Add(group, of_label[events.label[row].value - first_label], from_ps, until_ps);
  };
  for (const uint32_t row : nesting.order) {
    const uint32_t parent = nesting.ParentOf(row);
    for (; !open.empty() && open.back() != parent; open.pop_back()) {
      tell(open.back(), EndPs(events, open.back()));
    }
    if (!open.empty()) tell(open.back(), events.start_ps[row]);
    open.push_back(row);
  }
  for (; !open.empty(); open.pop_back()) tell(open.back(), EndPs(events, open.back()));
}

}  // namespace

Result<std::vector<StepClass>> ClassesOfTpu(const StepSources& of, ProcessId id, Context& context) {
  const Process& process = of.store.processes[id.value];
  std::vector<std::string_view> categories(process.labels.count);
  TFPROF_ASSIGN(const auto column, of.indexes.Details(id, "hlo_category", context));
  for (uint32_t i = 0; i < column->rows.count; ++i) {
    const uint32_t row = column->rows.first + i;
    const uint32_t label = of.store.events.label[row].value - process.labels.first;
    if (categories[label].empty() && column->Has(row)) categories[label] = column->Text(row);
  }
  std::vector<StepClass> classes;
  for (uint32_t i = 0; i < process.labels.count; ++i) {
    const Label& label = of.store.labels[process.labels.first + i];
    classes.push_back(TpuTextOf(categories[i], of.store.Text(label.name)));
  }
  return classes;
}

Result<SpansByLane> GpuSpans(const StepSources& of, const std::vector<StepWindow>& windows,
                             Context& context) {
  std::vector<GpuFacts> facts(of.store.processes.size());
  for (const ProcessId id : of.processes) {
    TFPROF_ASSIGN(facts[id.value], FactsOfGpu(of, id, context));
  }
  return CollectLanes(of, LanesOf(of, Measures::accelerator_time), context,
                      [&](const LaneTask& task, LaneSpans* out) {
                        CollectGpuLane(of, task, facts[task.process.value], windows, out);
                      });
}

Result<SpansByLane> HostSpans(const StepSources& of, const std::vector<StepWindow>& windows,
                              Context& context) {
  std::vector<HostFacts> facts(of.store.processes.size());
  for (const ProcessId id : of.processes) {
    HostFacts& known = facts[id.value];
    const Process& process = of.store.processes[id.value];
    known.of_label = HostTextsOf(of.store, process);
    known.regions = RegionLabelsOf(of.store, process);
    constexpr std::string_view kKeys[] = {"step_name", "_ipl_stage_name"};
    TFPROF_ASSIGN(const auto columns, of.indexes.Details(id, kKeys, context));
    known.step_name = columns[0];
    known.stage = columns[1];
  }
  return CollectLanes(of, LanesOf(of, Measures::host_time), context,
                      [&](const LaneTask& task, LaneSpans* out) {
                        CollectHostLane(of, task, facts[task.process.value], windows, out);
                      });
}

Result<SpansByLane> TpuSpans(const StepSources& of, const std::vector<StepWindow>& windows,
                             Context& context) {
  std::vector<std::vector<StepClass>> of_label(of.store.processes.size());
  for (const ProcessId id : of.processes) {
    TFPROF_ASSIGN(of_label[id.value], ClassesOfTpu(of, id, context));
  }
  return CollectLanes(of, LanesOf(of, Measures::accelerator_time), context,
                      [&](const LaneTask& task, LaneSpans* out) {
                        CollectTpuLane(of, task, of_label[task.process.value], windows, out);
                      });
}

}  // namespace tfprof
