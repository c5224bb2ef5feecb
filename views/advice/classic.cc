// SPDX-License-Identifier: Apache-2.0
#include "views/advice/classic.h"

#include <algorithm>

#include "core/report/table_def.h"
#include "core/store/store.h"
#include "views/advice/checker.h"
#include "views/columns/measure_rows.h"
#include "views/views.h"

namespace tfprof {
namespace {

constexpr ColumnDef kDevicesAdviseColumns[] = {
    TextDef("device", "device", "Name."),
    RealDef("utilization", "utilization", Unit::none, "Busy time / span."),
};
constexpr TableDef kDevicesAdviseTable{"devices", "", kDevicesAdviseColumns};

constexpr ColumnDef kGraphNodesColumns[] = {
    TextDef("name", "name", "What is expensive."),
    IntegerDef("cpu_micros", "cpu", Unit::us, ""),
    IntegerDef("accelerator_micros", "accelerator", Unit::us, ""),
    IntegerDef("time_us", "time", Unit::us, "").Was("micros"),
};
constexpr TableDef kGraphNodesTable{"graph_nodes", "", kGraphNodesColumns};

constexpr ColumnDef kOperationTypesColumns[] = {
    TextDef("name", "name", "What is expensive."),
    IntegerDef("cpu_micros", "cpu", Unit::us, ""),
    IntegerDef("accelerator_micros", "accelerator", Unit::us, ""),
    IntegerDef("time_us", "time", Unit::us, "").Was("micros"),
};
constexpr TableDef kOperationTypesTable{"operation_types", "", kOperationTypesColumns};

constexpr ColumnDef kCodeAdviseColumns[] = {
    TextDef("name", "name", "What is expensive."),
    IntegerDef("cpu_micros", "cpu", Unit::us, ""),
    IntegerDef("accelerator_micros", "accelerator", Unit::us, ""),
    IntegerDef("time_us", "time", Unit::us, "").Was("micros"),
    IntegerDef("depth", "depth", Unit::none, ""),
};
constexpr TableDef kCodeAdviseTable{"code", "", kCodeAdviseColumns};

constexpr size_t kTop = 3;
constexpr uint32_t kDeepest = 3;          // depth of the printed lines of code
constexpr int64_t kMinCodeMicros = 1000;  // min time of a printed line of code

void AddBooleanProperty(Report& report, std::string_view id, bool value) {
  Property property;
  property.id = id;
  property.type = CellType::boolean;
  property.integer = value ? 1 : 0;
  report.properties.push_back(std::move(property));
}

// ---- AcceleratorUtilizationChecker -------------------------------------------------------------

Result<void> AddUtilizationAdvice(const Store& store, const Indexes& indexes, Report& report,
                                  Context& context) {
  TFPROF_ASSIGN(const auto accounts, indexes.Get<NodeAccounts>(context));
  TFPROF_ASSIGN(const auto devices, ClassicUtilization(store, *accounts, context));
  Table& table = report.tables.emplace_back(MakeTable(kDevicesAdviseTable, devices.size()));
  ReportColumn& name = AddColumn(table, "device");
  for (const DeviceUtilization& device : devices) {
    name.texts.push_back(store.Text(store.lanes[device.lane.value].name));
  }
  ReportColumn& utilization = AddColumn(table, "utilization");
  for (const DeviceUtilization& device : devices) {
    utilization.reals.push_back(device.utilization);
  }
  return {};
}

// ---- ExpensiveOperationChecker -----------------------------------------------------------------

// Returns the original's query: every row of at least `min_code_micros`, by time, descending.
Query Costliest(int32_t max_depth, int64_t min_code_micros) {
  Query query;
  query.tree.max_depth = max_depth;
  query.tree.min_micros = min_code_micros;
  query.display.order_by = OrderBy::micros;
  return query;
}

// Adds rows of the table `from` as a table: name and the three times, self or total.
void AddTimes(const TableDef& def, const Table& from, const std::vector<uint32_t>& rows,
              ColumnRole role, Report& report) {
  Table& table = report.tables.emplace_back(MakeTable(def, rows.size()));
  ReportColumn& names = AddColumn(table, "name");
  const ReportColumn& all_names = *from.Find("name");
  for (const uint32_t row : rows) {
    names.texts.push_back(report.pool->Keep(std::string(all_names.texts[row])));
  }
  const Column<MeasureValues>& values =
      role == ColumnRole::self ? from.self_values : from.total_values;
  for (const Measure measure :
       {Measure::cpu_micros, Measure::accelerator_micros, Measure::micros}) {
    ReportColumn& column = AddColumn(table, Info(measure).id);
    column.spec.unit = ScaleOf(*report.store, {}).UnitOf(measure);
    for (const uint32_t row : rows) column.integers.push_back(At(values[row], measure));
  }
}

Result<void> AddOperationTypeAdvice(const StorePtr& store, const Indexes& indexes, Report& report,
                                    Context& context) {
  if (store->steps.empty()) return {};
  TFPROF_ASSIGN(const Report op, Op(store, indexes, Costliest(3, 1), context));
  const Table& table = op.tables[0];
  std::vector<uint32_t> rows;
  for (uint32_t row = 0; row < std::min(kTop, table.PrintedRows()); ++row) rows.push_back(row);
  AddTimes(kOperationTypesTable, table, rows, ColumnRole::self, report);
  if (const Property* total = op.Find("total_micros")) report.properties.push_back(*total);
  return {};
}

// Returns the child rows by parent row, in the order of the answer.
std::vector<std::vector<uint32_t>> ChildrenOf(const Table& tree) {
  std::vector<std::vector<uint32_t>> children(tree.rows);
  for (uint32_t row = 1; row < tree.rows; ++row) children[tree.parent[row]].push_back(row);
  return children;
}

Result<void> AddGraphNodeAdvice(const StorePtr& store, const Indexes& indexes, Report& report,
                                Context& context) {
  TFPROF_ASSIGN(const Report scope, Scope(store, indexes, Costliest(100, 100), context));
  std::vector<uint32_t> rows = ChildrenOf(scope.tables[0])[0];
  rows.resize(std::min(kTop, rows.size()));
  AddTimes(kGraphNodesTable, scope.tables[0], rows, ColumnRole::self, report);
  return {};
}

struct CodeLine {
  uint32_t row;
  uint32_t depth;
};

// Returns the largest children of `top` that took long enough, each followed by its own while they
// branch.
std::vector<CodeLine> CodeLines(const Table& tree,
                                const std::vector<std::vector<uint32_t>>& children, uint32_t top) {
  std::vector<CodeLine> lines, left{{top, 0}};
  while (!left.empty()) {
    const CodeLine line = left.back();
    left.pop_back();
    const bool is_top = line.row == top;
    if (!is_top) lines.push_back({line.row, line.depth - 1});
    const std::vector<uint32_t>& below = children[line.row];
    if (below.size() <= 1 || line.depth > kDeepest) continue;
    for (size_t i = std::min(kTop, below.size()); i-- > 0;) {
      const int64_t micros = At(tree.total_values[below[i]], Measure::micros);
      if (micros >= kMinCodeMicros) left.push_back({below[i], line.depth + 1});
    }
  }
  return lines;
}

Result<void> AddCodeAdvice(const StorePtr& store, const Indexes& indexes, Report& report,
                           Context& context) {
  if (!store->has_code_traces) return {};
  TFPROF_ASSIGN(const Report code, Code(store, indexes, Costliest(100, 1), context));
  const Table& tree = code.tables[0];
  const std::vector<std::vector<uint32_t>> children = ChildrenOf(tree);
  // Frames with a single callee are mostly library code: the first one that branches is the user's.
  uint32_t top = 0;
  while (children[top].size() == 1) top = children[top][0];
  if (children[top].empty()) return {};
  std::vector<uint32_t> rows;
  std::vector<int64_t> depths;
  for (const CodeLine& line : CodeLines(tree, children, top)) {
    rows.push_back(line.row);
    depths.push_back(line.depth);
  }
  AddTimes(kCodeAdviseTable, tree, rows, ColumnRole::total, report);
  AddColumn(report.tables.back(), "depth").integers = std::move(depths);
  return {};
}

// ---- OperationChecker --------------------------------------------------------------------------

Result<void> AddOperationAdvice(const Store& store, const Indexes& indexes, Report& report,
                                Context& context) {
  TFPROF_ASSIGN(const auto accounts, indexes.Get<NodeAccounts>(context));
  bool batch_norm = false, fused = false, nhwc = false;
  for (size_t i = 0; i < store.nodes.size(); ++i) {
    if (i % 4096 == 0) TFPROF_TRY(Poll(context));
    const std::string_view name = store.Text(store.nodes[i].name);
    batch_norm = batch_norm || name.find("BatchNorm") != name.npos;
    for (const NameId type : TypesOf(*accounts, NodeId(i))) {
      fused = fused || store.Text(type) == "FusedBatchNorm";
    }
  }
  for (const DataFormat& row : store.data_formats) {
    const LaneId lane = accounts->counting_lane[row.node.value];
    nhwc = nhwc || (store.Text(row.format) == "NHWC" && IsAccelerator(store, lane));
  }
  AddBooleanProperty(report, "batch_norm_is_not_fused", batch_norm && !fused);
  AddBooleanProperty(report, "nhwc_on_accelerator", nhwc);
  return {};
}

}  // namespace

Result<Report> ClassicAdvice(const StorePtr& store, const Indexes& indexes, const Query& query,
                             Context& context) {
  TFPROF_ASSIGN(const auto accounts, indexes.Get<NodeAccounts>(context));
  Report report = StartReport("advise", store, *accounts, query.place);
  const auto selected = [&](std::string_view checker) {
    const bool is_requested = IsRequested(checker, query);
    if (is_requested) AddBooleanProperty(report, checker, true);
    return is_requested;
  };
  if (selected("AcceleratorUtilizationChecker")) {
    TFPROF_TRY(AddUtilizationAdvice(*store, indexes, report, context));
  }
  if (selected("ExpensiveOperationChecker")) {
    TFPROF_TRY(AddOperationTypeAdvice(store, indexes, report, context));
    TFPROF_TRY(AddGraphNodeAdvice(store, indexes, report, context));
    TFPROF_TRY(AddCodeAdvice(store, indexes, report, context));
  }
  if (selected("OperationChecker")) {
    TFPROF_TRY(AddOperationAdvice(*store, indexes, report, context));
  }
  return report;
}

}  // namespace tfprof
