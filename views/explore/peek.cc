// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <algorithm>

#include "analysis/nodes/accounting.h"
#include "analysis/nodes/scope_tree.h"
#include "core/base/sorting.h"
#include "core/store/store.h"
#include "views/columns/fill_columns.h"
#include "views/columns/group_sums.h"
#include "views/columns/measure_rows.h"
#include "views/columns/properties.h"
#include "views/columns/step_sums.h"
#include "views/on_nodes.h"
#include "views/source_lines.h"
#include "views/subject.h"
#include "views/subject_nodes.h"

namespace tfprof {
namespace {

constexpr ColumnDef kAroundColumns[] = {
    TextDef("name", "name", "Full name.").Folded(Folds::names),
    TextDef("role", "role", "input or output of the node; part of the scope, type or source line.")
        .Folded(Folds::same),
    IntegerDef("time_us", "time", Unit::us,
               "Per step; for a trace, over the whole trace. For a scope, the sum over its nodes.")
        .Was("micros")
        .Folded(Folds::sum),
    CountDef("runs", "runs", "Per step; for a trace, over the whole trace.")
        .Was("run_count")
        .Folded(Folds::sum),
    TextDef("type", "type", "Operation type; absent for a scope.").Folded(Folds::same),
    TextDef("shape", "shape", "Shape of its first output."),
    ListDef("device", "device", "Its devices; absent for a scope.").Droppable().Folded(Folds::any),
};
constexpr TableDef kAroundTable{"around", "", kAroundColumns};

constexpr ColumnDef kDevicesPeekColumns[] = {
    TextDef("device", "device", "Device on which they ran."),
    CountDef("nodes", "nodes", "Nodes that ran there."),
    IntegerDef("time_us", "time", Unit::us, "Per step; for a trace, over the whole trace.")
        .Was("micros"),
    CountDef("runs", "runs", "Per step; for a trace, over the whole trace.").Was("run_count"),
};
constexpr TableDef kDevicesPeekTable{"devices", "", kDevicesPeekColumns};

constexpr ColumnDef kStepsPeekColumns[] = {
    IntegerDef("step", "step", Unit::none, "Step number."),
    TimeDef("time_us", "time", "Time on all devices.").Was("time"),
    CountDef("runs", "runs", "Executions."),
};
constexpr TableDef kStepsPeekTable{"steps", "", kStepsPeekColumns};

constexpr ColumnDef kOperationsPeekColumns[] = {
    TextDef("type", "type", "Operation type."),
    IntegerDef("time_us", "time", Unit::us, "Per step; for a trace, over the whole trace."),
    CountDef("runs", "runs", "Per step; for a trace, over the whole trace."),
    CountDef("nodes", "nodes", "Counted graph nodes."),
};
constexpr TableDef kOperationsPeekTable{"operations", "", kOperationsPeekColumns};

constexpr ColumnDef kLinesPeekColumns[] = {
    TextDef("name", "source line", "File, line and function, as in code."),
    IntegerDef("time_us", "time", Unit::us,
               "Of the nodes that the line created itself. Per step; for a trace, over the whole "
               "trace."),
    CountDef("runs", "runs", "Per step; for a trace, over the whole trace."),
    CountDef("nodes", "nodes", "Counted graph nodes."),
    TextDef("source_file", "file", "File of the frame, as recorded.").ForMachines(),
    IntegerDef("source_line", "line", Unit::none, "Line of the call.").ForMachines(),
    TextDef("function", "function", "Function of the frame.").ForMachines(),
};
constexpr TableDef kLinesPeekTable{"lines", "", kLinesPeekColumns};

// The input of all tables.
struct Peeking {
  const Store& store;
  const NodeCosts& costs;
  const NamedEntity& entity;
  Report& report;
};

// A row of `around`: a node, or the nodes of a scope.
struct Neighbor {
  std::string_view role;
  std::string_view name;
  NodeId node;  // none for a scope
  GroupSum sum;
};

Neighbor OfNode(std::string_view role, NodeId node, const Peeking& of) {
  return {role, of.store.Text(of.store.nodes[node.value].name), node, of.costs.Of({&node, 1})};
}

bool TakesMoreTime(const Neighbor& a, const Neighbor& b) {
  const int64_t left = TimeOf(a.sum), right = TimeOf(b.sum);
  return left == kNoInt ? false : right == kNoInt || left > right;
}

// Returns the node's producers, in the order of its inputs, then the consumers of its outputs.
Result<std::vector<Neighbor>> InputsAndOutputs(const Peeking& of, Context& context) {
  std::vector<Neighbor> rows;
  const NodeId self = of.entity.node_id;
  std::vector<NodeId> seen;
  for (const Edge& edge : of.store.Inputs(of.store.nodes[self.value])) {
    if (!edge.producer.some()) continue;
    if (std::find(seen.begin(), seen.end(), edge.producer) != seen.end()) continue;
    seen.push_back(edge.producer);
    rows.push_back(OfNode("input", edge.producer, of));
  }
  for (size_t i = 0; i < of.store.nodes.size(); ++i) {
    if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const auto inputs = of.store.Inputs(of.store.nodes[i]);
    const bool takes = std::any_of(inputs.begin(), inputs.end(),
                                   [&](const Edge& edge) { return edge.producer == self; });
    if (takes) rows.push_back(OfNode("output", NodeId(i), of));
  }
  return rows;
}

std::vector<Neighbor> PartsOfScope(const Peeking& of, const ScopeTree& tree) {
  const ScopeNames names{&of.store, &tree};
  const NamedTree named = Named(names);
  std::vector<Neighbor> rows;
  const uint32_t scope = of.entity.scope_row;
  for (uint32_t row = scope + 1; row < tree.end[scope]; row = tree.end[row]) {
    const std::vector<NodeId> nodes = NodesIn(tree, row);
    const bool leaf = tree.end[row] == row + 1;
    rows.push_back({"part", named.Name(row), leaf ? tree.node[row] : NodeId(), of.costs.Of(nodes)});
  }
  StableSort(rows, TakesMoreTime);
  return rows;
}

std::vector<Neighbor> Members(const Peeking& of) {
  std::vector<Neighbor> rows;
  for (const NodeId node : of.entity.nodes) {
    if (of.costs.counted.Of(node) != 0) rows.push_back(OfNode("part", node, of));
  }
  StableSort(rows, TakesMoreTime);
  return rows;
}

void AddAround(const std::vector<Neighbor>& rows, const Peeking& of) {
  const Store& store = of.store;
  TextPool& pool = *of.report.pool;
  Table& table = of.report.tables.emplace_back(MakeTable(kAroundTable, rows.size()));
  const auto of_node = [&](auto cell) {
    return [cell](const Neighbor& r) { return r.node.some() ? cell(r.node) : std::string_view(); };
  };
  if (of.entity.kind != NamedEntity::node) table.ordered_by = "time_us";
  Fill(table, "name", rows, [](const Neighbor& r) { return r.name; });
  Fill(table, "role", rows, [](const Neighbor& r) { return r.role; });
  const MeasureScale& scale = of.report.scale;
  SetScale(scale, Measure::micros,
           &Fill(table, "time_us", rows, [](const Neighbor& r) { return TimeOf(r.sum); }));
  SetScale(scale, Measure::run_count,
           &Fill(table, "runs", rows, [](const Neighbor& r) { return RunsOf(r.sum); }));
  Fill(table, "type", rows,
       of_node([&](NodeId node) { return store.Text(store.nodes[node.value].type); }));
  Fill(table, "shape", rows, of_node([&](NodeId node) {
         return pool.Keep(ShapeText(store, store.FirstOutputShape(node)));
       }));
  ReportColumn& device = AddColumn(table, "device");
  for (const Neighbor& row : rows) {
    device.lists.push_back(row.node.some() ? DevicesOf(store, *of.costs.accounts, row.node)
                                           : std::vector<std::string_view>());
  }
}

void AddDevices(const Peeking& of) {
  const std::vector<DeviceRow> rows = DeviceRows(of.store, of.costs, of.entity.nodes);
  Table& table = of.report.tables.emplace_back(MakeTable(kDevicesPeekTable, rows.size()));
  table.ordered_by = "time_us";
  Fill(table, "device", rows, [](const DeviceRow& r) { return r.device; });
  Fill(table, "nodes", rows, [](const DeviceRow& r) { return r.nodes; });
  SetScale(of.report.scale, Measure::micros,
           &Fill(table, "time_us", rows, [](const DeviceRow& r) { return r.time; }));
  SetScale(of.report.scale, Measure::run_count,
           &Fill(table, "runs", rows, [](const DeviceRow& r) { return r.runs; }));
}

// Fills the columns of parts that have a GroupSum.
template <class Part>
void FillSums(const MeasureScale& scale, const std::vector<Part>& parts, Table* table) {
  SetScale(scale, Measure::micros,
           &Fill(*table, "time_us", parts, [](const Part& p) { return TimeOf(p.sum); }));
  SetScale(scale, Measure::run_count,
           &Fill(*table, "runs", parts, [](const Part& p) { return RunsOf(p.sum); }));
  Fill(*table, "nodes", parts, [](const Part& p) { return int64_t{p.sum.nodes}; });
  table->ordered_by = "time_us";
}

void AddOperations(const Peeking& of) {
  const std::vector<TypeSum> types = TypesOfNodes(of.store, of.costs, of.entity.nodes);
  Table& table = of.report.tables.emplace_back(MakeTable(kOperationsPeekTable, types.size()));
  Fill(table, "type", types, [](const TypeSum& type) { return type.type; });
  FillSums(of.report.scale, types, &table);
}

void AddLines(const std::vector<LineSum>& lines, const Peeking& of) {
  if (lines.empty()) return;
  TextPool& pool = *of.report.pool;
  const auto keep = [&](std::string_view text) { return pool.Keep(std::string(text)); };
  Table& table = of.report.tables.emplace_back(MakeTable(kLinesPeekTable, lines.size()));
  Fill(table, "name", lines, [&](const LineSum& line) { return keep(line.name); });
  FillSums(of.report.scale, lines, &table);
  Fill(table, "source_file", lines, [&](const LineSum& line) { return keep(line.file); });
  Fill(table, "source_line", lines, [](const LineSum& line) { return line.line; });
  Fill(table, "function", lines, [&](const LineSum& line) { return keep(line.function); });
}

Result<void> AddStepTimes(const Peeking& of, const PlaceFilter& place, Context& context) {
  TFPROF_ASSIGN(const StepSums sums,
                SumBySteps(of.store, of.costs, of.entity.nodes, place, context));
  if (sums.steps.empty()) return {};
  std::vector<size_t> rows(sums.steps.size());
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = i;
  Table& table = of.report.tables.emplace_back(MakeTable(kStepsPeekTable, rows.size()));
  Fill(table, "step", rows, [&](size_t i) { return of.store.steps[sums.steps[i].value].number; });
  Fill(table, "time_us", rows, [&](size_t i) { return sums.TimePs(i, 0); });
  Fill(table, "runs", rows, [&](size_t i) { return sums.Runs(i, 0); });
  return {};
}

void AddTextIfAny(const PropertyName& name, std::string_view text, Report* report) {
  if (!text.empty()) AddTextProperty(name, std::string(text), report);
}

void AddMeasureIfKnown(const PropertyName& name, Measure measure, int64_t value, Report* report) {
  if (value == kNoInt) return;
  AddIntegerProperty(name, value, report->scale.UnitOf(measure), report).divisor =
      report->scale.DivisorOf(measure);
}

int64_t TimeOfAll(const Peeking& of) {
  int64_t all = 0;
  for (size_t i = 0; i < of.store.nodes.size(); ++i) {
    const int64_t time = At(of.costs.sums->values[i], Measure::micros);
    all = SaturatingAdd(all, WrapMul(time, of.costs.counted.Of(NodeId(i))));
  }
  return all;
}

void AddFacts(const Peeking& of) {
  Report* report = &of.report;
  const GroupSum sum = of.costs.Of(of.entity.nodes);
  const bool is_node = of.entity.kind == NamedEntity::node;
  const std::string_view kind = KindName(of.entity.kind);
  AddTextProperty({"kind"}, std::string(kind), report);
  AddTextIfAny({"name", kind}, of.entity.name, report);
  AddTextIfAny({"source_text", "source"}, of.entity.source_text, report);
  if (is_node) {
    const NodeId node = of.entity.node_id;
    AddTextIfAny({"type", "type"}, of.store.Text(of.store.nodes[node.value].type), report);
    const std::vector<std::string_view> devices = DevicesOf(of.store, *of.costs.accounts, node);
    if (!devices.empty()) {
      AddNamesProperty({"device", "device"}, {devices.begin(), devices.end()}, report);
    }
    AddTextIfAny({"shape", "shape"}, ShapeText(of.store, of.store.FirstOutputShape(node)), report);
  }
  std::vector<std::string> kernels;
  for (const TypeSum& kernel : KernelsOfNodes(of.store, of.costs, of.entity.nodes))
    kernels.emplace_back(kernel.type);
  if (!kernels.empty()) AddNamesProperty({"ran_as", "ran as"}, std::move(kernels), report);
  AddIntegerProperty({"nodes", is_node ? "" : "nodes"}, sum.nodes, Unit::count, report);
  AddMeasureIfKnown({"micros", "time"}, Measure::micros, TimeOf(sum), report);
  const int64_t all = TimeOfAll(of);
  if (TimeOf(sum) != kNoInt && all > 0) {
    AddRealProperty({"share", "time", "share"},
                    static_cast<double>(TimeOf(sum)) / static_cast<double>(all), Unit::fraction,
                    report);
  }
  AddMeasureIfKnown({"run_count", "runs"}, Measure::run_count, RunsOf(sum), report);
  const auto measured = [&](uint8_t bit, Measure measure) {
    return (sum.present & bit) != 0 ? At(sum.values, measure) : kNoInt;
  };
  AddMeasureIfKnown({"bytes", "memory"}, Measure::bytes, measured(kHasMemory, Measure::bytes),
                    report);
  AddMeasureIfKnown({"params", "parameters"}, Measure::params,
                    measured(kHasParams, Measure::params), report);
  AddMeasureIfKnown({"float_ops", "float ops"}, Measure::float_ops,
                    measured(kHasFlops, Measure::float_ops), report);
}

}  // namespace

// A node has its inputs, then its consumers; the parts of a scope, type or line are by time. Each
// node counts on one device.
Result<Report> Peek(const StorePtr& whole, const Indexes& whole_indexes, const Query& asked,
                    Context& context) {
  TFPROF_ASSIGN(const SubjectNodes subject, NodesOfSubject(whole, whole_indexes, asked, context));
  const auto& [nodes, entity, costs] = subject;
  TFPROF_ASSIGN(const SubjectLines lines,
                LinesOfSubject(whole, whole_indexes, asked, subject, context));
  Report report = StartReport("peek", nodes.store, *costs.accounts, nodes.query.place);
  NoteOtherReading(entity, &report);
  const Peeking of{*nodes.store, costs, entity, report};
  AddFacts(of);
  std::vector<Neighbor> around;
  if (entity.kind == NamedEntity::node) {
    TFPROF_ASSIGN(around, InputsAndOutputs(of, context));
  } else if (entity.kind == NamedEntity::scope) {
    TFPROF_ASSIGN(const auto tree, nodes.indexes->Get<ScopeTree>(context));
    around = PartsOfScope(of, *tree);
  } else {
    around = Members(of);
  }
  AddAround(around, of);
  if (entity.kind == NamedEntity::line) AddOperations(of);
  AddLines(lines.sums, of);
  AddDevices(of);
  TFPROF_TRY(AddStepTimes(of, nodes.query.place, context));
  AddSteps(nodes, asked, &report);
  return report;
}

TableDefs PeekTables() {
  return {&kAroundTable, &kOperationsPeekTable, &kLinesPeekTable, &kDevicesPeekTable,
          &kStepsPeekTable};
}

}  // namespace tfprof
