// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/chosen_events.h"
#include "analysis/memory/events.h"
#include "analysis/place.h"
#include "analysis/steps/step_selection.h"
#include "analysis/wall_time.h"
#include "core/base/ascii.h"
#include "core/base/sorting.h"
#include "core/report/report.h"
#include "core/store/note_catalogue.h"
#include "core/text/wording.h"
#include "views/columns/fill_columns.h"
#include "views/memory/lines.h"
#include "views/memory/over_time.h"
#include "views/memory/program_memory.h"
#include "views/memory/segments.h"
#include "views/memory/tables.h"

namespace tfprof {
namespace {

// Returns which memory events are in the step that -step selects; empty: all of them.
Result<std::vector<bool>> OfStep(const Store& store, const Indexes& indexes,
                                 const MemoryEvents& memory, const PlaceFilter& place,
                                 Context& context) {
  std::vector<bool> selected;
  if (place.step < 0) return selected;
  if (!store.IsTrace()) {
    TFPROF_TRY(CheckStepOfProfile(store, place));
    for (const MemoryEvent& event : memory.events) selected.push_back(place.TakesStep(event.group));
    return selected;
  }
  TFPROF_ASSIGN(const ChosenEvents chosen, ChooseEvents(store, indexes, place, context));
  for (const MemoryEvent& event : memory.events)
    selected.push_back(chosen.Takes(event.event.value));
  return selected;
}

// -device picks allocators: by a part of their name, or by the device whose memory they allocate,
// "GPU:4" for GPU_4_bfc and "TPU:0" for the allocator 0.
bool BelongsTo(const MemoryEvents& memory, const Allocator& allocator, std::string_view device) {
  const std::string_view name = memory.Text(allocator.name);
  if (ContainsDevice(name, device)) return true;
  const size_t colon = device.rfind(':');
  if (colon == device.npos) return false;
  const std::string_view number = device.substr(colon + 1), before = device.substr(0, colon);
  if (name == number) return true;
  const std::string_view kind = before.substr(before.find_last_of("/: ") + 1);  // npos + 1 is 0
  return !number.empty() && !kind.empty() &&
         BeginsWithAnyCase(name, std::string(kind) + "_" + std::string(number) + "_");
}

// Follow-up questions are about the allocator with the largest peak.
void PutLargestFirst(const MemoryEvents& memory, std::vector<ShownAllocator>* all) {
  const auto held = [&](const ShownAllocator& of) {
    return of.peak == kNoMemoryEvent ? int64_t{-1} : memory.events[of.peak].InUseBytes();
  };
  StableSort(*all,
             [&](const ShownAllocator& a, const ShownAllocator& b) { return held(a) > held(b); });
}

// `until_ps`: the time whose memory is shown; kNoInt: the peak.
std::vector<ShownAllocator> Choose(const Store& store, const MemoryEvents& memory,
                                   const std::vector<bool>& selected, const PlaceFilter& place,
                                   int64_t until_ps) {
  std::vector<ShownAllocator> all;
  for (const Allocator& allocator : memory.allocators) {
    ShownAllocator shown{
        &allocator, HostName(store, allocator.host), {}, kNoMemoryEvent, kNoMemoryEvent};
    if (!ContainsAnyCase(shown.host, place.host)) continue;
    if (!BelongsTo(memory, allocator, place.device)) continue;
    for (const uint32_t event : allocator.events) {
      if (selected.empty() || selected[event]) shown.events.push_back(&memory.events[event]);
    }
    if (shown.events.empty()) continue;
    shown.peak = PeakOf(memory, allocator, selected);
    shown.at = until_ps == kNoInt ? shown.peak : LastUntil(memory, allocator, until_ps, selected);
    all.push_back(std::move(shown));
  }
  PutLargestFirst(memory, &all);
  return all;
}

Result<void> CheckAllocator(const MemoryEvents& memory, const PlaceFilter& place) {
  std::vector<std::string_view> names;
  for (const Allocator& allocator : memory.allocators) {
    if (BelongsTo(memory, allocator, place.device)) return {};
    const std::string_view name = memory.Text(allocator.name);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (names.empty()) return {};  // a note reports that there are none
  return Fail(ErrorKind::usage, "-device: no allocator contains '" + place.device + "'", {},
              "allocators: " + Listed(names, 8));
}

// Programs that were dumped did not run: their buffers have an order and no times.
bool HasOnlyPrograms(const Store& store) {
  return store.EventCount() == 0 && !store.modules.empty();
}

// Where no allocation was recorded, the buffers of programs are what is known of memory.
bool ShowsProgramsInstead(const Store& store, const MemoryEvents& memory, const Query& query) {
  return memory.events.empty() && !store.modules.empty() && query.programs.at.empty() &&
         query.programs.at_ps == kNoInt && !query.display.original_ids;
}

// Profiles of TensorFlow 1 have memory sums of executions, but no single allocations.
const NoteRow& ReasonForNone(const Store& store) {
  if (HasOnlyPrograms(store)) return note::buffers_without_times;
  return store.exec_memory.empty() ? note::no_allocations : note::no_allocations_but_executions;
}

void AddNotes(const MemoryCells& tables, Report* report) {
  const MemoryEvents& memory = tables.memory;
  const auto add = [&](const NoteRow& note, int64_t count) {
    if (count > 0) report->notes.push_back({note, count, "", kNoInt});
  };
  add(note::allocations_without_time, memory.unplaced);
  add(note::memory_counted_from_executions, memory.is_counted);
  if (tables.at_ps != kNoInt) {
    add(note::allocators_without_event_until_then,
        std::ranges::count(tables.shown, kNoMemoryEvent, &ShownAllocator::at));
  }
  add(ReasonForNone(*report->store), memory.events.empty());
}

// Scripts find the tables of allocators in any case.
void HideEmptyTables(Report* report) {
  for (Table& table : report->tables) {
    if (table.rows == 0) table.human_readable = false;
  }
}

// Programs without an assignment of buffers add nothing.
Result<void> AddBuffersIfKnown(const Indexes& indexes, const Query& query, Report* report,
                               Context& context) {
  Report programs = NewReport("memory", report->store);
  TFPROF_TRY(AddProgramMemory(indexes, query, &programs, context));
  if (programs.tables[0].rows > 0) *report = std::move(programs);
  return {};
}

}  // namespace

Result<Report> Memory(const StorePtr& store, const Indexes& indexes, const Query& query,
                      Context& context) {
  TFPROF_ASSIGN(const auto memory, indexes.Get<MemoryEvents>(context));
  TFPROF_TRY(CheckAllocator(*memory, query.place));
  TFPROF_ASSIGN(const std::vector<bool> selected,
                OfStep(*store, indexes, *memory, query.place, context));
  Report report = NewReport("memory", store);
  const int64_t first_ps = FirstStart(*store), at_ps = query.programs.at_ps;
  const bool at_time = at_ps != kNoInt, at_peak = query.programs.at == "peak";
  const bool only_programs = HasOnlyPrograms(*store) && !at_time;
  if (at_peak || only_programs) {
    TFPROF_TRY(AddProgramMemory(indexes, query, &report, context));
  }
  if (only_programs) return report;
  if (ShowsProgramsInstead(*store, *memory, query)) {
    TFPROF_TRY(AddBuffersIfKnown(indexes, query, &report, context));
  }
  const bool shows_programs = !report.tables.empty();
  const int64_t until_ps = at_time ? SaturatingAdd(first_ps, at_ps) : kNoInt;
  const MemoryCells tables{*store,
                           *memory,
                           first_ps,
                           at_ps,
                           Choose(*store, *memory, selected, query.place, until_ps),
                           KeepTexts(memory->texts, *report.pool)};
  AddNotes(tables, &report);
  report.charts = MemoryCurves(tables);
  if (query.programs.at == "times") {
    report.tables.push_back(OverTimeTable(tables));
    return report;
  }
  report.tables.push_back(at_time ? MomentTable(tables) : AllocatorsTable(tables));
  AddLines(tables, &report);
  report.tables.push_back(ActiveTable(tables));
  if (at_time) return report;
  AddSegments(*store, query.place, &report);
  if (at_peak) return report;
  TFPROF_ASSIGN(Table timeline, TimelineTable(tables, context));
  report.tables.push_back(std::move(timeline));
  if (shows_programs) HideEmptyTables(&report);
  return report;
}

}  // namespace tfprof
