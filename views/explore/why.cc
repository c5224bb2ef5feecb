// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "analysis/nodes/accounting.h"
#include "analysis/nodes/op_groups.h"
#include "analysis/ops/async_done.h"
#include "core/base/units.h"
#include "core/store/event_runs.h"
#include "core/store/note_catalogue.h"
#include "core/store/store.h"
#include "views/columns/fill_columns.h"
#include "views/columns/group_sums.h"
#include "views/columns/measure_rows.h"
#include "views/columns/properties.h"
#include "views/columns/step_sums.h"
#include "views/subject.h"

namespace tfprof {
namespace {

constexpr ColumnDef kWhyColumns[] = {
    TextDef("text", "text", "The reason, as a sentence.").Was("what"),
    TextDef("reason", "reason", "ID of the reason.").ForMachines(),
    RealDef("number", "value", Unit::none, "Raw value: us, bytes, a count.")
        .Was("number")
        .ForMachines(),
};
constexpr TableDef kWhyTable{"why", "", kWhyColumns};

struct Reason {
  std::string_view id;
  double number = 0;
  std::string what;
};

struct WhyRequest {
  const Store& store;
  const Indexes& indexes;
  const NodeCosts& costs;
  const NamedEntity& entity;
  GroupSum sum;  // sum of all its nodes
  std::vector<Reason> reasons = {};

  bool Has(uint8_t bit) const { return (sum.present & bit) != 0; }
  int64_t Of(Measure measure) const { return At(sum.values, measure); }
  int64_t TimeOf(NodeId node) const {
    return WrapMul(At(costs.sums->values[node.value], Measure::micros), costs.counted.Of(node));
  }
  std::string Time(int64_t time) const { return Human(time, TimeUnit(store)); }
  double Us(int64_t time) const {
    return static_cast<double>(time) / static_cast<double>(TimesPerUs(store));
  }
  // The interval that sums cover; in a trace they cover all of it.
  std::string_view Span() const { return store.steps.empty() ? "" : " per step"; }
  void Add(std::string_view id, double number, std::string what) {
    reasons.push_back({id, number, std::move(what)});
  }
};

std::string Percent(double fraction) { return fmt::format("{:.1f}%", fraction * 100); }
std::string Ps(int64_t ps) { return Human(ps, Unit::ps); }

// Adds its share of all time, and its rank among the operation types.
Result<void> AddShare(WhyRequest* of, Context& context) {
  int64_t all = 0;
  for (size_t i = 0; i < of->store.nodes.size(); ++i) {
    all = SaturatingAdd(all, of->TimeOf(NodeId(i)));
  }
  if (all <= 0) return {};
  const double share = static_cast<double>(of->Of(Measure::micros)) / static_cast<double>(all);
  std::string what = fmt::format("{} of operation time: {} of {}", Percent(share),
                                 of->Time(of->Of(Measure::micros)), of->Time(all));
  if (of->entity.kind == NamedEntity::op) {
    TFPROF_ASSIGN(const auto groups, of->indexes.Get<OpGroups>(context));
    size_t rank = 1, types = 0;
    for (uint32_t i = 0; i < groups->type.size(); ++i) {
      const GroupSum other = of->costs.Of(NodesOfType(*groups, i));
      if (other.nodes > 0) ++types;
      if (At(other.values, Measure::micros) > of->Of(Measure::micros)) ++rank;
    }
    what += fmt::format("; type {} of {}", rank, types);
  }
  of->Add("share", share, std::move(what));
  return {};
}

// An operation that only stalls on async work has nothing to optimize.
void AddAsyncDone(WhyRequest* of) {
  const auto is_async_done = [&](NodeId node) {
    return IsAsyncDone({}, of->store.Text(of->store.nodes[node.value].type));
  };
  const std::vector<NodeId>& nodes = of->entity.nodes;
  if (nodes.empty() || !std::all_of(nodes.begin(), nodes.end(), is_async_done)) return;
  of->Add("awaits", std::nan(""), std::string(kAsyncDoneText));
}

void AddRuns(WhyRequest* of) {
  const int64_t runs = of->Of(Measure::run_count);
  if (!of->Has(kHasRuns) || runs <= 0) return;
  const double each = of->Us(of->Of(Measure::micros)) / static_cast<double>(runs);
  const std::string nodes = of->sum.nodes == 1 ? "" : fmt::format(" by {} nodes", of->sum.nodes);
  of->Add("run_count", static_cast<double>(runs),
          fmt::format("{} run{}{}{}, {} each", runs, runs == 1 ? "" : "s", of->Span(), nodes,
                      Human(static_cast<int64_t>(std::round(each * 1e6)), Unit::ps_as_us)));
}

// Adds the node with the largest part of its time.
void AddCostliest(WhyRequest* of) {
  if (of->sum.nodes < 2) return;
  NodeId costliest;
  for (const NodeId node : of->entity.nodes) {
    if (!costliest.some() || of->TimeOf(node) > of->TimeOf(costliest)) costliest = node;
  }
  const int64_t total = of->Of(Measure::micros);
  if (total <= 0) return;
  const double share = static_cast<double>(of->TimeOf(costliest)) / static_cast<double>(total);
  of->Add("costliest", share,
          fmt::format("{} of it in {} ({})", Percent(share),
                      of->store.Text(of->store.nodes[costliest.value].name),
                      of->Time(of->TimeOf(costliest))));
}

void AddAccelerator(WhyRequest* of) {
  const int64_t accelerator = of->Of(Measure::accelerator_micros);
  const int64_t time = of->Of(Measure::micros);
  if (!of->Has(kHasAccelerator) || time <= 0) return;
  const double share = static_cast<double>(accelerator) / static_cast<double>(time);
  of->Add("accelerator", share,
          accelerator == time
              ? "all of its time is on an accelerator"
              : fmt::format("{} of its time is on an accelerator ({}), the rest on hosts",
                            Percent(share), of->Time(accelerator)));
}

void AddDevice(WhyRequest* of) {
  const std::vector<DeviceRow> devices = DeviceRows(of->store, of->costs, of->entity.nodes);
  if (devices.empty()) return;
  const bool one = devices.size() == 1;
  of->Add("devices", static_cast<double>(devices.size()),
          one ? fmt::format("runs on {}", devices[0].device)
              : fmt::format("runs on {} devices:", devices.size()));
  for (size_t i = 0; !one && i < devices.size(); ++i) {
    const DeviceRow& row = devices[i];
    const std::string time = row.time == kNoInt ? "" : ", " + of->Time(row.time);
    const std::string runs = row.runs == kNoInt ? "" : ", " + Counted(row.runs, "run");
    of->Add("device", row.time == kNoInt ? std::nan("") : of->Us(row.time),
            fmt::format("{}{}{}", row.device, time, runs));
  }
}

Result<void> AddSteps(const PlaceFilter& place, WhyRequest* of, Context& context) {
  TFPROF_ASSIGN(const StepSums sums,
                SumBySteps(of->store, of->costs, of->entity.nodes, place, context));
  if (sums.steps.size() < 2) return {};
  const StepSpread spread = SpreadOf(sums, 0);
  if (spread.median_ps == kNoInt || spread.median_ps == 0) return {};
  size_t worst = 0;
  for (size_t i = 0; i < sums.steps.size(); ++i) {
    if (sums.TimePs(i, 0) > sums.TimePs(worst, 0)) worst = i;
  }
  of->Add("steps", static_cast<double>(spread.max_ps) / static_cast<double>(spread.median_ps),
          fmt::format("steps: {} to {}, median {}; max in step {}", Ps(spread.min_ps),
                      Ps(spread.max_ps), Ps(spread.median_ps),
                      of->store.steps[sums.steps[worst].value].number));
  return {};
}

void AddSize(WhyRequest* of) {
  if (of->Has(kHasMemory) && of->Of(Measure::bytes) > 0) {
    of->Add("bytes", static_cast<double>(of->Of(Measure::bytes)),
            fmt::format("requests {} of memory{}", Human(of->Of(Measure::bytes), Unit::bytes),
                        of->Span()));
  }
  if (of->entity.kind != NamedEntity::node) return;
  std::string shapes;
  const Node& node = of->store.nodes[of->entity.node_id.value];
  for (const Edge& edge : of->store.Inputs(node)) {
    const std::string shape = ShapeText(of->store, InputShape(of->store, edge));
    if (!shape.empty()) shapes += (shapes.empty() ? "" : ", ") + shape;
  }
  const std::string output = ShapeText(of->store, of->store.FirstOutputShape(of->entity.node_id));
  if (shapes.empty() && output.empty()) return;
  of->Add("shapes", static_cast<double>(of->store.Inputs(node).size()),
          fmt::format("shapes: {} -> {}", shapes.empty() ? "-" : shapes,
                      output.empty() ? "-" : output));
}

// Divides by the time of the nodes with known float_ops.
void AddFlops(WhyRequest* of) {
  const int64_t flops = of->Of(Measure::float_ops);
  int64_t time = 0;
  for (const NodeId node : of->entity.nodes) {
    if (of->store.nodes[node.value].float_ops == 0) continue;
    time = SaturatingAdd(time, of->TimeOf(node));
  }
  if (!of->Has(kHasFlops) || flops <= 0 || time <= 0) return;
  const double rate = static_cast<double>(flops) / of->Us(time) / 1e3;
  const bool is_tera = rate >= 1e3;
  const std::string partly =
      time == of->Of(Measure::micros)
          ? ""
          : fmt::format(" in the {} of the nodes whose flops are known", of->Time(time));
  of->Add("flop_rate", rate,
          fmt::format("{} float operations{}{}: {:.4g} {}FLOP/s", Human(flops, Unit::flops),
                      of->Span(), partly, is_tera ? rate / 1e3 : rate, is_tera ? "T" : "G"));
}

// Adds the average time, within one step, from the end of a node's last input to the node's start.
Result<void> AddWaiting(const PlaceFilter& place, WhyRequest* of, Context& context) {
  if (of->entity.kind != NamedEntity::node) return {};
  const Store& store = of->store;
  std::vector<uint8_t> role(store.nodes.size());  // 1: an input, 2: the node
  for (const Edge& edge : store.Inputs(store.nodes[of->entity.node_id.value])) {
    if (edge.producer.some()) role[edge.producer.value] = 1;
  }
  role[of->entity.node_id.value] = 2;
  std::vector<int64_t> ready_ps(store.steps.size(), kNoTime), start_ps(store.steps.size(), kNoTime);
  for (const EventRun& run : EventRuns(store)) {
    if (!run.step.some() || !place.TakesStep(store.steps[run.step.value].number)) continue;
    for (uint32_t row = run.first; row < run.end; ++row) {
      if ((row - run.first) % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
      const NodeId node = store.labels[store.events.label[row].value].node;
      const int64_t start = store.events.start_ps[row];
      if (!node.some() || role[node.value] == 0 || start == kNoTime) continue;
      if (of->costs.accounts->counting_lane[node.value] != run.lane) continue;
      int64_t& at = role[node.value] == 2 ? start_ps[run.step.value] : ready_ps[run.step.value];
      if (role[node.value] == 2) {
        at = at == kNoTime ? start : std::min(at, start);
      } else {
        const int64_t end = WrapAdd(start, store.events.duration_ps[row]);
        at = at == kNoTime ? end : std::max(at, end);
      }
    }
  }
  int64_t steps = 0;
  __extension__ __int128 sum_ps = 0;
  for (size_t i = 0; i < start_ps.size(); ++i) {
    if (start_ps[i] == kNoTime || ready_ps[i] == kNoTime || start_ps[i] < ready_ps[i]) continue;
    sum_ps += start_ps[i] - ready_ps[i];
    ++steps;
  }
  if (steps == 0) return {};
  const auto mean_ps = static_cast<int64_t>(sum_ps / steps);
  of->Add("waited", static_cast<double>(mean_ps) / static_cast<double>(kPsPerUs),
          fmt::format("its last input was ready {} before it started, on average", Ps(mean_ps)));
  return {};
}

Result<void> AddReasons(const PlaceFilter& place, WhyRequest* of, Context& context) {
  if (of->Has(kHasTime)) {
    TFPROF_TRY(AddShare(of, context));
    AddAsyncDone(of);
    AddRuns(of);
    AddCostliest(of);
    AddAccelerator(of);
    TFPROF_TRY(AddSteps(place, of, context));
    TFPROF_TRY(AddWaiting(place, of, context));
  }
  AddFlops(of);
  AddSize(of);
  AddDevice(of);
  return {};
}

}  // namespace

Result<Report> Why(const StorePtr& store, const Indexes& indexes, const Query& query,
                   Context& context) {
  TFPROF_ASSIGN(const NamedEntity entity,
                FindEntity(*store, indexes, query.subject, query.nodes.under, context));
  TFPROF_ASSIGN(const NodeCosts costs, CostsOf(*store, indexes, query, context));
  WhyRequest why_request{*store, indexes, costs, entity, costs.Of(entity.nodes)};
  TFPROF_TRY(AddReasons(query.place, &why_request, context));
  Report report = StartReport("why", store, *costs.accounts, query.place);
  NoteOtherReading(entity, &report);
  AddTextProperty({"name", "why"}, fmt::format("{} {}", KindName(entity.kind), entity.name),
                  &report);
  Table& table = report.tables.emplace_back(MakeTable(kWhyTable, why_request.reasons.size()));
  Fill(table, "text", why_request.reasons,
       [&](const Reason& r) { return report.pool->Keep(r.what); });
  Fill(table, "reason", why_request.reasons, [](const Reason& r) { return r.id; });
  Fill(table, "number", why_request.reasons, [](const Reason& r) { return r.number; });
  if (!why_request.Has(kHasTime)) {
    report.notes.push_back({note::no_time_recorded, 1, "", kNoInt});
  }
  return report;
}

TableDefs WhyTables() { return {&kWhyTable}; }

}  // namespace tfprof
