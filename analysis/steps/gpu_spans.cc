// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/indexes.h"
#include "analysis/steps/spans.h"
#include "core/base/parallel.h"
#include "core/store/details.h"

// GPUs have a span for nearly every event, so the spans of all groups never exist at once.

namespace tfprof {
namespace {

constexpr uint32_t kChunkRows = 512;
constexpr size_t kBatchSpans = size_t{1} << 17;
constexpr size_t kMaxVisits = 4;  // per chunk, on average

// An empty text records no shape.
constexpr auto kNotRecorded = static_cast<StepClass>(kStepClasses);

// By row of DetailColumn::text_of.
std::vector<StepClass> ClassesOfShapes(const DetailColumn& shapes) {
  std::vector<StepClass> classes(shapes.text_of.size(), kNotRecorded);
  for (size_t i = 0; i < classes.size(); ++i) {
    if (!shapes.text_of[i].some()) continue;
    const std::string_view text = shapes.texts[shapes.text_of[i]];
    if (!text.empty()) classes[i] = GpuShapeOf(text);
  }
  return classes;
}

// Facts about the events of one GPU that do not depend on the event.
struct GpuFacts {
  IndexPtr<DetailColumn> launched;
  IndexPtr<DetailColumn> shape;
  std::vector<StepClass> of_shape;
  std::vector<StepClass> of_label;

  // `shapes`: the part of the column `shape` that contains the row.
  StepClass ClassOf(uint32_t label, uint32_t row, const DetailRange& shapes) const {
    const StepClass by_text = of_label[label];
    if (by_text < StepClass::compute_32 || !shapes.IsText(row)) return by_text;
    const StepClass by_shape = of_shape[shapes.Bits(row)];
    return by_shape != kNotRecorded ? by_shape : by_text;
  }
};

Result<GpuFacts> FactsOfGpu(const StepSources& of, ProcessId id, Context& context) {
  GpuFacts facts;
  constexpr DetailKey kKeys[] = {AttributeKey::launched, AttributeKey::shape};
  TFPROF_ASSIGN(const auto columns, of.indexes.Details(id, kKeys, context));
  facts.launched = columns[0];
  facts.shape = columns[1];
  facts.of_shape = ClassesOfShapes(*facts.shape);
  const Range labels = of.store.processes[id.value].labels;
  for (uint32_t i = 0; i < labels.count; ++i) {
    const Label& label = of.store.labels[labels.first + i];
    facts.of_label.push_back(GpuTextOf(of.store.Text(label.name)));
  }
  return facts;
}

// Consecutive rows of a lane, and the range of their groups.
struct Chunk {
  uint32_t first = 0;
  uint32_t end = 0;
  uint32_t min = EventGroups::kNone;
  uint32_t max = 0;
};

struct GpuLane {
  StepLane lane;
  const GpuFacts* facts = nullptr;
  std::vector<Chunk> chunks = {};
};

struct Gpus {
  const StepSources& of;
  const std::vector<StepWindow>& windows;
  std::vector<GpuLane> lanes = {};
  std::vector<uint32_t> events = {};  // by group

  bool IsRequested(uint32_t group) const {
    return group != EventGroups::kNone && windows[group].some();
  }
};

// Calls take(group, first, end) for each run of rows with one selected group.
template <class Take>
void EachSelected(const Gpus& gpus, uint32_t first, uint32_t end, Take take) {
  gpus.of.groups.of_event.EachRun({first, end - first},
                                  [&](uint32_t begin, uint32_t after, uint32_t group) {
                                    if (gpus.IsRequested(group)) take(group, begin, after);
                                  });
}

void FindChunks(GpuLane* lane, Gpus* gpus) {
  const Lane& rows = gpus->of.store.lanes[lane->lane.lane.value];
  for (uint32_t row = FirstPlaced(rows); row < EndOf(rows); row += kChunkRows) {
    Chunk chunk{row, std::min(EndOf(rows), row + kChunkRows)};
    EachSelected(*gpus, chunk.first, chunk.end, [&](uint32_t group, uint32_t first, uint32_t end) {
      gpus->events[group] += end - first;
      chunk.min = std::min(chunk.min, group);
      chunk.max = std::max(chunk.max, group);
    });
    if (chunk.min != EventGroups::kNone) lane->chunks.push_back(chunk);
  }
}

struct GroupRange {
  uint32_t first = 0;
  uint32_t end = 0;

  bool Overlaps(const Chunk& chunk) const { return chunk.min < end && chunk.max >= first; }
};

// Returns all groups in ranges of about kBatchSpans events; a single range if the groups are so
// interleaved that each range would pass over most rows again.
std::vector<GroupRange> BatchesOf(const Gpus& gpus) {
  const auto groups = static_cast<uint32_t>(gpus.windows.size());
  std::vector<GroupRange> batches;
  size_t events = 0;
  for (uint32_t group = 0, first = 0; group < groups; ++group) {
    events += gpus.events[group];
    if (events < kBatchSpans && group + 1 < groups) continue;
    batches.push_back({first, group + 1});
    first = group + 1;
    events = 0;
  }
  size_t chunks = 0, visits = 0;
  for (const GpuLane& lane : gpus.lanes) {
    chunks += lane.chunks.size();
    for (const Chunk& chunk : lane.chunks) {
      const auto before = [](const GroupRange& batch, uint32_t group) {
        return batch.end <= group;
      };
      const auto from = std::lower_bound(batches.begin(), batches.end(), chunk.min, before);
      const auto to = std::lower_bound(from, batches.end(), chunk.max, before);
      visits += static_cast<size_t>(to - from) + 1;
    }
  }
  if (visits > kMaxVisits * chunks) return {{0, groups}};
  return batches;
}

void CollectLane(const Gpus& gpus, const GpuLane& lane, GroupRange batch, LaneSpans* out) {
  out->Clear();
  const Events& events = gpus.of.store.events;
  const GpuFacts& facts = *lane.facts;
  const LabelId* const labels = events.label.data();
  const uint32_t first_label = gpus.of.store.processes[lane.lane.process.value].labels.first;
  DetailCursor launched(*facts.launched), shape(*facts.shape);
  for (const Chunk& chunk : lane.chunks) {
    if (!batch.Overlaps(chunk)) continue;
    EachSelected(gpus, chunk.first, chunk.end, [&](uint32_t group, uint32_t first, uint32_t end) {
      if (group - batch.first >= batch.end - batch.first) return;
      for (uint32_t row = first; row < end;) {
        const DetailRange shapes = shape.RangeAt(row, end);
        const DetailRange recorded = launched.RangeAt(row, shapes.end);
        const bool all_recorded = recorded.AllHave();
        for (; row < recorded.end; ++row) {
          if (!all_recorded && !recorded.Has(row)) continue;
          const uint32_t label = labels[row].value - first_label;
          out->Add(group, facts.ClassOf(label, row, shapes), events.start_ps[row],
                   EndPs(events, row));
        }
      }
    });
  }
}

}  // namespace

Result<void> GpuSpans(const StepSources& of, const std::vector<StepWindow>& windows,
                      Context& context, const TakeSpans& take) {
  std::vector<GpuFacts> facts(of.store.processes.size());
  for (const ProcessId id : of.processes) {
    TFPROF_ASSIGN(facts[id.value], FactsOfGpu(of, id, context));
  }
  Gpus gpus{of, windows};
  gpus.events.assign(windows.size(), 0);
  for (const StepLane& lane : LanesOf(of, Measures::accelerator_time)) {
    TFPROF_TRY(Poll(context));
    const GpuFacts& known = facts[lane.process.value];
    if (known.launched->rows.count == 0) continue;
    FindChunks(&gpus.lanes.emplace_back(GpuLane{lane, &known}), &gpus);
  }
  std::vector<LaneSpans> spans(gpus.lanes.size());
  const size_t threads = ThreadsFor(of.store.events.start_ps.bytes());
  for (const GroupRange batch : BatchesOf(gpus)) {
    TFPROF_TRY(ForEachTask(spans.size(), threads, context,
                           [&](size_t i) { CollectLane(gpus, gpus.lanes[i], batch, &spans[i]); }));
    TFPROF_TRY(take({batch.first, batch.end, spans}));
  }
  return {};
}

}  // namespace tfprof
