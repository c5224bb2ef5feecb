// SPDX-License-Identifier: Apache-2.0
#include "views/executions.h"

#include "core/event_runs.h"

namespace tfprof {
namespace {

struct Position {
  StorePtr store;
  std::shared_ptr<const NodeAccounts> accounts;
  Column<uint32_t> row_of_node;  // Table::kNoRow: not shown
  std::vector<EventRun> runs;    // what is left; the first one from `next_row` on
  size_t run = 0;
  uint32_t next_row = 0;
};

// Sets *span if the event at the position is asked for.
bool Read(const Position& at, Span* span) {
  const Store& store = *at.store;
  const uint32_t row = at.next_row;
  const LaneId lane = at.runs[at.run].lane;
  const NodeId node = store.labels[store.events.label[row].value].node;
  if (!node.some() || at.row_of_node[node.value] == Table::kNoRow) return false;
  if (store.events.start_ps[row] == kNoTime) return false;
  if (at.accounts->lane_counts[lane.value] && at.accounts->counting_lane[node.value] != lane) {
    return false;
  }
  *span = {store.events.start_ps[row],
           store.events.duration_ps[row],
           lane,
           at.row_of_node[node.value],
           node,
           EventId(row)};
  return true;
}

size_t Next(void* state, std::span<Span> out) {
  Position& at = *static_cast<Position*>(state);
  size_t filled = 0;
  while (filled < out.size() && at.run < at.runs.size()) {
    if (at.next_row == at.runs[at.run].end) {
      if (++at.run < at.runs.size()) at.next_row = at.runs[at.run].first;
      continue;
    }
    if (Read(at, &out[filled])) ++filled;
    ++at.next_row;
  }
  return filled;
}

}  // namespace

Cursor<Span> ExecutionsOf(StorePtr store, std::shared_ptr<const NodeAccounts> accounts,
                          const std::vector<NodeId>& node_of_row, int64_t step) {
  auto position = std::make_shared<Position>();
  position->row_of_node.Resize(store->nodes.size(), Table::kNoRow);
  for (uint32_t row = 0; row < node_of_row.size(); ++row) {
    if (node_of_row[row].some()) position->row_of_node[node_of_row[row].value] = row;
  }
  const StepId asked = step < 0 ? StepId() : StepOfNumber(*store, step);
  for (const EventRun& run : EventRuns(*store)) {
    if (step < 0 || run.step == asked) position->runs.push_back(run);
  }
  if (!position->runs.empty()) position->next_row = position->runs[0].first;
  position->store = std::move(store);
  position->accounts = std::move(accounts);
  return {std::move(position), Next};
}

}  // namespace tfprof
