// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <unordered_map>

#include "analysis/links/event_links.h"
#include "core/store/lanes.h"
#include "views/timeline/lanes.h"

namespace tfprof {
namespace {

constexpr uint32_t kNotExported = 0xFFFFFFFFu;

struct FlowPosition {
  ExportedLanesPtr exported;
  IndexPtr<EventLinks> links;
  std::vector<uint32_t> exported_of_lane;  // index into ExportedLanes::lanes, or kNotExported
  std::unordered_map<uint32_t, uint32_t> levels;  // by row: those above 0
  size_t next = 0;
};

std::string_view NameOf(LinkKind kind) {
  switch (kind) {
    case LinkKind::launch: return "launch";
    case LinkKind::iteration: return "iteration";
    default: return "hand over";
  }
}

// Returns the lane of an exported event; null: it is not exported.
const ExportedLane* LaneIfExported(const FlowPosition& at, EventId event) {
  if (!at.exported->Exports(event.value)) return nullptr;
  const uint32_t index = at.exported_of_lane[LaneOf(*at.exported->store, event).value];
  if (index == kNotExported) return nullptr;
  const ExportedLane& lane = at.exported->lanes[index];
  return lane.Takes(event) ? &lane : nullptr;
}

uint32_t LevelOf(const FlowPosition& at, EventId event) {
  const auto found = at.levels.find(event.value);
  return found == at.levels.end() ? 0 : found->second;
}

TraceFlow FlowOf(const FlowPosition& at, size_t link, uint32_t from_track, uint32_t to_track) {
  const Events& events = at.exported->store->events;
  const EventId from_event = at.links->from[link], to_event = at.links->to[link];
  const uint32_t from = from_event.value;
  TraceFlow flow;
  flow.to_ps = events.start_ps[to_event.value];
  flow.from_ps = FlowStart(events.start_ps[from], events.EndPs(from), flow.to_ps);
  flow.name = NameOf(at.links->kind[link]);
  flow.from_track = from_track;
  flow.to_track = to_track;
  flow.from_level = LevelOf(at, from_event);
  flow.to_level = LevelOf(at, to_event);
  return flow;
}

size_t NextFlow(FlowPosition& at, std::span<TraceFlow> out) {
  size_t filled = 0;
  for (; filled < out.size() && at.next < at.links->size(); ++at.next) {
    const ExportedLane* from = LaneIfExported(at, at.links->from[at.next]);
    const ExportedLane* to = from == nullptr ? nullptr : LaneIfExported(at, at.links->to[at.next]);
    if (to != nullptr) out[filled++] = FlowOf(at, at.next, from->track, to->track);
  }
  return filled;
}

// Spans are read lane by lane, and flows jump between lanes: they cannot share a reader.
Result<void> FindLevels(FlowPosition* at, Context& context) {
  LaneRow row;
  for (const ExportedLane& lane : at->exported->lanes) {
    LaneReader reader(*at->exported, lane);
    for (size_t rows = 0; reader.Next(&row); ++rows) {
      if (rows % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
      if (row.level > 0) at->levels.emplace(row.row, row.level);
    }
  }
  return {};
}

}  // namespace

Result<Cursor<TraceFlow>> LinkFlows(ExportedLanesPtr exported, const Indexes& indexes,
                                    Context& context) {
  TFPROF_ASSIGN(IndexPtr<EventLinks> links, indexes.Get<EventLinks>(context));
  std::vector<uint32_t> exported_of_lane(exported->store->lanes.size(), kNotExported);
  for (uint32_t i = 0; i < exported->lanes.size(); ++i) {
    exported_of_lane[exported->lanes[i].lane.value] = i;
  }
  auto position = std::make_shared<FlowPosition>(
      FlowPosition{std::move(exported), std::move(links), std::move(exported_of_lane), {}, 0});
  if (position->links->size() > 0) TFPROF_TRY(FindLevels(position.get(), context));
  return CursorFrom<TraceFlow>(std::move(position), NextFlow);
}

}  // namespace tfprof
