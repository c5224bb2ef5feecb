// SPDX-License-Identifier: Apache-2.0
#include "views/on_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "analysis/indexes.h"
#include "analysis/steps/grouping/event_groups.h"
#include "core/report/column_names.h"
#include "core/report/measure_scale.h"
#include "core/store/store.h"
#include "views/columns/measure_rows.h"
#include "views/columns/percentiles.h"

namespace tfprof {
namespace {

Result<SummedOver> FindSummed(const NodesQuery& nodes, const Indexes& trace,
                              const PlaceFilter& place, Context& context) {
  SummedOver over;
  for (const Process& process : nodes.store->processes) {
    const auto lanes = nodes.store->LanesOf(process);
    if (std::ranges::all_of(lanes, [](const Lane& lane) { return lane.rows.count == 0; })) continue;
    ++(process.kind == ProcessKind::device ? over.devices : over.hosts);
  }
  if (place.SelectsSteps()) return over;
  TFPROF_ASSIGN(const auto groups, trace.Get<EventGroups>(context));
  std::set<int64_t> steps;
  for (const EventGroup& group : groups->groups) {
    if (group.is_marked) steps.insert(group.number);
  }
  over.steps = static_cast<int64_t>(steps.size());
  return over;
}

// Says so in the answer. Numbers of the original have no such words.
Result<void> AddSummed(const NodesQuery& nodes, const Indexes& trace, const PlaceFilter& place,
                       Context& context, Report* report) {
  if (nodes.kept == nullptr || !place.exact) return {};
  const auto step = std::ranges::find(report->properties, "step", &Property::id);
  if (step == report->properties.end()) return {};
  TFPROF_ASSIGN(const SummedOver over, FindSummed(nodes, trace, place, context));
  AddSummedOver(over, &*step);
  if (step->type == CellType::integer && !step->display_text.empty()) {
    step->display_text = fmt::format("step {}, {}", step->integer, step->display_text);
  }
  return {};
}

// Allocations cost time to read, so they are read only if the answer has them.
bool NeedsMemory(const Query& query) {
  constexpr Attribute kMemory[] = {Attribute::bytes, Attribute::peak_bytes,
                                   Attribute::residual_bytes};
  const TreeFilter& tree = query.tree;
  return std::ranges::any_of(kMemory, [&](Attribute of) { return query.display.Selects(of); }) ||
         tree.min_bytes > 0 || tree.min_peak_bytes > 0 || tree.min_residual_bytes > 0;
}

TraceNodes::Key KeyOf(const Query& query, NodeGranularity kind) {
  return {query.place.OfPlaces(), kind, NeedsMemory(query), HasExecutions(query.display)};
}

// Returns the executions of the nodes that the query selects.
Result<NodeExecutions> ExecutionsOf(const NodesQuery& nodes, NodeGranularity kind,
                                    const Indexes& trace, const Query& query, Context& context) {
  if (nodes.kept != nullptr) {
    TFPROF_ASSIGN(const auto made, trace.Get<TraceNodes>(KeyOf(query, kind), context));
    return made->executions;
  }
  TFPROF_ASSIGN(const auto accounts, nodes.indexes->Get<NodeAccounts>(query.place, context));
  return ExecutionsOfNodes(*nodes.store, *accounts, query.place, context);
}

std::span<const NodeId> NodesOfRow(const Table& table, size_t row) {
  if (table.first_member.empty()) {
    const bool some = row < table.node.size() && table.node[row].some();
    return std::span(table.node).subspan(some ? row : 0, some ? 1 : 0);
  }
  const uint32_t first = table.first_member[row];
  return std::span(table.members).subspan(first, table.first_member[row + 1] - first);
}

// Returns the durations by row of the table. A row with an unknown execution has none.
std::vector<RowDuration> DurationsOf(const NodeExecutions& executions, size_t nodes,
                                     const Table& table) {
  std::vector<uint32_t> row_of(nodes, kNoRow);
  for (uint32_t row = 0; row < table.rows; ++row) {
    const auto of_row = NodesOfRow(table, row);
    const auto is_unknown = [&](NodeId node) { return executions.IsUnknown(node); };
    if (std::ranges::any_of(of_row, is_unknown)) continue;
    for (const NodeId node : of_row) row_of[node.value] = row;
  }
  std::vector<RowDuration> durations;
  for (const RowDuration& one : executions.durations) {
    if (row_of[one.row] != kNoRow) durations.push_back({row_of[one.row], one.ps});
  }
  return durations;
}

Result<void> AddExecutions(const NodesQuery& nodes, NodeGranularity kind, const Indexes& trace,
                           const Query& query, Context& context, Report* report) {
  Table& table = report->tables.front();
  if (!HasPercentiles(*table.def, query.display)) return {};
  TFPROF_ASSIGN(const NodeExecutions executions, ExecutionsOf(nodes, kind, trace, query, context));
  AddPercentiles(DurationsOf(executions, nodes.store->nodes.size(), table), query.display, &table);
  return {};
}

}  // namespace

bool HasExecutions(const Display& display) {
  return std::ranges::any_of(kNodePercentiles,
                             [&](const ColumnDef& def) { return IsRequested(def, display); });
}

Result<NodesQuery> NodesOf(const StorePtr& store, const Indexes& indexes, const Query& query,
                           NodeGranularity kind, Context& context) {
  NodesQuery nodes{store, &indexes, query, {}};
  if (LacksNodes(*store)) {
    TFPROF_ASSIGN(const auto made, indexes.Get<TraceNodes>(KeyOf(query, kind), context));
    nodes.store = made->store;
    nodes.kept = made->indexes;
    nodes.indexes = nodes.kept.get();
    nodes.query.place = {.exact = query.place.exact};
    nodes.query.place.flops.counts = query.place.flops.counts;
  }
  nodes.query.tree = Scaled(query.tree, ScaleOf(*nodes.store, nodes.query.place));
  return nodes;
}

void AddSteps(const NodesQuery& nodes, const Query& query, Report* report) {
  if (nodes.kept != nullptr && query.place.SelectsSteps()) SetStep(query.place, report);
}

Result<Report> AnswerForNodes(MakeReport* make, NodeGranularity kind, const StorePtr& store,
                              const Indexes& indexes, const Query& query, Context& context) {
  TFPROF_ASSIGN(const NodesQuery nodes, NodesOf(store, indexes, query, kind, context));
  TFPROF_ASSIGN(Report report, make(nodes.store, *nodes.indexes, nodes.query, context));
  AddSteps(nodes, query, &report);
  TFPROF_TRY(AddSummed(nodes, indexes, query.place, context, &report));
  if (!report.tables.empty()) {
    AddShare(report, query.display, report.tables.front());
    TFPROF_TRY(AddExecutions(nodes, kind, indexes, query, context, &report));
  }
  return report;
}

}  // namespace tfprof
