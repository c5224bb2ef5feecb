// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include <string_view>
#include <vector>

#include "analysis/indexes.h"
#include "analysis/nodes/accounting.h"
#include "core/query/query.h"
#include "core/report/report.h"

// Rows that represent several graph nodes, their members.

namespace tfprof {

// How often each node counts, by node: by the original's rules the number of account expressions
// that match it, exactly at most once. Empty: every node counts once, the usual case.
struct NodeMultiplicity {
  Column<uint32_t> times;
  uint32_t Of(NodeId node) const { return times.empty() ? 1 : times[node.value]; }
  bool all() const { return times.empty(); }
};

// Self values of a row. A node that counts twice adds its values twice, but runs and definitions
// add each node once (the original's rule).
struct GroupSum {
  MeasureValues values{};
  uint8_t present = 0;
  uint32_t nodes = 0;  // number of counting nodes
};
inline int64_t TimeOf(const GroupSum& sum) {  // MeasureScale::time; kNoInt: not measured
  return (sum.present & kHasTime) != 0 ? At(sum.values, Measure::micros) : kNoInt;
}
inline int64_t RunsOf(const GroupSum& sum) {
  return (sum.present & kHasRuns) != 0 ? At(sum.values, Measure::run_count) : kNoInt;
}
bool CostsMore(const GroupSum& a, const GroupSum& b);  // by time, then by number of nodes

// What nodes cost in the places of a query, and which of them it counts.
struct NodeCosts {
  IndexPtr<NodeAccounts> accounts;
  IndexPtr<NodeSums> sums;
  NodeMultiplicity counted;

  GroupSum Of(std::span<const NodeId> nodes) const;
};
Result<NodeCosts> CostsOf(const Store& store, const Indexes& indexes, const Query& query,
                          Context& context);

// Appends the counting nodes as members of the next row of `table`.
void AddMembers(std::span<const NodeId> nodes, const NodeMultiplicity& counted, Table& table);

// Add the columns `device` and `op_types`: those of a row's members, each once, ascending. A member
// without a device adds an empty text.
void AddDeviceColumn(const Report& report, Table& table, const NodeAccounts& accounts);
void AddTypesColumn(const Report& report, Table& table, const NodeAccounts& accounts);

// Work of graph nodes on one of their counting devices.
struct DeviceRow {
  std::string_view device;
  int64_t nodes = 0;
  int64_t time = kNoInt;  // MeasureScale::time
  int64_t runs = kNoInt;
};

// Returns a row per device, by time, descending. In a profile, everything a node did counts on its
// one device; in a trace each device counts what ran there.
std::vector<DeviceRow> DeviceRows(const Store& store, const NodeCosts& costs,
                                  std::span<const NodeId> nodes);

}  // namespace tfprof
