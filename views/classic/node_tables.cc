// SPDX-License-Identifier: Apache-2.0
#include "views/classic/node_tables.h"

#include "core/text/kept_texts.h"
#include "views/classic/op_input_shapes.h"
#include "views/columns/measure_meaning.h"
#include "views/columns/percentiles.h"

namespace tfprof {
namespace {

using Columns = std::vector<ColumnDef>;

bool IsTotal(ColumnRole role) { return role == ColumnRole::total; }

// `texts` owns the composed ids and titles.
ColumnDef MeasureDef(Measure measure, ColumnRole role, TextPool* texts) {
  const MeasureInfo& info = Info(measure);
  const std::string_view original = texts->Keep(OriginalId(measure, role));
  const std::string title(info.title);
  if (role == ColumnRole::remainder) {
    return IntegerDef(original, texts->Keep(title + " from here"), info.unit,
                      "Sum of this row and all rows below it.")
        .ForOriginal();
  }
  return IntegerDef(IsTotal(role) ? info.inclusive : info.column,
                    IsTotal(role) ? texts->Keep("total " + title) : info.title, info.unit,
                    texts->Keep(MeaningOf(measure, IsTotal(role))))
      .Was(original)
      .Folded(Folds::sum);
}

void AddTreeMeasures(TextPool* texts, Columns* columns) {
  for (const MeasureInfo& info : AllMeasures()) {
    columns->push_back(MeasureDef(info.measure, ColumnRole::self, texts));
    columns->push_back(MeasureDef(info.measure, ColumnRole::total, texts));
  }
}

// Rows of a list have no children. The original prints each row with the sum of it and all rows
// after it.
void AddListMeasures(TextPool* texts, Columns* columns) {
  for (const MeasureInfo& info : AllMeasures()) {
    columns->push_back(MeasureDef(info.measure, ColumnRole::self, texts));
    columns->push_back(MeasureDef(info.measure, ColumnRole::total, texts).ForOriginal());
    columns->push_back(MeasureDef(info.measure, ColumnRole::remainder, texts));
  }
}

ColumnDef Accounted(std::string_view meaning) {
  return BooleanDef("accounted", "accounted", meaning).Folded(Folds::same);
}

constexpr std::string_view kCounts = "True if the row's own values count, not only those below it.";

// The original's sum, which is no measure of ours.
ColumnDef BothTimes() {
  return TimeDef(
             "device_host_us", "device+host",
             "Time on accelerators plus time on hosts; in a tree, of the row and all rows below.")
      .Folded(Folds::sum);
}

// Other views show the rows of op without the executions.
Columns WithoutPercentiles(Columns columns) {
  std::erase_if(columns, [](const ColumnDef& def) {
    return std::ranges::count(kNodePercentiles, def.id, &ColumnDef::id) > 0;
  });
  return columns;
}

void AddFurther(Columns* columns) {
  columns->push_back(BothTimes());
  columns->push_back(ShareDef("share_pct", "share",
                              "Share of the total, of the measure that orders the rows; in a tree, "
                              "of the row and all rows below.")
                         .Was("share")
                         .OnRequest());
  columns->insert(columns->end(), std::begin(kNodePercentiles), std::end(kNodePercentiles));
}

// Columns of scope and graph.
Columns NodeColumns(std::string_view name_meaning, TextPool* texts) {
  const auto list = [](std::string_view id, std::string_view title, Attribute attribute) {
    return ListDef(id, title, Info(attribute).meaning);
  };
  Columns columns = {
      TextDef("name", "name", name_meaning).Folded(Folds::names),
      Accounted(kCounts),
      TextDef("shape", "shape", "Shape of the variable."),
      list("device", "device", Attribute::device).Folded(Folds::any),
      list("op_types", "types", Attribute::op_types).Folded(Folds::any),
      list("input_shapes", "input shapes", Attribute::input_shapes),
      {"tensor_value", "value", CellType::tensor, Unit::none,
       Info(Attribute::tensor_value).meaning},
  };
  AddTreeMeasures(texts, &columns);
  AddFurther(&columns);
  return columns;
}

void AddMemberColumns(Columns* columns) {
  columns->push_back(
      ListDef("device", "device", "Devices of the row's graph nodes.").Folded(Folds::any));
  columns->push_back(
      ListDef("op_types", "types", "Operation types, op log types and devices of the row's nodes.")
          .Folded(Folds::any));
}

Columns OpColumns(TextPool* texts) {
  Columns columns = {TextDef("name", "operation", "Operation type."),
                     Accounted("True if the row's own values count.").Folded(Folds::alike)};
  AddMemberColumns(&columns);
  AddListMeasures(texts, &columns);
  AddFurther(&columns);
  return columns;
}

Columns CodeColumns(TextPool* texts) {
  Columns columns = {
      TextDef("name", "code", "File, line and function of the frame."),
      Accounted(kCounts),
      TextDef("source_file", "file", "File of the frame, as recorded.").Was("file"),
      IntegerDef("source_line", "line", Unit::none, "Line of the call.").Was("line"),
      TextDef("function", "function", "Function of the frame."),
      IntegerDef("function_line", "function_line", Unit::none, "First line of the function."),
  };
  AddMemberColumns(&columns);
  AddTreeMeasures(texts, &columns);
  AddFurther(&columns);
  return columns;
}

Columns GraphColumns(TextPool* texts) {
  Columns columns = NodeColumns("Name of the node.", texts);
  columns.push_back(ListDef("operands", "operands", "Nodes whose results it reads, by input.")
                        .Folded(Folds::any)
                        .ForMachines());
  return columns;
}

struct NodeTables {
  TextPool texts;
  Columns scope_columns = NodeColumns("Full name of the scope.", &texts);
  Columns graph_columns = GraphColumns(&texts);
  Columns op_columns = OpColumns(&texts);
  Columns code_columns = CodeColumns(&texts);
  TableDef scope{"scope", "", scope_columns, RowNames::scopes};
  TableDef graph{"graph", "", graph_columns, RowNames::nodes};
  TableDef op{"op", "", op_columns, RowNames::types};
  Columns operations_columns = WithoutPercentiles(op_columns);
  TableDef operations{"operations", "", operations_columns};
  TableDef code{"code", "", code_columns, RowNames::frames};
};

const NodeTables& AllNodeTables() {
  static const NodeTables tables;
  return tables;
}

}  // namespace

std::string OriginalId(Measure measure, ColumnRole role) {
  const std::string id(Info(measure).id);
  if (role == ColumnRole::remainder) return "classic_remainder_" + id;
  return role == ColumnRole::total ? "total_" + id : id;
}

const TableDef& ScopeTableDef() { return AllNodeTables().scope; }
const TableDef& GraphTableDef() { return AllNodeTables().graph; }
const TableDef& OpTableDef() { return AllNodeTables().op; }
const TableDef& OperationsTableDef() { return AllNodeTables().operations; }
const TableDef& CodeTableDef() { return AllNodeTables().code; }

TableDefs ScopeTables() { return {&ScopeTableDef()}; }
TableDefs GraphTables() { return {&GraphTableDef()}; }
TableDefs OpTables() { return {&OpTableDef(), &InputShapesTableDef()}; }
TableDefs CodeTables() { return {&CodeTableDef()}; }

}  // namespace tfprof
