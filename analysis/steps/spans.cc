// SPDX-License-Identifier: Apache-2.0
#include "analysis/steps/spans.h"

#include <optional>

#include "analysis/indexes.h"
#include "analysis/intervals/nesting.h"
#include "analysis/ops/async_done.h"
#include "analysis/ops/thread_regions.h"
#include "core/base/parallel.h"

namespace tfprof {
namespace {

// Takes all groups at once; calls collect(lane, &spans) for every lane, on several threads.
template <class Collect>
Result<void> TakeAll(const StepSources& of, Measures measures, Context& context,
                     const TakeSpans& take, const Collect& collect) {
  const std::vector<StepLane> lanes = LanesOf(of, measures);
  std::vector<LaneSpans> spans(lanes.size());
  const size_t threads = ThreadsFor(of.store.events.start_ps.bytes());
  TFPROF_TRY(
      ForEachTask(lanes.size(), threads, context, [&](size_t i) { collect(lanes[i], &spans[i]); }));
  return take({0, static_cast<uint32_t>(of.groups.groups.size()), spans});
}

// ---- host --------------------------------------------------------------------------------------

struct HostFacts {
  std::vector<HostText> of_label;
  IndexPtr<DetailColumn> step_name;
  IndexPtr<DetailColumn> stage;  // of the input pipeline
  RegionLabels regions;
};

// By row of the lane: true if the event is an outermost input stage or lies within one.
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

// none: it gets no time.
std::optional<StepClass> ClassOf(HostText text) {
  switch (text) {
    case HostText::compute: return StepClass::host_compute;
    case HostText::input_wait: return StepClass::input_wait;
    case HostText::host_to_device: return StepClass::host_to_device;
    case HostText::host_to_host: return StepClass::host_to_host;
    default: return std::nullopt;
  }
}

void CollectHostLane(const StepSources& of, const StepLane& task, const HostFacts& facts,
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
      if (group != EventGroups::kNone && windows[group].some()) {
        out->Add(group, StepClass::host_compute, events.start_ps[region], events.start_ps[row]);
      }
      region = kNoRow;
    }
    const uint32_t group = of.groups.of_event[row];
    if (group == EventGroups::kNone || !windows[group].some()) continue;
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

// The innermost operation gets the time; operations that enclose others are loops and calls.
void CollectTpuLane(const StepSources& of, const StepLane& task, const std::vector<TpuOp>& of_label,
                    const std::vector<StepWindow>& windows, LaneSpans* out) {
  const Events& events = of.store.events;
  const uint32_t first_label = of.store.processes[task.process.value].labels.first;
  LaneNesting nesting;
  NestEvents(of.store, of.store.lanes[task.lane.value], &nesting);
  const auto take = [&](uint32_t row, int64_t from_ps, int64_t until_ps) {
    const uint32_t group = of.groups.of_event[row];
    if (group == EventGroups::kNone || !windows[group].some()) return;
    out->Add(group, of_label[events.label[row].value - first_label].of, from_ps, until_ps);
  };
  EachInnermost(
      of.store, nesting, [](uint32_t) {}, take);
}

}  // namespace

void GroupUnions::Reset(uint32_t first, uint32_t end) {
  first_ = first;
  set_of_.assign(size_t{end - first} * kStepClasses, kNone);
  sets_.clear();
}

uint32_t GroupUnions::Make() {
  sets_.emplace_back();
  return static_cast<uint32_t>(sets_.size() - 1);
}

std::span<ClassSpan> GroupUnions::Of(uint32_t group) {
  spans_.clear();
  for (size_t k = 0; k < kStepClasses; ++k) {
    const uint32_t at = set_of_[size_t{group - first_} * kStepClasses + k];
    if (at == kNone) continue;
    for (const Interval& part : sets_[at].Parts()) {
      spans_.push_back({part.start_ps, part.end_ps, static_cast<StepClass>(k)});
    }
  }
  return spans_;
}

std::vector<StepLane> LanesOf(const StepSources& of, Measures measures) {
  std::vector<StepLane> lanes;
  for (const ProcessId id : of.processes) {
    const Process& process = of.store.processes[id.value];
    for (uint32_t i = 0; i < process.lanes.count; ++i) {
      const LaneId lane(process.lanes.first + i);
      if (of.store.lanes[lane.value].measures == measures) lanes.push_back({id, lane});
    }
  }
  return lanes;
}

Result<std::vector<TpuOp>> OpsOfTpu(const Store& store, const Indexes& indexes, ProcessId id,
                                    Context& context) {
  const Process& process = store.processes[id.value];
  std::vector<std::string_view> categories(process.labels.count);
  TFPROF_ASSIGN(const auto column, indexes.Details(id, AttributeKey::op_category, context));
  for (uint32_t i = 0; i < column->rows.count; ++i) {
    const uint32_t row = column->rows.first + i;
    const uint32_t label = store.events.label[row].value - process.labels.first;
    if (categories[label].empty() && column->Has(row)) categories[label] = column->Text(row);
  }
  std::vector<TpuOp> ops;
  for (uint32_t i = 0; i < process.labels.count; ++i) {
    const Label& label = store.labels[process.labels.first + i];
    const std::string_view name = store.Text(label.display.some() ? label.display : label.name);
    ops.push_back({TpuTextOf(categories[i], name), IsAsyncDone(categories[i], name)});
  }
  return ops;
}

Result<void> HostSpans(const StepSources& of, const std::vector<StepWindow>& windows,
                       Context& context, const TakeSpans& take) {
  std::vector<HostFacts> facts(of.store.processes.size());
  for (const ProcessId id : of.processes) {
    HostFacts& known = facts[id.value];
    const Process& process = of.store.processes[id.value];
    known.of_label = HostTextsOf(of.store, process);
    known.regions = RegionLabelsOf(of.store, process);
    constexpr DetailKey kKeys[] = {AttributeKey::step_text, AttributeKey::input_stage};
    TFPROF_ASSIGN(const auto columns, of.indexes.Details(id, kKeys, context));
    known.step_name = columns[0];
    known.stage = columns[1];
  }
  return TakeAll(of, Measures::host_time, context, take, [&](const StepLane& task, LaneSpans* out) {
    CollectHostLane(of, task, facts[task.process.value], windows, out);
  });
}

Result<void> TpuSpans(const StepSources& of, const std::vector<StepWindow>& windows,
                      Context& context, const TakeSpans& take) {
  std::vector<std::vector<TpuOp>> of_label(of.store.processes.size());
  for (const ProcessId id : of.processes) {
    TFPROF_ASSIGN(of_label[id.value], OpsOfTpu(of.store, of.indexes, id, context));
  }
  return TakeAll(of, Measures::accelerator_time, context, take,
                 [&](const StepLane& task, LaneSpans* out) {
                   CollectTpuLane(of, task, of_label[task.process.value], windows, out);
                 });
}

}  // namespace tfprof
