// SPDX-License-Identifier: Apache-2.0
#include "core/report/heaviest_rows.h"

#include <catch2/catch.hpp>

#include "core/report/refine.h"
#include "tests/support/refining.h"

namespace tfprof::heaviest_rows_test {
namespace {

// root 100 / (a 60 / (b 40 / c 39, d 15, e 5), f 30 / g 30, h 10)
Report WeightedTree() {
  Report report;
  report.view = "tree";
  Table table;
  table.rows = 9;
  table.tree = true;
  table.parent = {Table::kNoRow, 0, 1, 2, 1, 1, 0, 6, 0};
  table.depth = {0, 1, 2, 3, 2, 2, 1, 2, 1};
  table.columns.push_back(Texts("name", {"root", "a", "b", "c", "d", "e", "f", "g", "h"}));
  table.columns.push_back(Integers("total", Unit::us, {100, 60, 40, 39, 15, 5, 30, 30, 10}));
  table.columns[1].spec.role = ColumnRole::total;
  report.tables.push_back(std::move(table));
  return report;
}

void CutTo(int64_t rows, Report& report) {
  Query query;
  query.display.rows = rows;
  REQUIRE(Refine(report, query.display));
}

TEST_CASE("a tree keeps its heaviest rows and counts the rest below their parents") {
  Report report = WeightedTree();
  const Table& table = report.tables[0];
  CutTo(5, report);
  CHECK(NamesOf(table) == "rootabcf");
  CHECK(table.parent == std::vector<uint32_t>{Table::kNoRow, 0, 1, 2, 0});
  CHECK(table.omitted_rows == 4);
  CHECK(table.omitted_below == std::vector<int64_t>{1, 2, 0, 0, 1});  // h; d and e; g
  CHECK(table.columns[1].omitted_below == std::vector<int64_t>{10, 20, kNoInt, kNoInt, 30});

  CutTo(3, report);  // rows that were cut before stay counted
  CHECK(NamesOf(table) == "rootab");
  CHECK(table.omitted_rows == 6);
  CHECK(table.omitted_below == std::vector<int64_t>{3, 2, 1});
  CHECK(table.columns[1].omitted_below == std::vector<int64_t>{40, 20, 39});
}

TEST_CASE("of equal weights the first row in depth-first order is kept, absent ones come last") {
  Report report = WeightedTree();
  report.tables[0].columns[1].integers = {100, 50, 50, kNoInt, 0, 0, 50, 50, kNoInt};
  CutTo(6, report);
  CHECK(NamesOf(report.tables[0]) == "rootabdfg");
}

TEST_CASE("a tree is cut by the column that orders it") {
  Report report = WeightedTree();
  report.tables[0].columns.push_back(Integers("bytes", Unit::bytes, {9, 1, 0, 0, 0, 0, 2, 0, 6}));
  report.tables[0].ordered_by = "bytes";
  CutTo(3, report);
  CHECK(NamesOf(report.tables[0]) == "rootfh");
}

TEST_CASE("-where decides which rows of a tree are left to choose from") {
  Report report = WeightedTree();
  Query query;
  query.display.where = AllOf({{"total", "<", "20"}});  // d, e, h and their ancestors
  query.display.rows = 3;
  REQUIRE(Refine(report, query.display));
  CHECK(NamesOf(report.tables[0]) == "rootad");
  CHECK(report.tables[0].omitted_below == std::vector<int64_t>{1, 1, 0});
}

}  // namespace
}  // namespace tfprof::heaviest_rows_test
