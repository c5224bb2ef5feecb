// SPDX-License-Identifier: Apache-2.0
#include "views/timeline/timeline.h"

#include <algorithm>
#include <optional>

#include "analysis/wall_time.h"
#include "core/store/note_catalogue.h"
#include "views/timeline/lanes.h"

namespace tfprof {
namespace {

// ---- spans -------------------------------------------------------------------------------------

struct SpanPosition {
  ExportedLanesPtr exported;
  ExportedSteps steps;
  size_t next_step = 0;
  std::vector<ExportedDerived> derived_tracks;
  size_t derived = 0;  // index into `derived_tracks`
  size_t derived_track = 0;
  std::span<const DerivedSpan> derived_spans;  // of this track
  size_t next_derived = 0;
  size_t lane = 0;
  std::optional<LaneReader> reader;
  size_t next_memory = 0;  // index into ExportedLanes::memory
  bool lane_changed = true;

  // Rows are requested nearly in order, so it is usually the next one.
  uint32_t MemoryOf(uint32_t row) {
    const RowsByEvent<ExecMemory>& memory = exported->memory;
    const bool is_past = next_memory > 0 && memory[next_memory - 1].event.value >= row;
    if (is_past || lane_changed) next_memory = memory.From(row);
    lane_changed = false;
    while (next_memory < memory.size() && memory[next_memory].event.value < row) ++next_memory;
    const bool found = next_memory < memory.size() && memory[next_memory].event.value == row;
    return found ? memory.RowAt(next_memory++) : TraceSpan::kNoMemory;
  }
};

TraceSpan SpanOf(const LaneRow& row, SpanPosition& at) {
  const Store& store = *at.exported->store;
  TraceSpan span;
  span.start_ps = row.start_ps;
  span.duration_ps = store.events.duration_ps[row.row];
  span.name = store.Text(store.labels[store.events.label[row.row].value].name);
  span.track = at.exported->lanes[at.lane].track;
  span.level = row.level;
  span.event = EventId(row.row);
  span.step = row.step;
  span.memory_row = at.MemoryOf(row.row);
  return span;
}

// Returns the next span of a derived track that precedes the current lane; false: there is none.
bool NextDerived(SpanPosition& at, TraceSpan* span) {
  while (at.derived < at.derived_tracks.size()) {
    ExportedDerived& of = at.derived_tracks[at.derived];
    const auto track = static_cast<uint32_t>(of.first + at.derived_track);
    const bool precedes =
        at.lane == at.exported->lanes.size() || track < at.exported->lanes[at.lane].track;
    if (!precedes) return false;
    if (at.next_derived == 0) at.derived_spans = of.tracks.spans(at.derived_track);
    if (at.next_derived < at.derived_spans.size()) {
      const DerivedSpan& derived = at.derived_spans[at.next_derived++];
      *span = {derived.start_ps, WrapAdd(derived.end_ps, -derived.start_ps),
               at.exported->derived_names.Text(derived.name), track, derived.level};
      return true;
    }
    at.next_derived = 0;
    if (++at.derived_track < of.tracks.names.size()) continue;
    of.tracks.spans = nullptr;  // nobody reads it again
    at.derived_track = 0;
    ++at.derived;
  }
  return false;
}

size_t Next(SpanPosition& at, std::span<TraceSpan> out) {
  size_t filled = 0;
  while (filled < out.size() && at.next_step < at.steps.spans.size()) {
    out[filled++] = at.steps.spans[at.next_step++];
  }
  LaneRow row;
  while (filled < out.size() && at.lane < at.exported->lanes.size()) {
    if (NextDerived(at, &out[filled])) {
      ++filled;
      continue;
    }
    if (!at.reader) at.reader.emplace(*at.exported, at.exported->lanes[at.lane]);
    if (at.reader->Next(&row)) {
      out[filled++] = SpanOf(row, at);
    } else {
      at.reader.reset();
      at.lane_changed = true;
      ++at.lane;
    }
  }
  return filled;
}

// ---- what is not exported ----------------------------------------------------------------------

// Unplaced rows come first in their lane.
void NoteUnplaced(const ExportedLanes& exported, Trace* trace) {
  const Store& store = *exported.store;
  Note note{note::records_not_drawn, 0, "", kNoInt};
  for (const ExportedLane& lane : exported.lanes) {
    const Lane& of = store.lanes[lane.lane.value];
    for (const EventRun& run : lane.runs) {
      const uint32_t end = std::min(run.end, of.rows.first + of.unplaced);
      for (uint32_t row = run.first; row < end; ++row) {
        if (!exported.chosen.Takes(row)) continue;
        if (note.count++ == 0) note.first_place = store.Text(of.display);
      }
    }
  }
  if (note.count > 0) trace->notes.push_back(std::move(note));
}

}  // namespace

Result<Trace> Timeline(const StorePtr& store, const Indexes& indexes, const Query& query,
                       Context& context) {
  Trace trace;
  trace.epoch_ns = store->epoch_ns;
  trace.details = query.details;
  trace.earliest_ps = EarliestStart(*store);
  if (trace.earliest_ps == kNoTime) {
    return Fail(ErrorKind::usage, "no event in the profile has a time", {},
                "record a run; `info` shows what is not recorded");
  }
  auto position = std::make_shared<SpanPosition>();
  const bool has_processes = store->IsTrace();
  if (has_processes) {
    TFPROF_ASSIGN(position->steps, ExportHostSteps(*store, indexes, query.place, &trace, context));
  } else if (!store->steps.empty()) {
    trace.groups.push_back({"steps"});
    trace.tracks.push_back({0, "steps"});
  }
  TFPROF_ASSIGN(position->exported,
                ChooseLanes(store, indexes, query, &trace, &position->derived_tracks, context));
  const ExportedLanesPtr exported = position->exported;
  if (has_processes) {
    TFPROF_ASSIGN(trace.flows, LinkFlows(exported, indexes, context));
    TFPROF_ASSIGN(trace.samples,
                  AllocatorCounters(exported, indexes, query.place, &trace, context));
  } else {
    TFPROF_ASSIGN(position->steps, ExportSteps(*exported, context));
    trace.flows = TimelineFlows(exported);
    TFPROF_ASSIGN(trace.samples, TimelineCounters(exported, &trace, context));
  }
  trace.spans = CursorFrom<TraceSpan>(std::move(position), Next);
  NoteUnplaced(*exported, &trace);
  return trace;
}

}  // namespace tfprof
