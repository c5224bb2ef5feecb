// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/nodes/accounting.h"
#include "core/query/query.h"
#include "core/report/report.h"
#include "views/classic/tree_walk.h"

// Fills the reports of scope, graph, op and code: the same columns under the same ids.

namespace tfprof {

// What the times of an answer are summed over; 0: not counted.
struct SummedOver {
  int64_t devices = 0;
  int64_t hosts = 0;
  int64_t steps = 0;
};
// Adds "sum of 4 devices, 6 steps" to what the property `step` says; nothing if there is one of
// each.
void AddSummedOver(const SummedOver& over, Property* step);

// Sets the property `step` of the report to the step of -step. REQUIRES:
// query.place.SelectsSteps().
void SetStep(const PlaceFilter& place, Report* report);

// Returns an empty report of `view`: notes of the store and of the accounting, and the properties
// `step` (the number, or what the values are) and `steps` (the number of steps in the profile).
Report StartReport(std::string_view view, const StorePtr& store, const NodeAccounts& accounts,
                   const PlaceFilter& place);

// Returns what the values of nodes are: "mean of 3 steps", "sum of 3 steps", "step 2". Empty: the
// profile has at most one step, or it is a trace.
std::string DescribeScale(const Store& store, const MeasureScale& scale, const PlaceFilter& place);

// Adds the properties total_<measure>: the denominators of percentages. Absent values: kNoInt.
void AddTotals(Report& report, const MeasureValues& totals);

// Fills a table of a tree answer: rows, parent, depth, self_values and total_values (absent:
// kNoInt) and the column `accounted`. `accounted`: by row of the tree; empty: every row but the
// root. Moves the totals of the rows to the table.
void FillTree(Table& table, ShownRows* shown, const OwnValues& own,
              std::span<const uint8_t> accounted);

// Adds the columns of one attribute's measures, self and total. They point into self_values and
// total_values, which must be final. Existing columns are not added again.
void AddMeasureColumns(const Report& report, Table& table, Attribute attribute, bool shown);

// Adds the self and total columns of every measure that the table does not have yet, not shown:
// order, thresholds and drill-down need them.
void AddHiddenMeasures(const Report& report, Table& table);

// Adds one column of a measure: `role` self points into self_values, total into total_values.
void AddMeasureColumn(const Report& report, Table& table, Measure measure, ColumnRole role,
                      bool shown);

// Adds the sum of device and host time, which the original calls micros, where -select names it and
// the times of rows are those of accelerators only.
void AddBothTimes(const Report& report, const Display& display, Table& table);

// Adds share_pct where the query names it: shares of the measure that orders the rows. Readers see
// it only where -select or -columns names it, since tables show shares anyway.
void AddShare(const Report& report, const Display& display, Table& table);

// Sets unit and divisor of a column with values of a measure.
void SetScale(const MeasureScale& scale, Measure measure, ReportColumn* column);

// ---- cells of graph nodes ----------------------------------------------------------------------

// Returns "3x3x3x6"; a scalar is "1", an unknown dimension "-1"; no information or unknown rank:
// empty.
std::string ShapeText(const Store& store, ShapeRef shape);

// Returns the shape of an input: that of output 0 of its producer, whatever slot the edge names
// (the original's rule). No information if the graph does not have it.
ShapeRef InputShape(const Store& store, const Edge& edge);

// Returns the types of a node, ascending: op type, added types, counting devices.
std::span<const NameId> TypesOf(const NodeAccounts& accounts, NodeId node);

// Returns the names of the node's counting lanes: in a profile at most one, in a trace in file
// order.
std::vector<std::string_view> DevicesOf(const Store& store, const NodeAccounts& accounts,
                                        NodeId node);

// Appends the notes about the sums of nodes.
void AddNotesOf(const NodeSums& sums, Report* report);

// Returns what the report keeps of both, for emitters that write every node.
NodeFacts FactsOf(const std::shared_ptr<const NodeAccounts>& accounts,
                  const std::shared_ptr<const NodeSums>& sums);

// Adds the columns that -select picks, in its order, to a table of graph nodes (scope, graph):
// measures, shape, device, op_types, input_shapes, tensor_value. Then calls AddHiddenMeasures.
// REQUIRES: table.node and the column `name` are filled. `synthetic_type` is the op type of rows
// without a node.
Result<void> AddNodeColumns(Report& report, Table& table, const NodeAccounts& accounts,
                            const Display& display, std::string_view synthetic_type,
                            Context& context);

}  // namespace tfprof
