// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include "analysis/memory/events.h"
#include "analysis/place.h"
#include "core/store/details.h"
#include "views/timeline/lanes.h"

namespace tfprof {
namespace {

struct Series {
  Range events;  // range in MemoryEvents::events
  uint32_t counter = 0;
};

struct MemoryPosition {
  ExportedLanesPtr exported;
  IndexPtr<MemoryEvents> memory;
  std::vector<Series> series;
  size_t at = 0;      // index into `series`
  uint32_t next = 0;  // index into its events
};

// Parses GPU_0_bfc, or a bare device number. Returns -1 if there is none, as in gpu_host_bfc.
int32_t OrdinalIn(std::string_view allocator) {
  constexpr std::string_view kGpu = "GPU_";
  if (allocator.starts_with(kGpu)) allocator.remove_prefix(kGpu.size());
  int32_t ordinal = -1;
  const char* end = allocator.data() + allocator.size();
  const auto read = std::from_chars(allocator.data(), end, ordinal);
  const bool ends = read.ec == std::errc() && (read.ptr == end || *read.ptr == '_');
  return ends ? ordinal : -1;
}

// Returns the device whose memory it allocates, else the threads that called it.
ProcessId ProcessOf(const Store& store, const MemoryEvents& memory, const Allocator& allocator) {
  const int32_t ordinal = OrdinalIn(memory.Text(allocator.name));
  for (const Device& device : store.devices) {
    const bool is_it = ordinal >= 0 && device.ordinal == ordinal &&
                       device.kind != DeviceKind::other && device.host == allocator.host;
    if (is_it && device.process.some()) return device.process;
  }
  const LaneId lane = LaneOf(store, memory.events[allocator.events.first].event);
  return store.lanes[lane.value].process;
}

bool HasInUse(const ExportedLanes& exported, std::span<const MemoryEvent> events) {
  for (const MemoryEvent& event : events) {
    if (exported.chosen.Takes(event.event.value) && event.InUseBytes() != kNoInt) return true;
  }
  return false;
}

size_t NextMemory(MemoryPosition& at, std::span<TraceSample> out) {
  size_t filled = 0;
  while (filled < out.size() && at.at < at.series.size()) {
    const Series& series = at.series[at.at];
    if (at.next == series.events.count) {
      ++at.at;
      at.next = 0;
      continue;
    }
    const MemoryEvent& event = at.memory->events[series.events.first + at.next++];
    const int64_t bytes = event.InUseBytes();
    if (bytes == kNoInt || !at.exported->chosen.Takes(event.event.value)) continue;
    out[filled++] = {event.time_ps, bytes, series.counter, {}};
  }
  return filled;
}

}  // namespace

Result<Cursor<TraceSample>> AllocatorCounters(const ExportedLanesPtr& exported,
                                              const Indexes& indexes, const PlaceFilter& place,
                                              Trace* trace, Context& context) {
  const Store& store = *exported->store;
  auto position = std::make_shared<MemoryPosition>();
  position->exported = exported;
  TFPROF_ASSIGN(position->memory, indexes.Get<MemoryEvents>(context));
  const MemoryEvents& memory = *position->memory;
  std::vector<uint32_t> group_of_process = exported->group_of_process;
  for (const Allocator& allocator : memory.allocators) {
    TFPROF_TRY(Poll(context));
    const ProcessId id = ProcessOf(store, memory, allocator);
    const Process& process = store.processes[id.value];
    if (!MatchesPlace(store, process, place) || !HasInUse(*exported, memory.Of(allocator)))
      continue;
    uint32_t& group = group_of_process[id.value];
    if (group == ExportedLanes::kNoGroup) group = AddGroup(store, process, trace);
    const auto counter = static_cast<uint32_t>(trace->counters.size());
    trace->counters.push_back(
        {group, "memory in use: " + std::string(memory.Text(allocator.name))});
    position->series.push_back({allocator.events, counter});
  }
  return CursorFrom<TraceSample>(std::move(position), NextMemory);
}

}  // namespace tfprof
