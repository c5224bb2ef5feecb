// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>
#include <string>

#include "analysis/chosen_events.h"
#include "analysis/memory/events.h"
#include "analysis/place.h"
#include "analysis/steps/step_selection.h"
#include "analysis/wall_time.h"
#include "core/base/any_case.h"
#include "views/columns/properties.h"
#include "views/memory/pictures.h"
#include "views/memory/tables.h"

namespace tfprof {
namespace {

constexpr std::string_view kHowToRecord =
    "no allocations were recorded: GPU and TPU allocators record them in traces with "
    "host_tracer_level 2 (the default) or higher, and TensorFlow 1 in its executions";

constexpr std::string_view kOfExecutions =
    "no allocations were recorded; for the bytes that executions requested: op -select bytes "
    "-order_by bytes";

constexpr std::string_view kCounted =
    "allocations are those recorded by executions: `in use` starts at 0 in every step, and memory "
    "held before the step is not recorded";

// Returns which memory events are in the step that -step selects; empty: all of them.
Result<std::vector<bool>> OfStep(const Store& store, const Indexes& indexes,
                                 const MemoryEvents& memory, const PlaceFilter& place,
                                 Context& context) {
  std::vector<bool> asked;
  if (place.step < 0) return asked;
  if (!store.IsTrace()) {
    TFPROF_TRY(CheckStepOfProfile(store, place));
    for (const MemoryEvent& event : memory.events) asked.push_back(place.TakesStep(event.group));
    return asked;
  }
  TFPROF_ASSIGN(const ChosenEvents chosen, ChooseEvents(store, indexes, place, context));
  for (const MemoryEvent& event : memory.events) asked.push_back(chosen.Takes(event.event.value));
  return asked;
}

// -device picks allocators: by a part of their name, or by the device whose memory they allocate,
// "GPU:4" for GPU_4_bfc and "TPU:0" for the allocator 0.
bool IsOf(const MemoryEvents& memory, const Allocator& allocator, std::string_view device) {
  const std::string_view name = memory.Text(allocator.name);
  if (ContainsAnyCase(name, device)) return true;
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
  std::stable_sort(all->begin(), all->end(), [&](const ShownAllocator& a, const ShownAllocator& b) {
    return held(a) > held(b);
  });
}

std::vector<ShownAllocator> Choose(const Store& store, const MemoryEvents& memory,
                                   const std::vector<bool>& asked, const PlaceFilter& place) {
  std::vector<ShownAllocator> all;
  for (const Allocator& allocator : memory.allocators) {
    ShownAllocator shown{&allocator, HostName(store, allocator.host), {}, kNoMemoryEvent};
    if (!ContainsAnyCase(shown.host, place.host)) continue;
    if (!IsOf(memory, allocator, place.device)) continue;
    for (uint32_t i = 0; i < allocator.events.count; ++i) {
      const uint32_t event = allocator.events.first + i;
      if (asked.empty() || asked[event]) shown.events.push_back(&memory.events[event]);
    }
    if (shown.events.empty()) continue;
    shown.peak = PeakOf(memory, allocator, asked);
    all.push_back(std::move(shown));
  }
  PutLargestFirst(memory, &all);
  return all;
}

Result<void> CheckAllocator(const MemoryEvents& memory, const PlaceFilter& place) {
  std::vector<std::string_view> names;
  for (const Allocator& allocator : memory.allocators) {
    if (IsOf(memory, allocator, place.device)) return {};
    const std::string_view name = memory.Text(allocator.name);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (names.empty()) return {};  // a note reports that there are none
  return Fail(ErrorKind::usage, "-device: no allocator contains '" + place.device + "'", {},
              "allocators: " + Listed(names, 8));
}

// Profiles of TensorFlow 1 have memory sums of executions, but no single allocations.
std::string_view WhyNone(const Store& store) {
  return store.exec_memory.empty() ? kHowToRecord : kOfExecutions;
}

void AddNotes(const MemoryEvents& memory, Report* report) {
  if (memory.unplaced > 0) {
    report->notes.push_back(
        {"allocations and frees without a time, skipped", memory.unplaced, "", kNoInt});
  }
  if (memory.is_counted) report->notes.push_back({std::string(kCounted), 1, "", kNoInt});
  if (memory.events.empty()) {
    report->notes.push_back({std::string(WhyNone(*report->store)), 1, "", kNoInt});
  }
}

}  // namespace

// Allocator activity: `allocators` with the peak of each, `active_allocations` with the memory held
// at those peaks (analysis/memory/peak.h), `timeline` with every allocation and free. -host picks
// machines, -device allocators by name, -step the events of a step and the peak among them.
Result<Report> Memory(const StorePtr& store, const Indexes& indexes, const Query& query,
                      Context& context) {
  TFPROF_ASSIGN(const auto memory, indexes.Get<MemoryEvents>(context));
  TFPROF_TRY(CheckAllocator(*memory, query.place));
  TFPROF_ASSIGN(const std::vector<bool> asked,
                OfStep(*store, indexes, *memory, query.place, context));
  Report report;
  report.view = "memory";
  report.store = store;
  report.notes = store->notes;
  AddNotes(*memory, &report);
  const MemoryCells tables{*store, *memory, FirstStart(*store),
                           Choose(*store, *memory, asked, query.place),
                           KeepTexts(*memory, *report.pool)};
  report.pictures = CurvesInUse(tables);
  report.tables.push_back(AllocatorsTable(tables));
  report.tables.push_back(ActiveTable(tables));
  TFPROF_ASSIGN(Table timeline, TimelineTable(tables, context));
  report.tables.push_back(std::move(timeline));
  return report;
}

}  // namespace tfprof
