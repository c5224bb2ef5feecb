// SPDX-License-Identifier: Apache-2.0
#include "analysis/links/launch_ops.h"

#include <algorithm>

#include "analysis/intervals/nesting.h"
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

// Finds the operations around the launches [first, end) of one thread.
void TakeLane(const Store& store, const Lane& lane, const std::vector<bool>& is_op,
              uint32_t first_label, size_t first, size_t end, LaneNesting* nesting,
              LaunchOps* found) {
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
  for (size_t i = first; i < end; ++i) {
    if (found->launch[i] >= nesting->first) found->op[i] = op_of[found->launch[i] - nesting->first];
  }
}

}  // namespace

EventId LaunchOf(const EventLinks& links, uint32_t row) {
  for (size_t i = links.FirstTo(row); i < links.size() && links.to[i].value == row; ++i) {
    if (links.kind[i] == LinkKind::launch) return links.from[i];
  }
  return {};
}

uint32_t LaunchOps::Around(uint32_t row) const {
  const EventId event = LaunchOf(*links, row);
  if (!event.some()) return kNoRow;
  return op[static_cast<size_t>(std::ranges::lower_bound(launch, event.value) - launch.begin())];
}

Result<LaunchOps> LaunchOps::Build(const Indexes& indexes, Context& context) {
  const Store& store = *indexes.store();
  LaunchOps found;
  TFPROF_ASSIGN(found.links, indexes.Get<EventLinks>(context));
  for (size_t i = 0; i < found.links->size(); ++i) {
    if (found.links->kind[i] == LinkKind::launch) {
      found.launch.push_back(found.links->from[i].value);
    }
  }
  std::ranges::sort(found.launch);
  found.launch.erase(std::unique(found.launch.begin(), found.launch.end()), found.launch.end());
  found.op.assign(found.launch.size(), kNoRow);
  LaneNesting nesting;
  for (const Process& process : store.processes) {
    if (process.kind != ProcessKind::host) continue;
    const std::vector<bool> is_op = OpLabels(store, process);
    for (uint32_t k = 0; k < process.lanes.count; ++k) {
      const Lane& lane = store.lanes[process.lanes.first + k];
      const auto at = [&](uint32_t row) {
        return static_cast<size_t>(std::ranges::lower_bound(found.launch, row) -
                                   found.launch.begin());
      };
      const size_t first = at(lane.rows.first), end = at(lane.rows.first + lane.rows.count);
      if (first == end) continue;
      TFPROF_TRY(Poll(context));
      TakeLane(store, lane, is_op, process.labels.first, first, end, &nesting, &found);
    }
  }
  return found;
}

}  // namespace tfprof
