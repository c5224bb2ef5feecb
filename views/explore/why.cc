// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "analysis/nodes/accounting.h"
#include "analysis/nodes/op_groups.h"
#include "analysis/ops/async_done.h"
#include "core/store/event_runs.h"
#include "core/store/note_catalogue.h"
#include "core/store/store.h"
#include "core/text/units.h"
#include "views/columns/fill_columns.h"
#include "views/columns/group_sums.h"
#include "views/columns/measure_rows.h"
#include "views/columns/properties.h"
#include "views/columns/step_sums.h"
#include "views/explore/host_calls.h"
#include "views/on_nodes.h"
#include "views/source_lines.h"
#include "views/subject.h"
#include "views/subject_nodes.h"

namespace tfprof {
namespace {

constexpr ColumnDef kWhyColumns[] = {
    TextDef("text", "text", "The reason, as a sentence.").Was("what"),
    TextDef("reason", "reason", "ID of the reason.").ForMachines(),
    RealDef("number", "value", Unit::none, "Raw value, in its unit.").Was("number").ForMachines(),
    TextDef("unit", "unit", "Unit of the value; absent without a value.").ForMachines(),
};
constexpr TableDef kWhyTable{"why", "", kWhyColumns};

struct Reason {
  std::string_view id;
  double number = 0;
  std::string what;
};

// The unit of the number of a reason; empty: it has none.
std::string_view UnitOf(std::string_view reason) {
  constexpr std::pair<std::string_view, std::string_view> kUnits[] = {
      {"share", "fraction"},      {"costliest", "fraction"}, {"accelerator", "fraction"},
      {"run_count", "count"},     {"devices", "count"},      {"shapes", "count"},
      {"lines", "count"},         {"operations", "count"},   {"steps", "times the median"},
      {"device", "us"},           {"waited", "us"},          {"line", "us"},
      {"operation", "us"},        {"bytes", "bytes"},        {"flops", "flops"},
      {"flops_per_s", "flops/s"},
  };
  const auto found = std::ranges::find(kUnits, reason, [](const auto& unit) { return unit.first; });
  return found == std::end(kUnits) ? std::string_view() : found->second;
}

struct WhyRequest {
  const Store& store;
  const Indexes& indexes;
  const NodeCosts& costs;
  const NamedEntity& entity;
  const MeasureScale& scale;
  bool is_sum;   // of steps, not their mean
  GroupSum sum;  // sum of all its nodes
  std::vector<Reason> reasons = {};

  bool Has(uint8_t bit) const { return (sum.present & bit) != 0; }
  int64_t Of(Measure measure) const { return At(sum.values, measure); }
  int64_t TimeOf(NodeId node) const {
    return WrapMul(At(costs.sums->values[node.value], Measure::micros), costs.counted.Of(node));
  }
  std::string Text(Measure measure, int64_t value) const {
    return Human(value, scale.UnitOf(measure), scale.DivisorOf(measure));
  }
  std::string Time(int64_t time) const { return Text(Measure::micros, time); }
  double Us(int64_t time) const { return scale.Printed(Measure::micros, time); }
  // The interval that sums cover; in a trace they cover all of it.
  std::string_view Span() const { return store.steps.empty() || is_sum ? "" : " per step"; }
  void Add(std::string_view id, double number, std::string what) {
    reasons.push_back({id, number, std::move(what)});
  }
};

std::string Percent(double fraction) { return PercentText(fraction * 100); }
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
  const double number = of->scale.Printed(Measure::run_count, runs);
  const double each = of->Us(of->Of(Measure::micros)) / number;
  const int64_t ran =
      of->scale.exact ? of->Of(Measure::node_count) : static_cast<int64_t>(of->sum.nodes);
  const std::string nodes = ran == 1 ? "" : fmt::format(" by {} nodes", ran);
  of->Add("run_count", number,
          fmt::format("{} run{}{}{}, {} each", of->Text(Measure::run_count, runs),
                      number == 1 ? "" : "s", of->Span(), nodes,
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
  const int64_t host = of->Of(Measure::cpu_micros);
  const int64_t both = SaturatingAdd(accelerator, host);
  if (!of->Has(kHasAccelerator) || both <= 0) return;
  const double share = static_cast<double>(accelerator) / static_cast<double>(both);
  of->Add("accelerator", share,
          host <= 0 ? "all of its time is on accelerators"
                    : fmt::format("{} on accelerators, {} on hosts, such as launches",
                                  of->Time(accelerator), of->Time(host)));
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
    const std::string runs = row.runs == kNoInt
                                 ? ""
                                 : fmt::format(", {} run{}", of->Text(Measure::run_count, row.runs),
                                               row.runs == of->scale.divisor ? "" : "s");
    of->Add("device", row.time == kNoInt ? std::nan("") : of->Us(row.time),
            fmt::format("{}{}{}", row.device, time, runs));
  }
}

Result<void> AddSpread(const PlaceFilter& place, WhyRequest* of, Context& context) {
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
    of->Add("bytes", of->scale.Printed(Measure::bytes, of->Of(Measure::bytes)),
            fmt::format("requests {} of memory{}", of->Text(Measure::bytes, of->Of(Measure::bytes)),
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

// The time in which a node computes: on an accelerator if it ran there, else on hosts with what it
// calls.
int64_t ComputeTime(const WhyRequest& of, NodeId node) {
  const MeasureValues& values = of.costs.sums->values[node.value];
  const int64_t accelerator = At(values, Measure::accelerator_micros);
  if (accelerator > 0) return accelerator;
  return SaturatingAdd(At(values, Measure::cpu_micros), of.costs.sums->ContainedPs(node));
}

// True if the runtime fused other nodes into the kernel of the node: _FusedMatMul, _MklFusedConv2D.
// The flops of such a run are more than those of the node.
bool RanFused(const Store& store, NodeId node) {
  return store.Text(KernelTypeOf(store, node)).find("Fused") != std::string_view::npos;
}

struct FlopSums {
  int64_t flops = 0;        // of all nodes that ran
  int64_t rated_flops = 0;  // of the runs whose flops are known
  int64_t rated_time = 0;   // of those very runs
  int64_t time = 0;         // of all nodes
  bool any_fused = false;
};

FlopSums SumFlops(const WhyRequest& of) {
  FlopSums sums;
  for (const NodeId node : of.entity.nodes) {
    if (of.costs.counted.Of(node) == 0) continue;
    const MeasureValues& values = of.costs.sums->values[node.value];
    const int64_t flops = At(values, Measure::float_ops), time = ComputeTime(of, node);
    sums.time = SaturatingAdd(sums.time, time);
    if (flops <= 0 || At(values, Measure::run_count) == 0) continue;
    sums.flops = WrapAdd(sums.flops, flops);
    if (RanFused(of.store, node)) {
      sums.any_fused = true;
      continue;
    }
    sums.rated_flops = WrapAdd(sums.rated_flops, flops);
    sums.rated_time = SaturatingAdd(sums.rated_time, time);
  }
  return sums;
}

// Divides the flops of the runs whose flops are known by the time of those very runs.
void AddFlops(WhyRequest* of) {
  constexpr double kEnough = 0.9;  // of the time of all nodes
  const FlopSums sums = SumFlops(*of);
  if (sums.flops <= 0) return;
  const double covered = Quotient(sums.rated_time, sums.time);
  if (!(covered >= kEnough)) {
    const std::string of_time =
        std::isnan(covered) ? "no time" : Percent(covered) + " of the time, too little for a rate";
    return of->Add("flops", of->scale.Printed(Measure::float_ops, sums.flops),
                   fmt::format("{} float operations{}, known for {}{}",
                               of->Text(Measure::float_ops, sums.flops), of->Span(), of_time,
                               sums.any_fused ? ": those of fused kernels are unknown" : ""));
  }
  const long double seconds =
      static_cast<long double>(sums.rated_time) / of->scale.TimesPerUs() / 1'000'000;
  const auto rate = static_cast<double>(static_cast<long double>(sums.rated_flops) / seconds);
  const bool is_tera = rate >= 1e12;
  const std::string partly =
      sums.rated_time == sums.time
          ? ""
          : fmt::format(" in the {} of the nodes whose flops are known", of->Time(sums.rated_time));
  of->Add("flops_per_s", rate,
          fmt::format("{} float operations{}{}: {:.4g} {}FLOP/s",
                      of->Text(Measure::float_ops, sums.rated_flops), of->Span(), partly,
                      is_tera ? rate / 1e12 : rate / 1e9, is_tera ? "T" : "G"));
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

// What a list of reasons is about, for one part and for several.
struct PartKind {
  std::string_view list, part;  // ids of the reasons
  std::string_view one, many;
};
constexpr PartKind kLineParts{"lines", "line", "source line", "source lines"};
constexpr PartKind kTypeParts{"operations", "operation", "operation", "operations"};

// Adds the number of parts, then the most expensive ones. `name`: of a part.
template <class Part, class Name>
void AddParts(const PartKind& kind, const std::vector<Part>& parts, const Name& name,
              WhyRequest* of) {
  constexpr size_t kShown = 5;
  if (parts.empty()) return;
  const auto count = static_cast<double>(parts.size());
  if (parts.size() == 1)
    return of->Add(kind.list, count, fmt::format("{} {}", kind.one, name(parts[0])));
  const std::string_view end = parts.size() <= kShown ? ":" : ", the most expensive:";
  of->Add(kind.list, count, fmt::format("{} {}{}", parts.size(), kind.many, end));
  for (size_t i = 0; i < std::min(parts.size(), kShown); ++i) {
    const int64_t time = TimeOf(parts[i].sum);
    const bool has_time = time != kNoInt;
    of->Add(kind.part, has_time ? of->Us(time) : std::nan(""),
            fmt::format("{}{}", name(parts[i]), has_time ? ", " + of->Time(time) : ""));
  }
}

// The runtime runs other kernels than the graph names where it fuses or replaces operations.
// Without a graph, the kernel is all that is known.
void AddKernels(WhyRequest* of) {
  const bool has_graph =
      std::any_of(of->entity.nodes.begin(), of->entity.nodes.end(),
                  [&](NodeId node) { return of->store.nodes[node.value].defined; });
  const std::string_view cause = has_graph ? ": the runtime fused or replaced operations" : "";
  for (const TypeSum& kernel : KernelsOfNodes(of->store, of->costs, of->entity.nodes)) {
    const int64_t time = TimeOf(kernel.sum);
    const bool has_time = time != kNoInt;
    const std::string nodes =
        of->entity.nodes.size() == 1 ? "" : fmt::format(", for {} of its nodes", kernel.sum.nodes);
    of->Add("ran_as", has_time ? of->Us(time) : std::nan(""),
            fmt::format("ran as {}{}{}{}", kernel.type, nodes,
                        has_time ? ", " + of->Time(time) : "", cause));
  }
}

void AddSource(const std::vector<LineSum>& lines, WhyRequest* of) {
  if (of->entity.kind == NamedEntity::line) {
    AddParts(
        kTypeParts, TypesOfNodes(of->store, of->costs, of->entity.nodes),
        [](const TypeSum& type) { return type.type; }, of);
  }
  AddParts(
      kLineParts, lines, [](const LineSum& line) { return line.name; }, of);
}

Result<void> AddReasons(const PlaceFilter& place, const std::vector<LineSum>& lines, WhyRequest* of,
                        Context& context) {
  if (of->Has(kHasTime)) {
    TFPROF_TRY(AddShare(of, context));
    AddAsyncDone(of);
    AddRuns(of);
    AddCostliest(of);
    AddAccelerator(of);
    TFPROF_TRY(AddSpread(place, of, context));
    TFPROF_TRY(AddWaiting(place, of, context));
  }
  AddFlops(of);
  AddSize(of);
  AddDevice(of);
  AddKernels(of);
  AddSource(lines, of);
  return {};
}

}  // namespace

Result<Report> Why(const StorePtr& whole, const Indexes& whole_indexes, const Query& asked,
                   Context& context) {
  auto known = NodesOfSubject(whole, whole_indexes, asked, context);
  if (!known && known.error().kind == ErrorKind::usage) {
    return WhyHostCalls(whole, whole_indexes, asked.subject, known.error(), context);
  }
  TFPROF_ASSIGN(const SubjectNodes subject, std::move(known));
  const auto& [nodes, entity, costs] = subject;
  const Query& query = nodes.query;
  const StorePtr& store = nodes.store;
  TFPROF_ASSIGN(const SubjectLines lines,
                LinesOfSubject(whole, whole_indexes, asked, subject, context));
  Report report = StartReport("why", store, *costs.accounts, query.place);
  WhyRequest why_request{*store,
                         *nodes.indexes,
                         costs,
                         entity,
                         report.scale,
                         query.place.sum_steps,
                         costs.Of(entity.nodes)};
  TFPROF_TRY(AddReasons(query.place, lines.sums, &why_request, context));
  NoteOtherReading(entity, &report);
  AddTextProperty({"name", "why"}, fmt::format("{} {}", KindName(entity.kind), entity.name),
                  &report);
  if (!entity.source_text.empty())
    AddTextProperty({"source_text", "source"}, entity.source_text, &report);
  Table& table = report.tables.emplace_back(MakeTable(kWhyTable, why_request.reasons.size()));
  Fill(table, "text", why_request.reasons,
       [&](const Reason& r) { return report.pool->Keep(r.what); });
  Fill(table, "reason", why_request.reasons, [](const Reason& r) { return r.id; });
  Fill(table, "number", why_request.reasons, [](const Reason& r) { return r.number; });
  if (!query.display.original_ids) {
    Fill(table, "unit", why_request.reasons,
         [](const Reason& r) { return std::isnan(r.number) ? std::string_view() : UnitOf(r.id); });
  }
  if (!why_request.Has(kHasTime)) {
    report.notes.push_back({note::no_time_recorded, 1, "", kNoInt});
  }
  AddSteps(nodes, asked, &report);
  return report;
}

TableDefs WhyTables() { return {&kWhyTable}; }

}  // namespace tfprof
