// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "tests/support/sample_report.h"

namespace tfprof::dot_test {
namespace {

// Rows with operands: b takes a and an outsider, c takes b.
Report Chain() {
  Report report;
  report.view = "hlo";
  Table table;
  table.rows = 3;
  table.columns.push_back(TextColumn("module", {"m\"1", "m\"1", "other"}));
  table.columns.push_back(TextColumn("hlo_op_name", {"a", "b\\", "b\\"}));
  table.columns.push_back(
      IntegerColumn("total_self_time", {2'000'000, 1'000'000, kNoInt}, Unit::ps_as_us));
  ReportColumn operands;
  operands.spec.id = "operands";
  operands.spec.type = CellType::texts;
  operands.lists = {{}, {"a", "p\x01"}, {"a"}};
  table.columns.push_back(operands);
  report.tables.push_back(std::move(table));
  return report;
}

bool Has(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("operands are edges between rows of a box, or to pale nodes if they are not rows") {
  const std::string text = Emit("dot", Chain());
  CHECK(text.starts_with("\ndigraph \"hlo\" {"));
  CHECK(Has(text, "label=\"m\\\"1\""));
  CHECK(Has(text, "n0 -> n1;"));
  CHECK(Has(text, "n1 [label=\"b\\\\\\n1.00 us\""));
  CHECK(Has(text, "n0 [label=\"a\\n2.00 us\", fillcolor=\"#faa65a\"]"));
  CHECK(Has(text, "\"b0_p\\\\x01\" -> n1;"));
  // The other program has no row a: its operand is a pale node of its own.
  CHECK(Has(text, "\"b1_a\" -> n2;"));
  CHECK(Has(text, "n2 [label=\"b\\\\\", fillcolor=\"#ffffff\"]"));
}

TEST_CASE("a list without operands cannot be drawn as a graph") {
  CHECK(Emit("dot", SampleOp({{"Conv", 0, 1, 1}}, 1)) == "error: op cannot be drawn as a graph");
}

TEST_CASE("a tree has edges to its children") {
  const std::string text = Emit("dot", SampleScope({{"root", 0, 1, 10}, {"x", 1, 4, 4}}));
  CHECK(Has(text, "n0 -> n1;"));
  CHECK(Has(text, "n1 [label=\"x\\n4 us\""));
}

}  // namespace tfprof::dot_test
