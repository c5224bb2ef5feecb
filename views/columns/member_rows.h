// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "analysis/nodes/accounting.h"
#include "core/query/query.h"
#include "core/report/report.h"

// The common part of op and code: a row represents several graph nodes, its members.

namespace tfprof {

// How often each node counts, by node: the number of account expressions that match it. Empty:
// every node counts once, the usual case.
struct TimesCounted {
  Column<uint32_t> times;
  uint32_t Of(NodeId node) const { return times.empty() ? 1 : times[node.value]; }
  bool all() const { return times.empty(); }
};
Result<TimesCounted> CountMembers(const Store& store, const NodeAccounts& accounts,
                                  const Query& query, Context& context);

// Self values of a row. A node that counts twice adds its values twice, but runs and definitions
// add each node once (the original's rule).
struct MemberSum {
  MeasureValues values{};
  uint8_t present = 0;
  uint32_t nodes = 0;  // number of counting nodes
};
inline int64_t TimeOf(const MemberSum& sum) {  // TimeUnit; kNoInt: not measured
  return (sum.present & kHasTime) != 0 ? At(sum.values, Measure::micros) : kNoInt;
}
inline int64_t RunsOf(const MemberSum& sum) {
  return (sum.present & kHasRuns) != 0 ? At(sum.values, Measure::run_count) : kNoInt;
}
MemberSum SumMembers(std::span<const NodeId> nodes, const TimesCounted& counted,
                     const NodeSums& sums);

// Appends the counting nodes as members of the next row of `table`.
void AddMembers(std::span<const NodeId> nodes, const TimesCounted& counted, Table& table);

// Add the columns `device` and `op_types`: those of a row's members, each once, ascending. A member
// without a device adds an empty text.
void AddDeviceColumn(const Report& report, Table& table, const NodeAccounts& accounts);
void AddTypesColumn(const Report& report, Table& table, const NodeAccounts& accounts);

}  // namespace tfprof
