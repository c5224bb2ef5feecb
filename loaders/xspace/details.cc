// SPDX-License-Identifier: Apache-2.0
#include "loaders/xspace/details.h"

#include "core/base/parallel.h"
#include "core/store/store.h"
#include "loaders/hlo/hlo.h"
#include "loaders/wire/message.h"
#include "loaders/xspace/events.h"
#include "loaders/xspace/planes.h"
#include "loaders/xspace/walk.h"
#include "proto/xplane_fields.h"

namespace tfprof::xspace {
namespace {

using StatePtr = std::shared_ptr<const DetailState>;
using Details = std::vector<Detail>;

Details ResolveAll(const std::vector<std::string_view>& stats, const StatNames& names) {
  Details details;
  for (const std::string_view stat : stats) details.push_back(Resolve(ReadStat(stat), names));
  return details;
}

// Of a damaged event those before the damage, which columns have, too.
std::vector<std::string_view> StatsOf(std::string_view event) {
  std::vector<std::string_view> stats;
  wire::ReadMessage(event, wire::Each<field::XEvent::stats>(wire::PushTo(&stats)));
  return stats;
}

Result<Details> ReadEventDetails(const StatePtr& state, const Store& store, EventId event) {
  const Lane& lane = store.lanes[LaneOf(store, event).value];
  const uint32_t plane = store.processes[lane.process.value].index;
  const uint32_t detail = store.events.detail[event.value];
  if (detail == kNoDetail) return Details();
  return GuardReads(state->file, [&]() -> Result<Details> {
    const std::string_view line = state->layout.planes[plane].lines[lane.index].bytes;
    return ResolveAll(StatsOf(EventAt(line, detail)), state->names[plane]);
  });
}

Result<Details> ReadLabelDetails(const StatePtr& state, const Store& store, LabelId label) {
  const Process& process = store.processes[ProcessOf(store, label).value];
  const Plane& plane = state->layout.planes[process.index];
  const uint32_t place = label.value - process.labels.first;
  if (place >= plane.event_metadata.size()) return Details();  // labels of unknown events
  return GuardReads(state->file, [&]() -> Result<Details> {
    const EventMetadata metadata = ReadEventMetadata(plane.event_metadata[place].value);
    return ResolveAll(metadata.stats, state->names[process.index]);
  });
}

Result<Details> ReadProcessDetails(const StatePtr& state, const Store& store, ProcessId process) {
  const uint32_t index = store.processes[process.value].index;
  return GuardReads(state->file, [&]() -> Result<Details> {
    Details details = ResolveAll(state->layout.planes[index].stats, state->names[index]);
    if (state->layout.hostnames.size() == 1) {
      details.push_back({"hostname", ValueKind::text, 0, state->layout.hostnames[0], nullptr});
    }
    return details;
  });
}

// Returns the bytes of a module in the details of its label, with padding for the wire reader.
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

Result<Program> ReadModule(const StatePtr& state, const Store& store, ModuleId module) {
  TFPROF_ASSIGN(Details details, ReadLabelDetails(state, store, store.modules[module.value].label));
  const Detail found = ModuleBytes(std::move(details));
  return GuardReads(state->file, [&]() -> Result<Program> {
    Program program;
    const char* bad = hlo::ReadModule(found.text, &program);
    if (bad == nullptr) return program;
    const char* in_file = found.owned == nullptr ? bad : state->file.bytes.data();
    const std::string name(store.Text(store.modules[module.value].name));
    return Fail(ErrorKind::corrupt, "the program " + name + " is damaged or truncated",
                state->file.At(in_file));
  });
}

}  // namespace

DetailReader MakeDetailReader(std::shared_ptr<const DetailState> state) {
  DetailReader reader;
  reader.columns = [state](const Store& store, ProcessId process, DetailKeys keys,
                           Context& context) {
    return GuardReads(state->file,
                      [&] { return ReadColumns(*state, store, process, keys, context); });
  };
  reader.chosen = [state](const Store& store, ProcessId process, std::span<const EventId> events,
                          DetailKeys keys, Context& context) {
    return GuardReads(state->file,
                      [&] { return ReadColumns(*state, store, process, events, keys, context); });
  };
  reader.event = std::bind_front(ReadEventDetails, state);
  reader.label = std::bind_front(ReadLabelDetails, state);
  reader.process = std::bind_front(ReadProcessDetails, state);
  reader.program = std::bind_front(ReadModule, state);
  return reader;
}

}  // namespace tfprof::xspace
