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

// Filling the report of scope, graph, op and code: the same columns under the same ids.

namespace tfprof {

// Of a report that tells its step: the one that -step asks for. REQUIRES: query.place.AsksSteps().
void SetStep(const PlaceFilter& place, Report* report);

// An empty report of `view`: notes of the store and of the accounting, and the properties `step`
// (the number, or the text `average`) and `steps` (how many the profile has).
Report StartReport(std::string_view view, const StorePtr& store, const NodeAccounts& accounts,
                   const PlaceFilter& place);

// The properties total_<measure>: the whole that percentages divide by.
void AddWholes(Report& report, const MeasureValues& whole, uint8_t present);

// A table of a tree answer: rows, parent, depth, self_values and total_values (absent: kNoInt) and
// the column `accounted`; `accounted` by row of the tree, empty: every row but the root.
void FillTree(Table& table, const ShownRows& shown, const OwnValues& own,
              std::span<const uint8_t> accounted);

// The columns of the measures of one attribute, self and total, pointing into self_values and
// total_values, which must be final. Columns that the table has already are not added twice.
void AddMeasureColumns(const Store& store, Table& table, Attribute attribute, bool shown);

// The self and total columns of every measure that the table does not have yet, not shown: order,
// thresholds and drill-down need them.
void AddHiddenMeasures(const Store& store, Table& table);

// One column of a measure: `role` self points into self_values, total into total_values.
void AddMeasureColumn(const Store& store, Table& table, Measure measure, ColumnRole role,
                      bool shown);

// ---- cells of graph nodes ----------------------------------------------------------------------

// "3x3x3x6"; a scalar is "1", an unknown dimension "-1"; no information or unknown rank: empty.
std::string ShapeText(const Store& store, ShapeRef shape);

// The shape of what arrives at an input: of output 0 of its producer, whatever slot the edge names
// (the original's rule). No information where the graph does not tell it.
ShapeRef InputShape(const Store& store, const Edge& edge);

// The types of a node, ascending: op type, added types, counting devices.
std::span<const NameId> TypesOf(const NodeAccounts& accounts, NodeId node);

// Names of the node's counting lanes: of a profile at most one, of a trace in the order of the
// file.
std::vector<std::string_view> DevicesOf(const Store& store, const NodeAccounts& accounts,
                                        NodeId node);

// What the report keeps of the two, for emitters that tell of every node.
NodeFacts FactsOf(const std::shared_ptr<const NodeAccounts>& accounts,
                  const std::shared_ptr<const NodeSums>& sums);

// Adds the columns that -select asks for, in its order, to a table of graph nodes (scope, graph):
// measures, shape, device, op_types, input_shapes, tensor_value. table.node and the column `name`
// must be filled. `made_up_type` is the op type of rows without node. Then AddHiddenMeasures.
Result<void> AddNodeColumns(Report& report, Table& table, const NodeAccounts& accounts,
                            const Display& display, std::string_view made_up_type,
                            Context& context);

}  // namespace tfprof
