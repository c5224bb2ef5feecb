// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>

#include "analysis/nodes/accounting.h"
#include "core/query/query.h"
#include "core/report/report.h"

// What op and code have in common: a row stands for several graph nodes, its members.

namespace tfprof {

// How often each node counts, by node: the number of account expressions that match it. Empty:
// everything counts once, which is what most questions ask.
struct TimesCounted {
  Column<uint32_t> times;
  uint32_t Of(NodeId node) const { return times.empty() ? 1 : times[node.value]; }
  bool all() const { return times.empty(); }
};
Result<TimesCounted> CountMembers(const Store& store, const NodeAccounts& accounts,
                                  const Query& query, Context& context);

// Own values of a row. A node that counts twice adds its values twice; but runs and definitions
// add each node once (the original's rule).
struct MemberSum {
  MeasureValues values{};
  uint8_t present = 0;
  uint32_t nodes = 0;  // that count
};
inline int64_t TimeOf(const MemberSum& sum) {  // TimeUnit; kNoInt: not measured
  return (sum.present & kHasTime) != 0 ? At(sum.values, Measure::micros) : kNoInt;
}
inline int64_t RunsOf(const MemberSum& sum) {
  return (sum.present & kHasRuns) != 0 ? At(sum.values, Measure::run_count) : kNoInt;
}
MemberSum SumMembers(std::span<const NodeId> nodes, const TimesCounted& counted,
                     const NodeSums& sums);

// Appends the nodes that count as members of the next row of `table`.
void AddMembers(std::span<const NodeId> nodes, const TimesCounted& counted, Table& table);

// The columns `device` and `op_types`: what the members of a row have, each once, ascending. A
// member without device gives an empty text.
void AddDeviceColumn(const Report& report, Table& table, const NodeAccounts& accounts);
void AddTypesColumn(const Report& report, Table& table, const NodeAccounts& accounts);

}  // namespace tfprof
