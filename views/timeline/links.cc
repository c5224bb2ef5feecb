// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "analysis/links/event_links.h"
#include "core/store/lanes.h"
#include "views/timeline/lanes.h"

namespace tfprof {
namespace {

constexpr uint32_t kNotDrawn = 0xFFFFFFFFu;

struct ArrowPosition {
  DrawnLanesPtr drawn;
  IndexPtr<EventLinks> links;
  std::vector<uint32_t> drawn_of_lane;  // index into DrawnLanes::lanes, or kNotDrawn
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
const DrawnLane* LaneIfDrawn(const ArrowPosition& at, EventId event) {
  if (!at.drawn->Draws(event.value)) return nullptr;
  const uint32_t index = at.drawn_of_lane[LaneOf(*at.drawn->store, event).value];
  if (index == kNotDrawn) return nullptr;
  const DrawnLane& lane = at.drawn->lanes[index];
  return lane.Takes(event) ? &lane : nullptr;
}

// A flow starts just before the end of its source span, or at the target's start if the source is
// still running then.
TraceArrow ArrowOf(const ArrowPosition& at, size_t link, uint32_t from_track, uint32_t to_track) {
  const Events& events = at.drawn->store->events;
  const uint32_t from = at.links->from[link].value;
  const int64_t start_ps = events.start_ps[from];
  const int64_t end_ps = SaturatingAdd(start_ps, events.duration_ps[from]);
  TraceArrow arrow;
  arrow.to_ps = events.start_ps[at.links->to[link].value];
  const int64_t leave_ps = SaturatingAdd(std::min(end_ps, arrow.to_ps), -kPsPerNs);
  arrow.from_ps = std::max(start_ps, leave_ps);
  arrow.name = NameOf(at.links->kind[link]);
  arrow.from_track = from_track;
  arrow.to_track = to_track;
  return arrow;
}

size_t NextArrow(ArrowPosition& at, std::span<TraceArrow> out) {
  size_t filled = 0;
  for (; filled < out.size() && at.next < at.links->size(); ++at.next) {
    const DrawnLane* from = LaneIfDrawn(at, at.links->from[at.next]);
    const DrawnLane* to = from == nullptr ? nullptr : LaneIfDrawn(at, at.links->to[at.next]);
    if (to != nullptr) out[filled++] = ArrowOf(at, at.next, from->track, to->track);
  }
  return filled;
}

}  // namespace

Result<Cursor<TraceArrow>> LinkArrows(DrawnLanesPtr drawn, const Indexes& indexes,
                                      Context& context) {
  TFPROF_ASSIGN(IndexPtr<EventLinks> links, indexes.Get<EventLinks>(context));
  std::vector<uint32_t> drawn_of_lane(drawn->store->lanes.size(), kNotDrawn);
  for (uint32_t i = 0; i < drawn->lanes.size(); ++i) {
    drawn_of_lane[drawn->lanes[i].lane.value] = i;
  }
  auto position = std::make_shared<ArrowPosition>(
      ArrowPosition{std::move(drawn), std::move(links), std::move(drawn_of_lane), 0});
  return CursorFrom<TraceArrow>(std::move(position), NextArrow);
}

}  // namespace tfprof
