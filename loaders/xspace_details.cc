// SPDX-License-Identifier: Apache-2.0
#include "loaders/xspace_details.h"

#include <algorithm>

#include "core/parallel.h"
#include "core/store.h"
#include "loaders/wire.h"
#include "loaders/xspace_column.h"
#include "loaders/xspace_events.h"

namespace tfprof::xspace {
namespace {

const DetailState& StateOf(const void* state) { return *static_cast<const DetailState*>(state); }

// Runs `work` (returning Result<T>) such that a file that became shorter is an error.
template <class T, class Work>
Result<T> Guarded(const DetailState& state, Work work) {
  struct Call {
    Work& work;
    Result<T> result;
  } call{work, T()};
  TFPROF_TRY(GuardReads(
      state.file,
      [](void* of) -> Result<void> {
        auto& c = *static_cast<Call*>(of);
        c.result = c.work();
        return {};
      },
      &call));
  return std::move(call.result);
}

using Details = std::vector<Detail>;

Details ResolveAll(const std::vector<std::string_view>& stats, const StatNames& names) {
  Details details;
  for (const std::string_view stat : stats) details.push_back(Resolve(ReadStat(stat), names));
  return details;
}

std::vector<std::string_view> StatsOf(std::string_view event) {
  std::vector<std::string_view> stats;
  wire::Fields fields(event);
  while (fields.Next()) {
    if (fields.tag() == wire::Tag(4, wire::kBytes)) {
      stats.push_back(fields.Bytes());
    } else {
      fields.Skip();
    }
  }
  if (fields.bad() != nullptr) stats.clear();
  return stats;
}

Result<Details> ReadEventDetails(const void* of, const Store& store, EventId event) {
  const DetailState& state = StateOf(of);
  const Lane& lane = store.lanes[LaneOf(store, event).value];
  const uint32_t plane = store.processes[lane.process.value].index;
  const uint32_t detail = store.events.detail[event.value];
  if (detail == kNoDetail) return Details();
  return Guarded<Details>(state, [&]() -> Result<Details> {
    const std::string_view line = state.layout.planes[plane].lines[lane.index].bytes;
    return ResolveAll(StatsOf(EventAt(line, detail)), state.names[plane]);
  });
}

Result<Details> ReadLabelDetails(const void* of, const Store& store, LabelId label) {
  const DetailState& state = StateOf(of);
  const Process& process = store.processes[ProcessOf(store, label).value];
  const Plane& plane = state.layout.planes[process.index];
  const uint32_t place = label.value - process.labels.first;
  if (place >= plane.event_metadata.size()) return Details();  // of unknown events
  return Guarded<Details>(state, [&]() -> Result<Details> {
    const EventMetadata metadata = ReadEventMetadata(plane.event_metadata[place].value);
    return ResolveAll(metadata.stats, state.names[process.index]);
  });
}

Result<Details> ReadProcessDetails(const void* of, const Store& store, ProcessId process) {
  const DetailState& state = StateOf(of);
  const uint32_t index = store.processes[process.value].index;
  return Guarded<Details>(state, [&]() -> Result<Details> {
    return ResolveAll(state.layout.planes[index].stats, state.names[index]);
  });
}

Result<DetailColumn> ReadDetailColumn(const void* of, const Store& store, ProcessId process,
                                      std::string_view key, Context& context) {
  const DetailState& state = StateOf(of);
  return Guarded<DetailColumn>(state, [&]() -> Result<DetailColumn> {
    return ReadColumn(state, store, process, key, context);
  });
}

Result<DetailColumn> ReadChosenDetails(const void* of, const Store& store, ProcessId process,
                                       std::span<const EventId> events, std::string_view key,
                                       Context& context) {
  const DetailState& state = StateOf(of);
  return Guarded<DetailColumn>(state, [&]() -> Result<DetailColumn> {
    return ReadColumn(state, store, process, events, key, context);
  });
}

}  // namespace

DetailReader MakeDetailReader(std::shared_ptr<const DetailState> state) {
  DetailReader reader;
  reader.state = std::move(state);
  reader.column = ReadDetailColumn;
  reader.chosen = ReadChosenDetails;
  reader.event = ReadEventDetails;
  reader.label = ReadLabelDetails;
  reader.process = ReadProcessDetails;
  return reader;
}

}  // namespace tfprof::xspace
