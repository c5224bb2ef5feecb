// SPDX-License-Identifier: Apache-2.0
#include "views/columns/device_rows.h"

#include <algorithm>
#include <map>

#include "core/store/event_runs.h"
#include "core/store/time_unit.h"

namespace tfprof {
namespace {

using RowsByName = std::map<std::string_view, DeviceRow>;

DeviceRow& RowOf(const Store& store, LaneId lane, RowsByName* rows) {
  const std::string_view device = store.Text(store.lanes[lane.value].name);
  DeviceRow& row = (*rows)[device];
  row.device = device;
  return row;
}

void AddTo(int64_t value, int64_t* sum) {
  *sum = *sum == kNoInt ? value : SaturatingAdd(*sum, value);
}

RowsByName RowsOfProfile(const Store& store, const NodeAccounts& accounts, const NodeSums& sums,
                         std::span<const NodeId> nodes, const TimesCounted& counted) {
  RowsByName rows;
  for (const NodeId node : nodes) {
    const LaneId lane = accounts.counting_lane[node.value];
    if (counted.Of(node) == 0 || !lane.some()) continue;
    DeviceRow& row = RowOf(store, lane, &rows);
    const MemberSum sum = SumMembers({&node, 1}, counted, sums);
    ++row.nodes;
    if (TimeOf(sum) != kNoInt) AddTo(TimeOf(sum), &row.time);
    if (RunsOf(sum) != kNoInt) AddTo(RunsOf(sum), &row.runs);
  }
  return rows;
}

// A node of a trace has one row on each of its lanes: its time and, as in Aggregate, its runs
// there.
RowsByName RowsOfTrace(const Store& store, const NodeAccounts& accounts,
                       std::span<const NodeId> nodes, const TimesCounted& counted) {
  RowsByName rows;
  std::vector<bool> among(store.nodes.size());
  for (const NodeId node : nodes) among[node.value] = counted.Of(node) != 0;
  const std::vector<EventRun> runs = EventRuns(store);
  for (const Aggregate& aggregate : store.aggregates) {
    const uint32_t event = aggregate.event.value;
    const NodeId node = store.labels[store.events.label[event].value].node;
    const LaneId lane = RunOf(runs, aggregate.event).lane;
    if (!node.some() || !among[node.value] || !accounts.lane_counts[lane.value]) continue;
    DeviceRow& row = RowOf(store, lane, &rows);
    ++row.nodes;
    AddTo(WrapMul(TimeOfRow(store, store.lanes[lane.value], event), counted.Of(node)), &row.time);
    AddTo(aggregate.occurrences, &row.runs);
  }
  return rows;
}

}  // namespace

std::vector<DeviceRow> DeviceRows(const Store& store, const NodeAccounts& accounts,
                                  const NodeSums& sums, std::span<const NodeId> nodes,
                                  const TimesCounted& counted) {
  const RowsByName by_name = !store.IsTrace() ? RowsOfProfile(store, accounts, sums, nodes, counted)
                                              : RowsOfTrace(store, accounts, nodes, counted);
  std::vector<DeviceRow> rows;
  for (const auto& [name, row] : by_name) rows.push_back(row);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const DeviceRow& a, const DeviceRow& b) { return a.time > b.time; });
  return rows;
}

}  // namespace tfprof
