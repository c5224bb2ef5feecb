// SPDX-License-Identifier: Apache-2.0
#include "core/report/refine.h"

#include <catch2/catch.hpp>

#include "core/report/keep_rows.h"
#include "tests/support/refining.h"

namespace tfprof::refine_test {
namespace {

// root / (x / (y, z), w), with the own micros 0 1 2 3 4 in self_values.
Report Tree() {
  Report report;
  report.view = "tree";
  Table table;
  table.rows = 5;
  table.tree = true;
  table.parent = {Table::kNoRow, 0, 1, 1, 0};
  table.depth = {0, 1, 2, 2, 1};
  table.columns.push_back(Texts("name", {"root", "x", "y", "z", "w"}));
  for (int64_t i = 0; i < 5; ++i) {
    MeasureValues values{};
    At(values, Measure::micros) = i;
    table.self_values.Push(values);
  }
  ReportColumn micros;
  micros.spec.id = "micros";
  micros.spec.unit = Unit::us;
  micros.first = &table.self_values[0][static_cast<size_t>(Measure::micros)];
  micros.stride = kMeasures;
  table.columns.push_back(std::move(micros));
  report.tables.push_back(std::move(table));
  return report;
}

TEST_CASE("an unknown column is refused with the nearest one") {
  Report report = List();
  Query query;
  query.display.order_column = "mircos";
  const Result<void> done = Refine(report, query.display);
  REQUIRE(!done);
  CHECK(done.error().kind == ErrorKind::usage);
  CHECK(done.error().what == "-order_by: the answer of list has no column 'mircos'");
  CHECK(done.error().hint == "did you mean micros? columns: name micros bytes share device");
}

TEST_CASE("a column is found by its id, else by its heading") {
  Report report = List();
  report.tables[0].columns[1].spec.title = "time";
  report.tables[0].columns[2].spec.title = "name";  // another column's id
  Query query;
  query.display.where = AllOf({{"time", ">", "0"}});
  query.display.order_column = "name";
  REQUIRE(Refine(report, query.display));
  CHECK(NamesOf(report.tables[0]) == "abc");  // an id comes before a heading
  query.display.columns = {"time"};
  REQUIRE(Refine(report, query.display));
  CHECK(report.tables[0].columns[0].spec.id == "micros");
  CHECK_FALSE(report.tables[0].columns[1].spec.shown);
  report = List();
  Report other = List();
  report.tables.push_back(std::move(other.tables[0]));
  report.tables[0].columns[1].spec.title = "bytes";
  report.tables[1].columns.erase(report.tables[1].columns.begin() + 2);  // bytes
  report.tables[1].columns[1].spec.title = "bytes";
  query = {};
  query.display.where = AllOf({{"bytes", "=", "10"}});
  REQUIRE(Refine(report, query.display));
  CHECK(report.tables[0].rows == 0);  // each table has its own column of that name
  CHECK(NamesOf(report.tables[1]) == "ac");
  report = List();
  report.tables[0].columns[1].spec.title = "self time";
  query = {};
  query.display.columns = {"slef time"};
  const Result<void> done = Refine(report, query.display);
  REQUIRE(!done);
  CHECK(done.error().hint == "did you mean self time? columns: name micros bytes share device");
}

TEST_CASE(
    "lists are ordered: numbers descending, texts ascending, absent cells last, ties stable") {
  for (const auto& [column, order] : std::vector<std::pair<std::string, std::string>>{
           {"micros", "bac"}, {"bytes", "acb"}, {"share", "cab"}, {"name", "abc"}}) {
    Report report = List();
    Query query;
    query.display.order_column = column;
    REQUIRE(Refine(report, query.display));
    CHECK(NamesOf(report.tables[0]) == order);
  }
}

TEST_CASE("-n cuts after ordering and counts the cut rows; -where does not count") {
  Report report = List();
  Query query;
  query.display.order_column = "micros";
  query.display.where = AllOf({{"name", "!=", "c"}});
  query.display.rows = 1;
  REQUIRE(Refine(report, query.display));
  CHECK(NamesOf(report.tables[0]) == "b");
  CHECK(report.tables[0].rows == 1);
  CHECK(report.tables[0].omitted_rows == 1);
}

TEST_CASE("-columns shows the named columns in their order") {
  Report report = List();
  Query query;
  query.display.columns = {"bytes", "name"};
  REQUIRE(Refine(report, query.display));
  std::string shown;
  for (const ReportColumn& column : report.tables[0].columns) {
    if (column.spec.shown) shown += column.spec.id + ' ';
  }
  CHECK(shown == "bytes name ");
  CHECK(report.tables[0].Find("micros") != nullptr);
}

TEST_CASE("a matching row of a tree keeps its ancestors, and values stay with their rows") {
  Report report = Tree();
  Query query;
  query.display.where = AllOf({{"micros", "=", "3"}});
  REQUIRE(Refine(report, query.display));
  const Table& table = report.tables[0];
  CHECK(NamesOf(table) == "rootxz");
  CHECK(table.parent == std::vector<uint32_t>{Table::kNoRow, 0, 1});
  CHECK(table.depth == std::vector<uint32_t>{0, 1, 2});
  CHECK(table.Find("micros")->Integer(1) == 1);
  CHECK(table.Find("micros")->Integer(2) == 3);
}

TEST_CASE("rows cut by -n are summed, rows hidden by -where are not") {
  Report report = List();
  for (ReportColumn& column : report.tables[0].columns) {
    if (column.spec.type == CellType::integer) column.spec.role = ColumnRole::self;
  }
  Query query;
  query.display.rows = 2;
  query.display.where = AllOf({{"name", "!=", "a"}});
  REQUIRE(Refine(report, query.display));
  CHECK(report.tables[0].Find("micros")->omitted_sum == kNoInt);
  query.display.rows = 1;
  REQUIRE(Refine(report, query.display));
  CHECK(report.tables[0].Find("micros")->omitted_sum == 10);
  query.display.rows = 0;
  REQUIRE(Refine(report, query.display));
  CHECK(report.tables[0].omitted_rows == 2);
  CHECK(report.tables[0].Find("micros")->omitted_sum == 3010);
  CHECK(report.tables[0].Find("bytes")->omitted_sum == 100);  // an absent cell adds nothing
}

TEST_CASE("a tree keeps its first rows and may lose all") {
  Report report = Tree();
  Query query;
  query.display.rows = 3;
  REQUIRE(Refine(report, query.display));
  CHECK(NamesOf(report.tables[0]) == "rootxy");
  CHECK(report.tables[0].omitted_rows == 2);
  query.display.rows = 0;
  REQUIRE(Refine(report, query.display));
  CHECK(report.tables[0].rows == 0);
  CHECK(report.tables[0].Find("micros")->integers.empty());
}

TEST_CASE("members, tables and samples follow the first table") {
  Report report = List();
  report.tables[0].first_member = {0, 1, 1, 3};
  report.tables[0].members = {NodeId(7), NodeId(8), NodeId(9)};
  Table shapes;
  shapes.rows = 3;
  shapes.columns.push_back(Integers("row", Unit::none, {0, 1, 2}));
  shapes.columns.back().spec.role = ColumnRole::row_of_first;
  shapes.columns.push_back(Texts("name", {"of a", "of b", "of c"}));
  report.tables.push_back(std::move(shapes));
  report.samples = [row = uint32_t{0}](std::span<StackSample> out) mutable -> size_t {
    if (row == 3) return 0;
    out[0] = {row++, NodeId(0)};  // one at a time: a dropped one must not end the stream
    return 1;
  };
  Query query;
  query.display.order_column = "share";  // c a b
  query.display.where = AllOf({{"share", "!=", "-"}});
  query.display.rows = 2;
  REQUIRE(Refine(report, query.display));

  CHECK(report.tables[0].members == std::vector<NodeId>{NodeId(8), NodeId(9), NodeId(7)});
  CHECK(report.tables[0].first_member == std::vector<uint32_t>{0, 2, 3});
  CHECK(report.tables[1].Find("row")->integers == std::vector<int64_t>{0, 1});
  CHECK(NamesOf(report.tables[1]) == "of cof a");
  CHECK(report.tables[1].omitted_rows == 0);  // -where left it out, not -n
  std::vector<uint32_t> rows;
  StackSample block[8];
  while (const size_t filled = report.samples(std::span(block).first(8))) {
    for (size_t i = 0; i < filled; ++i) rows.push_back(block[i].row);
  }
  CHECK(rows == std::vector<uint32_t>{1, 0});
}

}  // namespace
}  // namespace tfprof::refine_test
