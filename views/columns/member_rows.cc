// SPDX-License-Identifier: Apache-2.0
#include "views/columns/member_rows.h"

#include <algorithm>

#include "core/report/table_def.h"
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

}  // namespace

Result<TimesCounted> CountMembers(const Store& store, const NodeAccounts& accounts,
                                  const Query& query, Context& context) {
  TimesCounted counted;
  // Without nodes the result is the same either way.
  if (CountsAll(query.nodes, query.place) || store.nodes.empty()) return counted;
  TFPROF_ASSIGN(counted.times, CountTimes(store, accounts, query.nodes, context));
  return counted;
}

MemberSum SumMembers(std::span<const NodeId> nodes, const TimesCounted& counted,
                     const NodeSums& sums) {
  MemberSum sum;
  int64_t runs = 0;
  for (const NodeId node : nodes) {
    const uint32_t times = counted.Of(node);
    if (times == 0) continue;
    const MeasureValues& values = sums.values[node.value];
    for (size_t i = 0; i < kMeasures; ++i) {
      sum.values[i] = WrapAdd(sum.values[i], WrapMul(values[i], times));
    }
    runs = WrapAdd(runs, At(values, Measure::run_count));
    sum.present |= sums.present[node.value];
    ++sum.nodes;
  }
  At(sum.values, Measure::run_count) = runs;
  At(sum.values, Measure::definition_count) = sum.nodes;
  return sum;
}

void AddMembers(std::span<const NodeId> nodes, const TimesCounted& counted, Table& table) {
  if (table.first_member.empty()) table.first_member.push_back(0);
  for (const NodeId node : nodes) {
    if (counted.Of(node) != 0) table.members.push_back(node);
  }
  table.first_member.push_back(static_cast<uint32_t>(table.members.size()));
}

void AddDeviceColumn(const Report& report, Table& table, const NodeAccounts& accounts) {
  const Store& store = *report.store;
  ReportColumn& column = AddColumn(table, "device");
  column.lists.resize(table.rows);
  NameSet seen(store);
  for (uint32_t row = 0; row < table.rows; ++row) {
    for (const NodeId node : MembersOf(table, row)) {
      const auto add = [&](NameId name) {
        if (seen.Add(name, row)) column.lists[row].push_back(store.names[name]);
      };
      if (!accounts.counting_lane[node.value].some()) add(NameId(0));
      accounts.counting_lane.Each(node, [&](LaneId lane) { add(store.lanes[lane.value].name); });
    }
    std::sort(column.lists[row].begin(), column.lists[row].end());
  }
}

void AddTypesColumn(const Report& report, Table& table, const NodeAccounts& accounts) {
  const Store& store = *report.store;
  ReportColumn& column = AddColumn(table, "op_types");
  column.lists.resize(table.rows);
  NameSet seen(store);
  for (uint32_t row = 0; row < table.rows; ++row) {
    for (const NodeId node : MembersOf(table, row)) {
      for (const NameId type : TypesOf(accounts, node)) {
        if (seen.Add(type, row)) column.lists[row].push_back(store.names[type]);
      }
    }
    std::sort(column.lists[row].begin(), column.lists[row].end());
  }
}

}  // namespace tfprof
