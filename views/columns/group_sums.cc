// SPDX-License-Identifier: Apache-2.0
#include "views/columns/group_sums.h"

#include <algorithm>
#include <functional>
#include <map>

#include "analysis/nodes/tree_totals.h"
#include "core/base/sorting.h"
#include "core/report/table_def.h"
#include "core/store/event_runs.h"
#include "core/store/store.h"
#include "views/columns/measure_rows.h"

namespace tfprof {
namespace {

// The names already seen in a row. Stores the last row that saw each name, so that no row has to
// clear it.
struct NameSet {
  std::vector<uint32_t> last_row;  // by name: row + 1
  explicit NameSet(const Store& store) : last_row(store.names.size(), 0) {}

  bool Add(NameId name, uint32_t row) {
    const bool is_new = last_row[name.value] != row + 1;
    last_row[name.value] = row + 1;
    return is_new;
  }
};

std::span<const NodeId> MembersOf(const Table& table, size_t row) {
  return std::span(table.members)
      .subspan(table.first_member[row], table.first_member[row + 1] - table.first_member[row]);
}

// Adds a column of names: each(node, add) calls add(name) for those of a member.
template <class Each>
void AddNames(std::string_view id, const Report& report, Table& table, const Each& each) {
  const Store& store = *report.store;
  ReportColumn& column = AddColumn(table, id);
  column.lists.resize(table.rows);
  NameSet seen(store);
  for (uint32_t row = 0; row < table.rows; ++row) {
    const auto add = [&](NameId name) {
      if (seen.Add(name, row)) column.lists[row].push_back(store.names[name]);
    };
    for (const NodeId node : MembersOf(table, row)) each(node, add);
    std::sort(column.lists[row].begin(), column.lists[row].end());
  }
}

using RowsByName = std::map<std::string_view, DeviceRow>;

DeviceRow& RowOf(const Store& store, LaneId lane, RowsByName* rows) {
  const std::string_view device = store.Text(store.lanes[lane.value].name);
  DeviceRow& row = (*rows)[device];
  row.device = device;
  return row;
}

RowsByName RowsOfProfile(const Store& store, const NodeCosts& costs,
                         std::span<const NodeId> nodes) {
  RowsByName rows;
  for (const NodeId node : nodes) {
    const LaneId lane = costs.accounts->counting_lane[node.value];
    if (costs.counted.Of(node) == 0 || !lane.some()) continue;
    DeviceRow& row = RowOf(store, lane, &rows);
    const GroupSum sum = costs.Of({&node, 1});
    ++row.nodes;
    if (TimeOf(sum) != kNoInt) AddPresent(TimeOf(sum), &row.time);
    if (RunsOf(sum) != kNoInt) AddPresent(RunsOf(sum), &row.runs);
  }
  return rows;
}

// A node of a trace has one row on each of its lanes: its time and, as in Aggregate, its runs
// there.
RowsByName RowsOfTrace(const Store& store, const NodeCosts& costs, std::span<const NodeId> nodes) {
  RowsByName rows;
  std::vector<bool> among(store.nodes.size());
  for (const NodeId node : nodes) among[node.value] = costs.counted.Of(node) != 0;
  const std::vector<EventRun> runs = EventRuns(store);
  for (const Aggregate& aggregate : store.aggregates) {
    const uint32_t event = aggregate.event.value;
    const NodeId node = store.labels[store.events.label[event].value].node;
    const LaneId lane = RunOf(runs, aggregate.event).lane;
    if (!node.some() || !among[node.value] || !costs.accounts->lane_counts[lane.value]) continue;
    DeviceRow& row = RowOf(store, lane, &rows);
    ++row.nodes;
    AddPresent(WrapMul(store.events.duration_ps[event], costs.counted.Of(node)), &row.time);
    AddPresent(aggregate.occurrences, &row.runs);
  }
  return rows;
}

}  // namespace

bool CostsMore(const GroupSum& a, const GroupSum& b) {
  const int64_t left = TimeOf(a) == kNoInt ? -1 : TimeOf(a);
  const int64_t right = TimeOf(b) == kNoInt ? -1 : TimeOf(b);
  return left != right ? left > right : a.nodes > b.nodes;
}

Result<NodeCosts> CostsOf(const Store& store, const Indexes& indexes, const Query& query,
                          Context& context) {
  NodeCosts costs;
  TFPROF_ASSIGN(costs.accounts, indexes.Get<NodeAccounts>(query.place, context));
  TFPROF_ASSIGN(costs.sums, indexes.Get<NodeSums>(query.place, context));
  // Without nodes the result is the same either way.
  if (CountsAll(query.nodes, query.place) || store.nodes.empty()) return costs;
  TFPROF_ASSIGN(costs.counted.times, CountTimes(store, *costs.accounts, query.nodes, context));
  if (query.place.exact) {
    for (uint32_t& times : costs.counted.times) times = std::min<uint32_t>(times, 1);
  }
  return costs;
}

GroupSum NodeCosts::Of(std::span<const NodeId> nodes) const {
  GroupSum sum;
  int64_t runs = 0;
  for (const NodeId node : nodes) {
    const uint32_t times = counted.Of(node);
    if (times == 0) continue;
    const MeasureValues& values = sums->values[node.value];
    for (uint32_t i = 0; i < times; ++i) AddValues(values, &sum.values);
    runs = WrapAdd(runs, At(values, Measure::run_count));
    sum.present |= sums->present[node.value];
    ++sum.nodes;
  }
  At(sum.values, Measure::run_count) = runs;
  At(sum.values, Measure::definition_count) = sum.nodes;
  return sum;
}

void AddMembers(std::span<const NodeId> nodes, const NodeMultiplicity& counted, Table& table) {
  if (table.first_member.empty()) table.first_member.push_back(0);
  for (const NodeId node : nodes) {
    if (counted.Of(node) != 0) table.members.push_back(node);
  }
  table.first_member.push_back(static_cast<uint32_t>(table.members.size()));
}

void AddDeviceColumn(const Report& report, Table& table, const NodeAccounts& accounts) {
  const std::vector<Lane>& lanes = report.store->lanes;
  AddNames("device", report, table, [&](NodeId node, const auto& add) {
    if (!accounts.counting_lane[node.value].some()) add(NameId(0));
    accounts.counting_lane.Each(node, [&](LaneId lane) { add(lanes[lane.value].name); });
  });
}

void AddTypesColumn(const Report& report, Table& table, const NodeAccounts& accounts) {
  AddNames("op_types", report, table, [&](NodeId node, const auto& add) {
    for (const NameId type : TypesOf(accounts, node)) add(type);
  });
}

std::vector<DeviceRow> DeviceRows(const Store& store, const NodeCosts& costs,
                                  std::span<const NodeId> nodes) {
  const RowsByName by_name =
      store.IsTrace() ? RowsOfTrace(store, costs, nodes) : RowsOfProfile(store, costs, nodes);
  std::vector<DeviceRow> rows;
  for (const auto& [name, row] : by_name) rows.push_back(row);
  StableSort(rows, std::greater(), &DeviceRow::time);
  return rows;
}

}  // namespace tfprof
