// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/categories/device_work.h"
#include "analysis/intervals/interval_set.h"
#include "core/store/details.h"
#include "views/categories/tables.h"
#include "views/columns/fill_columns.h"

namespace tfprof {
namespace {

constexpr ColumnDef kStepColumns[] = {
    category::kRank,
    IntegerDef("step_number", "step", Unit::none, "Number of the step, as marked.")
        .Was("step")
        .ForOriginal(),
    TimeDef("start_us", "start", "Start, from the first event.").ForOriginal(),
    TimeDef("duration_us", "duration", "Duration of the marker.").ForOriginal(),
    TimeDef("device_busy_us", "device busy", "Union of the work of all devices in it.")
        .ForOriginal(),
    CountDef("launched", "launched", "Device work whose launch starts in it.").ForOriginal(),
    TimeDef("launched_device_us", "device", "Sum of the durations of that work.").ForOriginal(),
};
constexpr TableDef kStepTable{"steps", "", kStepColumns};

struct StepOfMarker {
  SourceId source;
  int64_t number = kNoInt;
  int64_t start_ps = 0, end_ps = 0;
  int64_t busy_ps = kNoInt, launched = kNoInt, launched_ps = kNoInt;
};

bool IsMarker(const Label& label) {
  return label.of == EventClass::annotation && label.role == EventRole::root_step_marker;
}

Result<void> AddMarkers(const Store& store, ProcessId id, std::vector<StepOfMarker>* steps,
                        Context& context) {
  const Process& process = store.processes[id.value];
  std::vector<EventId> events;
  for (const Lane& lane : store.LanesOf(process)) {
    if (lane.role == LaneRole::instants) continue;
    for (const uint32_t row : lane.PlacedRows()) {
      if (IsMarker(LabelOf(store, EventId(row)))) events.emplace_back(row);
    }
  }
  if (events.empty()) return {};
  constexpr DetailKey kKeys[] = {AttributeKey::step_number};
  TFPROF_ASSIGN(const auto columns, ReadColumns(store, id, events, kKeys, context));
  for (uint32_t i = 0; i < events.size(); ++i) {
    const uint32_t row = events[i].value;
    steps->push_back({process.source, columns[0].rows.count > 0 ? columns[0].Integer(i) : kNoInt,
                      store.events.start_ps[row], store.events.EndPs(row)});
  }
  return {};
}

// The first start of each source, without that of the recorder.
std::vector<int64_t> FirstStarts(const Store& store) {
  std::vector<int64_t> first(store.sources.size(), kMaxPs);
  for (const Lane& lane : store.lanes) {
    if (lane.role == LaneRole::instants || !lane.process.some()) continue;
    const Range rows = lane.PlacedRows();
    if (rows.count == 0 || LabelOf(store, EventId(rows.first)).of == EventClass::recorder) continue;
    int64_t& start = first[store.processes[lane.process.value].source.value];
    start = std::min(start, store.events.start_ps[rows.first]);
  }
  return first;
}

// The work of the devices of one source.
struct WorkOfSource {
  IntervalSet busy;
  struct Launch {
    int64_t at_ps, duration_ps;
  };
  std::vector<Launch> launches;
  bool any = false;
};

void MeasureStep(WorkOfSource& work, StepOfMarker* step) {
  if (!work.any) return;
  step->busy_ps = step->launched = step->launched_ps = 0;
  EachWithin(work.busy.Parts(), step->start_ps, step->end_ps, [&](int64_t from, int64_t to) {
    step->busy_ps = SaturatingAdd(step->busy_ps, to - from);
  });
  const auto first =
      std::ranges::lower_bound(work.launches, step->start_ps, {}, &WorkOfSource::Launch::at_ps);
  for (auto at = first; at != work.launches.end() && at->at_ps < step->end_ps; ++at) {
    ++step->launched;
    step->launched_ps = SaturatingAdd(step->launched_ps, at->duration_ps);
  }
}

Table StepTable(const Store& store, const std::vector<StepOfMarker>& steps) {
  const std::vector<int64_t> first = FirstStarts(store);
  Table table = MakeTable(kStepTable, steps.size());
  const auto add = [&](std::string_view id, auto cell) { Fill(table, id, steps, cell); };
  add("global_rank", [&](const StepOfMarker& s) { return RankOf(store, s.source); });
  add("step_number", [](const StepOfMarker& s) { return s.number; });
  add("start_us", [&](const StepOfMarker& s) { return SpanOf(first[s.source.value], s.start_ps); });
  add("duration_us", [](const StepOfMarker& s) { return SpanOf(s.start_ps, s.end_ps); });
  add("device_busy_us", [](const StepOfMarker& s) { return s.busy_ps; });
  add("launched", [](const StepOfMarker& s) { return s.launched; });
  add("launched_device_us", [](const StepOfMarker& s) { return s.launched_ps; });
  return table;
}

}  // namespace

Result<void> AddStepTable(const StorePtr& store, const Indexes& indexes, Context& context,
                          Report* report) {
  TFPROF_ASSIGN(const auto work, indexes.Get<LaunchedWork>(context));
  std::vector<StepOfMarker> steps;
  for (uint32_t i = 0; i < store->processes.size(); ++i) {
    if (store->processes[i].kind != ProcessKind::host) continue;
    TFPROF_TRY(AddMarkers(*store, ProcessId(i), &steps, context));
  }
  std::vector<WorkOfSource> of_source(store->sources.size());
  for (const WorkEvent& of : work->events) {
    WorkOfSource& sum = of_source[of.source.value];
    const uint32_t row = of.event.value;
    sum.any = true;
    sum.busy.Add(store->events.start_ps[row], store->events.EndPs(row));
    if (!of.call.some()) continue;
    sum.launches.push_back({store->events.start_ps[of.call.value], store->events.duration_ps[row]});
  }
  for (WorkOfSource& of : of_source) {
    std::ranges::sort(of.launches, {}, &WorkOfSource::Launch::at_ps);
  }
  for (StepOfMarker& step : steps) MeasureStep(of_source[step.source.value], &step);
  report->tables.push_back(StepTable(*store, steps));
  return {};
}

}  // namespace tfprof
