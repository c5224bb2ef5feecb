// SPDX-License-Identifier: Apache-2.0
#include "loaders/xspace/details.h"

#include <algorithm>

#include "core/base/parallel.h"
#include "core/store/store.h"
#include "loaders/hlo/hlo.h"
#include "loaders/wire/wire.h"
#include "loaders/xspace/column.h"
#include "loaders/xspace/events.h"
#include "loaders/xspace/planes.h"
#include "loaders/xspace/walk.h"
#include "proto/xplane_fields.h"

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
    if (fields.tag() == wire::Tag(field::XEvent::stats, wire::kBytes)) {
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
    Details details = ResolveAll(state.layout.planes[index].stats, state.names[index]);
    if (state.layout.hostnames.size() == 1) {
      details.push_back({"hostname", ValueKind::text, 0, state.layout.hostnames[0], nullptr});
    }
    return details;
  });
}

using Columns = std::vector<DetailColumn>;

Result<Columns> ReadDetailColumns(const void* of, const Store& store, ProcessId process,
                                  DetailKeys keys, Context& context) {
  const DetailState& state = StateOf(of);
  return Guarded<Columns>(state, [&]() -> Result<Columns> {
    return ReadColumns(state, store, process, keys, context);
  });
}

Result<Columns> ReadChosenDetails(const void* of, const Store& store, ProcessId process,
                                  std::span<const EventId> events, DetailKeys keys,
                                  Context& context) {
  const DetailState& state = StateOf(of);
  return Guarded<Columns>(state, [&]() -> Result<Columns> {
    return ReadColumns(state, store, process, events, keys, context);
  });
}

// The bytes of a module among what its label says, with room behind them for the wire reader.
Detail ModuleBytes(Details details) {
  for (Detail& detail : details) {
    if (detail.kind != ValueKind::bytes && detail.kind != ValueKind::text) continue;
    if (detail.key != kProgramStat) continue;
    if (detail.owned != nullptr) {
      auto padded = std::make_shared<std::string>(detail.text);
      padded->append(SourceFile::kPadding, '\0');
      detail.text = std::string_view(*padded).substr(0, detail.text.size());
      detail.owned = std::move(padded);
    }
    return std::move(detail);
  }
  return {};
}

Result<Program> ReadModule(const void* of, const Store& store, ModuleId module) {
  const DetailState& state = StateOf(of);
  TFPROF_ASSIGN(Details details, ReadLabelDetails(of, store, store.modules[module.value].label));
  const Detail found = ModuleBytes(std::move(details));
  return Guarded<Program>(state, [&]() -> Result<Program> {
    Program program;
    const char* bad = hlo::ReadModule(found.text, &program);
    if (bad == nullptr) return program;
    const char* in_file = found.owned == nullptr ? bad : state.file.bytes.data();
    const std::string name(store.Text(store.modules[module.value].name));
    return Fail(ErrorKind::corrupt, "the program " + name + " is damaged or cut off",
                state.file.At(static_cast<uint64_t>(in_file - state.file.bytes.data())));
  });
}

}  // namespace

DetailReader MakeDetailReader(std::shared_ptr<const DetailState> state) {
  DetailReader reader;
  reader.state = std::move(state);
  reader.columns = ReadDetailColumns;
  reader.chosen = ReadChosenDetails;
  reader.event = ReadEventDetails;
  reader.label = ReadLabelDetails;
  reader.process = ReadProcessDetails;
  reader.program = ReadModule;
  return reader;
}

}  // namespace tfprof::xspace
