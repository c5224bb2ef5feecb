// SPDX-License-Identifier: Apache-2.0
#include "analysis/links/launch_ops.h"

#include <span>

#include "analysis/intervals/nesting.h"
#include "core/store/op_name.h"

namespace tfprof {
namespace {

// By label of the process: it is an operation; where the recorder has no categories, one that is
// named with its type.
std::vector<bool> OpLabels(const Store& store, const Process& process) {
  std::vector<bool> is_op(process.labels.count);
  for (uint32_t i = 0; i < process.labels.count; ++i) {
    const Label& label = store.labels[process.labels.first + i];
    const std::string_view name = store.Text(OpText(label));
    const bool has_type = label.of != EventClass::none || !name.ends_with(':');
    is_op[i] = LaunchesWork(OpNameOf(label.of, name)) && has_type;
  }
  return is_op;
}

// By lane: something was launched on it.
std::vector<bool> LanesThatLaunch(const Store& store, const EventLinks& links) {
  std::vector<bool> launches(store.lanes.size());
  Range last;  // most launches follow one of the same lane
  for (size_t i = 0; i < links.size(); ++i) {
    const uint32_t row = links.from[i].value;
    if (links.kind[i] != LinkKind::launch || row - last.first < last.count) continue;
    const LaneId lane = LaneOf(store, links.from[i]);
    launches[lane.value] = true;
    last = store.lanes[lane.value].rows;
  }
  return launches;
}

// Sets the innermost operation around each event of a thread, or the event itself if it is one.
void TakeLane(const Store& store, const Lane& lane, const std::vector<bool>& is_op,
              uint32_t first_label, LaneNesting* nesting, std::span<uint32_t> op_of_row) {
  NestEvents(store, lane, nesting);
  for (const uint32_t row : nesting->order) {
    const uint32_t around = nesting->ParentOf(row);
    if (is_op[store.events.label[row].value - first_label]) {
      op_of_row[row] = row;
    } else if (around != kNoRow) {
      op_of_row[row] = op_of_row[around];
    }
  }
}

constexpr size_t kNoLink = static_cast<size_t>(-1);

size_t LaunchLinkOf(const EventLinks& links, uint32_t row) {
  for (size_t i = links.FirstTo(row); i < links.size() && links.to[i].value == row; ++i) {
    if (links.kind[i] == LinkKind::launch) return i;
  }
  return kNoLink;
}

}  // namespace

EventId LaunchOf(const EventLinks& links, uint32_t row) {
  const size_t link = LaunchLinkOf(links, row);
  return link == kNoLink ? EventId() : links.from[link];
}

uint32_t FirstLaunched(const EventLinks& links, const Lane& stream) {
  for (const uint32_t row : stream.PlacedRows()) {
    if (LaunchOf(links, row).some()) return row;
  }
  return stream.PlacedRows().first;
}

uint32_t LaunchOps::Around(uint32_t row) const {
  const size_t link = LaunchLinkOf(*links, row);
  return link == kNoLink ? kNoRow : op[link];
}

Result<LaunchOps> LaunchOps::Build(const Indexes& indexes, Context& context) {
  const Store& store = *indexes.store();
  LaunchOps found;
  TFPROF_ASSIGN(found.links, indexes.Get<LaunchLinks>(context));
  const EventLinks& links = *found.links;
  const std::vector<bool> launches = LanesThatLaunch(store, links);
  std::vector<uint32_t> op_of_row(store.EventCount(), kNoRow);
  LaneNesting nesting;
  for (const Process& process : store.processes) {
    if (process.kind != ProcessKind::host) continue;
    const std::vector<bool> is_op = OpLabels(store, process);
    for (uint32_t k = 0; k < process.lanes.count; ++k) {
      if (!launches[process.lanes.first + k]) continue;
      TFPROF_TRY(Poll(context));
      TakeLane(store, store.lanes[process.lanes.first + k], is_op, process.labels.first, &nesting,
               op_of_row);
    }
  }
  found.op.assign(links.size(), kNoRow);
  for (size_t i = 0; i < links.size(); ++i) {
    if (links.kind[i] == LinkKind::launch) found.op[i] = op_of_row[links.from[i].value];
  }
  return found;
}

}  // namespace tfprof
