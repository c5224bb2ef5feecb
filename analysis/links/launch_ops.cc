// SPDX-License-Identifier: Apache-2.0
#include "analysis/links/launch_ops.h"

#include <algorithm>
#include <span>

#include "analysis/intervals/nesting.h"
#include "core/base/sorting.h"
#include "core/store/op_name.h"

namespace tfprof {
namespace {

// By label of the process: it is an operation, named with its type.
std::vector<bool> OpLabels(const Store& store, const Process& process) {
  std::vector<bool> is_op(process.labels.count);
  for (uint32_t i = 0; i < process.labels.count; ++i) {
    const std::string_view name = store.Text(store.labels[process.labels.first + i].name);
    is_op[i] = ParseOpName(name).family == OpFamily::tensorflow && !name.ends_with(':');
  }
  return is_op;
}

// A launch and its link: the row, then the index of the link in the lower half.
uint64_t KeyOf(uint64_t row, size_t link) { return row << 32 | link; }

std::vector<uint64_t> LaunchesByRow(const EventLinks& links) {
  std::vector<uint64_t> launches, scratch;
  for (size_t i = 0; i < links.size(); ++i) {
    if (links.kind[i] == LinkKind::launch) launches.push_back(KeyOf(links.from[i].value, i));
  }
  SortKeys(&launches, 32, &scratch);
  return launches;
}

// Finds the operations around the launches of one thread.
void TakeLane(const Store& store, const Lane& lane, const std::vector<bool>& is_op,
              uint32_t first_label, std::span<const uint64_t> launches, LaneNesting* nesting,
              std::vector<uint32_t>* op_of_link) {
  NestEvents(store, lane, nesting);
  std::vector<uint32_t> op_of(nesting->parent.size(), kNoRow);
  for (const uint32_t row : nesting->order) {
    const uint32_t around = nesting->ParentOf(row);
    uint32_t& op = op_of[row - nesting->first];
    if (is_op[store.events.label[row].value - first_label]) {
      op = row;
    } else if (around != kNoRow) {
      op = op_of[around - nesting->first];
    }
  }
  for (const uint64_t launch : launches) {
    const auto row = static_cast<uint32_t>(launch >> 32), link = static_cast<uint32_t>(launch);
    if (row >= nesting->first) (*op_of_link)[link] = op_of[row - nesting->first];
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

uint32_t LaunchOps::Around(uint32_t row) const {
  const size_t link = LaunchLinkOf(*links, row);
  return link == kNoLink ? kNoRow : op[link];
}

Result<LaunchOps> LaunchOps::Build(const Indexes& indexes, Context& context) {
  const Store& store = *indexes.store();
  LaunchOps found;
  TFPROF_ASSIGN(found.links, indexes.Get<LaunchLinks>(context));
  const std::vector<uint64_t> launches = LaunchesByRow(*found.links);
  const auto at = [&](uint32_t row) {
    return std::ranges::lower_bound(launches, KeyOf(row, 0)) - launches.begin();
  };
  found.op.assign(found.links->size(), kNoRow);
  LaneNesting nesting;
  for (const Process& process : store.processes) {
    if (process.kind != ProcessKind::host) continue;
    const std::vector<bool> is_op = OpLabels(store, process);
    for (uint32_t k = 0; k < process.lanes.count; ++k) {
      const Lane& lane = store.lanes[process.lanes.first + k];
      const auto first = at(lane.rows.first), end = at(lane.rows.first + lane.rows.count);
      if (first == end) continue;
      TFPROF_TRY(Poll(context));
      TakeLane(
          store, lane, is_op, process.labels.first,
          std::span(launches).subspan(static_cast<size_t>(first), static_cast<size_t>(end - first)),
          &nesting, &found.op);
    }
  }
  return found;
}

}  // namespace tfprof
