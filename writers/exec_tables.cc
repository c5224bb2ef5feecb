// SPDX-License-Identifier: Apache-2.0
#include "writers/exec_tables.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/base/context.h"
#include "core/store/details.h"
#include "core/store/op_name.h"

namespace tfprof {
namespace {

NodeId NodeOf(const Store& store, uint32_t event) {
  return store.labels[store.events.label[event].value].node;
}

// `each(take)` calls take(node, row) for every row. It is called twice and must keep the order.
template <class Each>
Result<NodeRows> GroupByNode(size_t nodes, Each each) {
  NodeRows out;
  out.first.Resize(nodes + 1, 0);
  TFPROF_TRY(each([&](NodeId node, uint32_t) { ++out.first[node.value]; }));
  uint32_t start = 0;
  for (uint32_t& count : out.first) start += std::exchange(count, start);
  out.row.Extend(start);
  Column<uint32_t> next;
  std::copy(out.first.begin(), out.first.end(), next.Extend(out.first.size()));
  TFPROF_TRY(each([&](NodeId node, uint32_t row) { out.row[next[node.value]++] = row; }));
  return out;
}

// The rows of a table, whose rows belong to events, of each node by event.
template <class Rows>
Result<NodeRows> SideRows(const Store& store, const Rows& table, Context& context) {
  const auto each = [&](auto take) -> Result<void> {
    for (uint32_t row = 0; row < table.size(); ++row) {
      if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
      const NodeId node = NodeOf(store, table[row].event.value);
      if (node.some()) take(node, row);
    }
    return {};
  };
  TFPROF_ASSIGN(NodeRows rows, GroupByNode(store.nodes.size(), each));
  for (size_t node = 0; node < store.nodes.size(); ++node) {
    std::stable_sort(rows.row.begin() + rows.first[node], rows.row.begin() + rows.first[node + 1],
                     [&](uint32_t a, uint32_t b) { return table[a].event < table[b].event; });
  }
  return rows;
}

// The events of each node by step (those without a step are last), then by lane, then by row.
// `runs`: all runs of the store, by row.
Result<NodeRows> EventsOfNodes(const Store& store, std::vector<EventRun> runs, Context& context) {
  std::stable_sort(runs.begin(), runs.end(), [](const EventRun& a, const EventRun& b) {
    return a.step != b.step ? a.step < b.step : a.lane < b.lane;
  });
  return GroupByNode(store.nodes.size(), [&](auto take) -> Result<void> {
    for (const EventRun& run : runs) {
      for (uint32_t row = run.first; row < run.end; ++row) {
        if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
        const NodeId node = NodeOf(store, row);
        if (node.some()) take(node, row);
      }
    }
    return {};
  });
}

constexpr std::string_view kSumOfStreams = "stream:all";

int64_t FloorDiv(int64_t a, int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

// Returns the device text of a lane. The format marks a sum of streams only by its name.
std::string TextOf(const Store& store, const Lane& lane) {
  std::string text(store.Text(lane.name));
  const bool named = text.find(kSumOfStreams) != text.npos;
  if (lane.measures == Measures::accelerator_time && !named) text.append("/").append(kSumOfStreams);
  return text;
}

LaneText::Kind KindOf(const std::string& text) {
  if (text.find(kSumOfStreams) != text.npos) return LaneText::accelerator;
  return HasDeviceForm(text) ? LaneText::device : LaneText::silent;
}

void NameLanes(ExecTables* tables) {
  std::vector<std::string>& texts = tables->texts;
  for (const Lane& lane : tables->store.lanes) texts.push_back(TextOf(tables->store, lane));
  const std::vector<std::string> by_lane = texts;
  std::sort(texts.begin(), texts.end());
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  for (const std::string& text : by_lane) {
    const auto at = std::lower_bound(texts.begin(), texts.end(), text);
    tables->lanes.push_back({static_cast<uint32_t>(at - texts.begin()), KindOf(text)});
  }
}

bool Before(const Declared& row, NodeId node, StepId step) {
  return row.node != node ? row.node < node : row.step < step;
}

void SortDeclared(ExecTables* tables) {
  const Column<Declared>& rows = tables->store.declared;
  tables->declared.resize(rows.size());
  std::iota(tables->declared.begin(), tables->declared.end(), 0);
  std::stable_sort(tables->declared.begin(), tables->declared.end(), [&](uint32_t a, uint32_t b) {
    return Before(rows[a], rows[b].node, rows[b].step);
  });
}

void MoveTimes(ExecTables* tables) {
  const Store& store = tables->store;
  int64_t earliest_us = 1;
  for (const Lane& lane : store.lanes) {
    if (lane.unplaced == lane.rows.count) continue;
    const int64_t start_ps = store.events.start_ps[lane.rows.first + lane.unplaced];
    earliest_us = std::min(earliest_us, Micros(start_ps, *tables));
  }
  tables->moved_us = 1 - earliest_us;
}

}  // namespace

void Amount::Add(int64_t duration_ps, std::string_view place) {
  if (count++ == 0) first_place = place;
  cost_ps = SaturatingAdd(cost_ps, duration_ps);
}

int64_t Micros(int64_t ps, const ExecTables& tables) {
  const int64_t epoch_ns = tables.store.epoch_ns;
  const int64_t epoch_us = FloorDiv(epoch_ns, kNsPerUs);
  const int64_t rest_ps = (epoch_ns - epoch_us * kNsPerUs) * kPsPerNs;
  const int64_t us = FloorDiv(SaturatingAdd(ps, rest_ps), kPsPerUs);
  return WrapAdd(WrapAdd(us, epoch_us), tables.moved_us);
}

const Declared* FindDeclared(NodeId node, StepId step, const ExecTables& tables) {
  const Column<Declared>& rows = tables.store.declared;
  const auto at =
      std::lower_bound(tables.declared.begin(), tables.declared.end(), node,
                       [&](uint32_t row, NodeId n) { return Before(rows[row], n, step); });
  if (at == tables.declared.end()) return nullptr;
  return rows[*at].node == node && rows[*at].step == step ? &rows[*at] : nullptr;
}

Result<ExecTables> PrepareExecs(const Store& store, Context& context) {
  ExecTables tables{store, EventRuns(store), {}, {}, {}, {}, {}, {}, {}};
  TFPROF_ASSIGN(tables.events, EventsOfNodes(store, tables.runs, context));
  TFPROF_ASSIGN(tables.memory, SideRows(store, store.exec_memory, context));
  TFPROF_ASSIGN(tables.allocations, ReadAllocations(store, context));
  TFPROF_ASSIGN(tables.allocations_of, SideRows(store, tables.allocations, context));
  NameLanes(&tables);
  SortDeclared(&tables);
  MoveTimes(&tables);
  return tables;
}

LaneId CountingLane(NodeId node, const ExecTables& tables) {
  const Range lanes = tables.store.nodes[node.value].lanes;
  for (const LaneId lane : tables.store.node_lanes.Rows(lanes.first, lanes.count)) {
    if (tables.lanes[lane.value].kind == LaneText::device) return lane;
  }
  return {};
}

}  // namespace tfprof
