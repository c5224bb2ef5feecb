// SPDX-License-Identifier: Apache-2.0
#include "views/on_nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "analysis/indexes.h"
#include "analysis/steps/grouping/event_groups.h"
#include "core/report/measure_scale.h"
#include "core/store/store.h"
#include "core/text/units.h"
#include "views/columns/measure_rows.h"

namespace tfprof {
namespace {

// Over what the times of an answer about a trace are summed.
struct SummedOver {
  int64_t devices = 0;
  int64_t hosts = 0;
  int64_t steps = 0;  // marked ones; 0 with -step

  // Returns "sum of 4 devices, 6 steps"; empty: there is one of each.
  std::string Text() const {
    std::string text;
    const auto add = [&](int64_t count, std::string_view what) {
      if (count > 1) text += (text.empty() ? "sum of " : ", ") + Counted(count, what);
    };
    add(devices, "device");
    add(hosts, "host");
    add(steps, "step");
    return text;
  }
};

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
  const std::string text = over.Text();
  if (text.empty()) return {};
  const bool is_one_step = step->type == CellType::integer;
  step->head = "values";
  step->display_text = is_one_step ? fmt::format("step {}, {}", step->integer, text) : text;
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

}  // namespace

Result<NodesQuery> NodesOf(const StorePtr& store, const Indexes& indexes, const Query& query,
                           NodeGranularity kind, Context& context) {
  NodesQuery nodes{store, &indexes, query, {}};
  if (LacksNodes(*store)) {
    TFPROF_ASSIGN(
        const auto made,
        indexes.Get<TraceNodes>({query.place.OfPlaces(), kind, NeedsMemory(query)}, context));
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
  return report;
}

}  // namespace tfprof
