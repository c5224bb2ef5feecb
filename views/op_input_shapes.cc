// SPDX-License-Identifier: Apache-2.0
#include "views/op_input_shapes.h"

#include <algorithm>
#include <map>

#include "views/measure_rows.h"

namespace tfprof {
namespace {

struct Combination {
  int64_t run = 0;
  int64_t defined = 0;
  int64_t micros = 0;
  uint8_t present = 0;
};

// "input_type: 0:2x3,\t1:unknown", the text of the original; of a node without inputs the first
// word alone.
void AppendInputType(const Store& store, const Node& node, std::string* text) {
  text->append("input_type: ");
  bool first = true;
  for (const Edge& edge : store.Inputs(node)) {
    if (!first) text->append(",\t");
    first = false;
    text->append(std::to_string(edge.input_slot)).push_back(':');
    const std::string shape = ShapeText(store, InputShape(store, edge));
    text->append(shape.empty() ? "unknown" : shape);
  }
}

using Combinations = std::map<std::string, Combination, std::less<>>;

Combinations CombinationsOf(const Store& store, const NodeSums& sums,
                            std::span<const NodeId> members) {
  Combinations found;
  std::string text;
  for (const NodeId node : members) {
    text.clear();
    AppendInputType(store, store.nodes[node.value], &text);
    auto at = found.find(text);
    if (at == found.end()) at = found.emplace(text, Combination{}).first;
    const MeasureValues& values = sums.values[node.value];
    Combination& combination = at->second;
    combination.run = WrapAdd(combination.run, At(values, Measure::run_count));
    combination.micros = WrapAdd(combination.micros, At(values, Measure::micros));
    combination.present |= sums.present[node.value];
    ++combination.defined;
  }
  return found;
}

struct Line {
  int64_t row;  // of the first table
  std::string_view input_type;
  Combination combination;
};

// Most runs first; equal ones by text, as the map has them.
void AppendLines(uint32_t row, const Combinations& found, TextPool& pool,
                 std::vector<Line>* lines) {
  const size_t first = lines->size();
  for (const auto& [text, combination] : found) {
    lines->push_back({row, pool.Keep(text), combination});
  }
  std::stable_sort(
      lines->begin() + static_cast<ptrdiff_t>(first), lines->end(),
      [](const Line& a, const Line& b) { return a.combination.run > b.combination.run; });
}

struct Number {
  std::string_view id;
  std::string_view title;
  Unit unit;
  std::string_view meaning;
  int64_t Combination::*value;
  uint8_t needs;  // Present bit
};
constexpr Number kNumbers[] = {
    {"run", "runs", Unit::count, "How often nodes with these shapes ran.", &Combination::run,
     kHasRuns},
    {"defined", "defined", Unit::count, "How many nodes have these shapes.", &Combination::defined,
     0},
    {"micros", "time", Unit::us, "Execution time of these nodes.", &Combination::micros, kHasTime},
};

void FillTable(const std::vector<Line>& lines, Table& table) {
  table.name = "input_shapes";
  table.rows = lines.size();
  ReportColumn& row = AddColumn(table, "row", "row", CellType::integer, "Row of the first table.");
  row.spec.role = ColumnRole::row_of_first;
  for (const Line& line : lines) row.integers.push_back(line.row);
  ReportColumn& text = AddColumn(table, "input_type", "input shapes", CellType::text,
                                 "Shape of each input, as far as the graph tells it.");
  for (const Line& line : lines) text.texts.push_back(line.input_type);
  for (const Number& number : kNumbers) {
    ReportColumn& column = AddColumn(table, std::string(number.id), std::string(number.title),
                                     CellType::integer, std::string(number.meaning));
    column.spec.unit = number.unit;
    for (const Line& line : lines) {
      const bool known = (line.combination.present & number.needs) == number.needs;
      column.integers.push_back(known ? line.combination.*number.value : kNoInt);
    }
  }
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
  Table table;
  FillTable(lines, table);
  return table;
}

}  // namespace tfprof
