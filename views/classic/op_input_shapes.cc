// SPDX-License-Identifier: Apache-2.0
#include "views/classic/op_input_shapes.h"

#include <algorithm>
#include <map>

#include "core/store/store.h"
#include "views/columns/fill_columns.h"
#include "views/columns/measure_rows.h"

namespace tfprof {
namespace {

constexpr ColumnDef kInputShapesColumns[] = {
    IntegerDef("row", "row", Unit::none, "Row of the first table."),
    TextDef("name", "operation", "The operation type."),
    ListDef("input_shapes", "input shapes", "Shape of each input, where the graph has it."),
    CountDef("runs", "runs", "Executions of the nodes with these shapes.").Was("run"),
    CountDef("defined", "defined", "Nodes with these shapes."),
    IntegerDef("time_us", "time", Unit::us, "Execution time of the nodes with these shapes.")
        .Was("micros"),
};
constexpr TableDef kInputShapesTable{"input_shapes", "", kInputShapesColumns};

struct Combination {
  int64_t run = 0;
  int64_t defined = 0;
  int64_t time = 0;
  uint8_t present = 0;
};

// "0:2x3,\t1:unknown": the text that the original shows; its bytes order combinations with equal
// runs.
constexpr std::string_view kBetween = ",\t";
void AppendInputs(const Store& store, const Node& node, std::string* text) {
  for (const Edge& edge : store.Inputs(node)) {
    if (!text->empty()) text->append(kBetween);
    text->append(std::to_string(edge.input_slot)).push_back(':');
    const std::string shape = ShapeText(store, InputShape(store, edge));
    text->append(shape.empty() ? "unknown" : shape);
  }
}

// Returns one member per input; the members point into `inputs`.
std::vector<std::string_view> Split(std::string_view inputs) {
  std::vector<std::string_view> members;
  while (!inputs.empty()) {
    const size_t end = inputs.find(kBetween);
    members.push_back(inputs.substr(0, end));
    inputs.remove_prefix(end == inputs.npos ? inputs.size() : end + kBetween.size());
  }
  return members;
}

using Combinations = std::map<std::string, Combination>;

Combinations CombinationsOf(const Store& store, const NodeSums& sums,
                            std::span<const NodeId> members) {
  Combinations found;
  std::string text;
  for (const NodeId node : members) {
    text.clear();
    AppendInputs(store, store.nodes[node.value], &text);
    Combination& combination = found[text];
    const MeasureValues& values = sums.values[node.value];
    combination.run = WrapAdd(combination.run, At(values, Measure::run_count));
    combination.time = SaturatingAdd(combination.time, At(values, Measure::micros));
    combination.present |= sums.present[node.value];
    ++combination.defined;
  }
  return found;
}

struct Line {
  int64_t row;  // of the first table
  std::vector<std::string_view> inputs;
  Combination combination;
};

// Orders lines by runs, descending; ties keep the map's order by text.
void AppendLines(uint32_t row, const Combinations& found, TextPool& pool,
                 std::vector<Line>* lines) {
  const size_t first = lines->size();
  for (const auto& [inputs, combination] : found) {
    lines->push_back({row, Split(pool.Keep(inputs)), combination});
  }
  std::stable_sort(
      lines->begin() + static_cast<ptrdiff_t>(first), lines->end(),
      [](const Line& a, const Line& b) { return a.combination.run > b.combination.run; });
}

struct Number {
  std::string_view id;
  int64_t Combination::*value;
  uint8_t needs;  // bit of Present
  Measure measure;
};
constexpr Number kNumbers[] = {
    {"runs", &Combination::run, kHasRuns, Measure::run_count},
    {"defined", &Combination::defined, 0, Measure::definition_count},
    {"time_us", &Combination::time, kHasTime, Measure::micros},
};

Table MadeOf(const MeasureScale& scale, const std::vector<Line>& lines, const ReportColumn& names) {
  Table table = MakeTable(kInputShapesTable, lines.size());
  ReportColumn& row = AddColumn(table, "row");
  row.spec.role = ColumnRole::row_of_first;
  for (const Line& line : lines) row.integers.push_back(line.row);
  ReportColumn& name = AddColumn(table, "name");
  for (const Line& line : lines) name.texts.push_back(names.texts[static_cast<size_t>(line.row)]);
  ReportColumn& inputs = AddColumn(table, "input_shapes");
  for (const Line& line : lines) inputs.lists.push_back(line.inputs);
  for (const Number& number : kNumbers) {
    ReportColumn& column = Fill(table, number.id, lines, [&](const Line& line) {
      const bool known = (line.combination.present & number.needs) == number.needs;
      return known ? line.combination.*number.value : kNoInt;
    });
    SetScale(scale, number.measure, &column);
  }
  return table;
}

}  // namespace

Table InputShapesOf(Report& report, const NodeSums& sums) {
  const Table& ops = report.tables[0];
  std::vector<Line> lines;
  for (uint32_t row = 0; row < ops.rows; ++row) {
    const uint32_t first = ops.first_member[row];
    const auto members = std::span(ops.members).subspan(first, ops.first_member[row + 1] - first);
    AppendLines(row, CombinationsOf(*report.store, sums, members), *report.pool, &lines);
  }
  return MadeOf(report.scale, lines, *ops.Find("name"));
}

const TableDef& InputShapesTableDef() { return kInputShapesTable; }

}  // namespace tfprof
