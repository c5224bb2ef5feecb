// SPDX-License-Identifier: Apache-2.0
#include "core/report/fold.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "core/report/refine.h"
#include "tests/support/folding.h"

namespace tfprof::fold_test {
namespace {

TEST_CASE("Rows of a list fold into the position of their sum") {
  CHECK(Folded(ListOf({{"head", 0, 50}, {"l_0", 0, 20}, {"l_1", 0, 20}, {"l_2", 0, 19}})) == R"(
l_{0..2} x3 59
head 50
)");
  Report unordered =
      ListOf({{"a", 0, 1}, {"l_0", 0, 2}, {"l_1", 0, 2}, {"l_2", 0, 2}, {"b", 0, 9}});
  unordered.tables[0].ordered_by.clear();
  const std::string folded = Folded(std::move(unordered));
  CHECK(folded == R"(
a 1
l_{0..2} x3 6
b 9
)");
}

TEST_CASE("Tables without names, uniform tables and pairs do not fold") {
  const std::string pairs = Folded(ListOf({{"conv1", 0, 2}, {"conv2", 0, 1}}));
  CHECK(pairs == "\nconv1 2\nconv2 1\n");
  const std::string alone = Folded(ListOf({{"l_0", 0, 2}, {"l_1", 0, 2}, {"l_2", 0, 2}}));
  CHECK(alone == "\nl_0 2\nl_1 2\nl_2 2\n");
  Report report = ListOf({{"l_0", 0, 2}, {"l_1", 0, 2}, {"l_2", 0, 2}, {"x", 0, 1}});
  report.tables[0].columns[0].spec.folds = Folds::alike;
  const std::string folded = Folded(std::move(report));
  CHECK(folded == "\nl_0 2\nl_1 2\nl_2 2\nx 1\n");
}

TEST_CASE("Tables without folded rows can have the column of tables with folded rows") {
  const std::vector<Row> pair = {{"conv1", 0, 2}, {"conv2", 0, 1}};
  const std::vector<Row> alike = {{"l_0", 0, 2}, {"l_1", 0, 2}, {"l_2", 0, 2}, {"x", 0, 1}};
  Report report;
  for (const std::vector<Row>& rows : {pair, {}, pair, alike}) {
    Report made = ListOf(rows);
    report.tables.push_back(std::move(made.tables[0]));
  }
  report.tables[2].columns[0].spec.folds = Folds::alike;
  Context context;
  REQUIRE(Fold(&report, context));
  CHECK(report.tables[0].Find("rows") == nullptr);
  CountUnfolded(&report);
  REQUIRE(report.tables[0].columns.size() == 3);
  CHECK(report.tables[0].columns[1].spec.id == "rows");
  CHECK(report.tables[0].columns[1].integers == std::vector<int64_t>{1, 1});
  CHECK(report.tables[1].columns[1].integers.empty());
  CHECK(report.tables[2].Find("rows") == nullptr);  // its rows are no things alike
  CHECK(report.tables[3].columns.size() == 3);
  CHECK(report.tables[3].columns[1].integers == std::vector<int64_t>{3, 1});
}

TEST_CASE("Cells of folded rows are combined by the rule of their column") {
  Report report = ListOf({{"l_0", 0, 5}, {"l_1", 0, kNoInt}, {"l_2", 0, 6}, {"x", 0, kNoInt}});
  Table& table = report.tables[0];
  ReportColumn share = MadeColumn("share", CellType::real, Folds::sum);
  share.reals = {0.25, std::nan(""), 0.5, 0.1};
  ReportColumn shape = MadeColumn("shape", CellType::text, Folds::alike);
  shape.texts = {"2x2", "2x2", "2x2", "3"};
  ReportColumn block = MadeColumn("block", CellType::integer, Folds::alike);
  block.integers = {7, 8, 7, 1};
  ReportColumn device = MadeColumn("device", CellType::texts, Folds::any);
  device.lists = {{"gpu"}, {"cpu", "gpu"}, {}, {}};
  for (ReportColumn* column : {&share, &shape, &block, &device}) table.columns.push_back(*column);
  Context context;
  REQUIRE(Fold(&report, context));
  CHECK(Text(table) == "\nl_{0..2} x3 11\nx -\n");
  CHECK(table.Find("share")->reals[0] == 0.75);
  CHECK(table.Find("shape")->texts[0] == "2x2");
  CHECK(table.Find("block")->integers[0] == kNoInt);
  CHECK(table.Find("block")->integers[1] == 1);
  CHECK(table.Find("device")->lists[0] == std::vector<std::string_view>{"cpu", "gpu"});
  CHECK(table.columns[1].spec.role == ColumnRole::folded_rows);
  const auto names = FoldedNames(table, 0);
  CHECK(std::vector<std::string_view>(names.begin(), names.end()) ==
        std::vector<std::string_view>{"l_0", "l_1", "l_2"});
  CHECK(FoldedNames(table, 1).empty());
}

TEST_CASE("Means cover all known values of the folded rows") {
  Report report = ListOf({{"l_0", 0, 10}, {"l_1", 0, 30}, {"l_2", 0, 20}, {"x", 0, 5}});
  ReportColumn rate = MadeColumn("rate", CellType::real, Folds::mean);
  ReportColumn never = rate;
  rate.spec.weight = never.spec.weight = "micros";
  rate.reals = {2, 4, std::nan(""), 1};
  never.reals.assign(4, std::nan(""));
  for (ReportColumn* column : {&rate, &never}) report.tables[0].columns.push_back(*column);
  Context context;
  REQUIRE(Fold(&report, context));
  CHECK(Text(report.tables[0]) == "\nl_{0..2} x3 60\nx 5\n");
  CHECK(report.tables[0].Find("rate")->reals == std::vector<double>{(2 * 10 + 4 * 30) / 40.0, 1});
  CHECK(std::isnan(report.tables[0].columns.back().reals[0]));
}

TEST_CASE("Rows in blocks fold within each block") {
  Report report = ListOf({{"a", 0, 9},
                          {"l_0", 0, 4},
                          {"l_1", 0, 4},
                          {"l_2", 0, 4},
                          {"b", 0, 30},
                          {"l_3", 0, 20},
                          {"l_4", 0, 20},
                          {"l_5", 0, 20}});
  ReportColumn side = MadeColumn("side", CellType::text, Folds::same);
  side.texts = {"device", "device", "device", "device", "host", "host", "host", "host"};
  report.tables[0].columns.push_back(side);
  report.tables[0].blocks_by = "side";
  const std::string folded = Folded(std::move(report));
  CHECK(folded == R"(
l_{0..2} x3 12
a 9
l_{3..5} x3 60
b 30
)");
}

TEST_CASE("Rows that differ in a required common cell do not fold") {
  Report report = ListOf({{"l_0", 0, 5}, {"l_1", 0, 5}, {"l_2", 0, 5}, {"l_3", 0, 5}});
  ReportColumn type = MadeColumn("type", CellType::text, Folds::same);
  type.texts = {"Add", "Mul", "Add", "Add"};
  report.tables[0].columns.push_back(type);
  const std::string folded = Folded(std::move(report));
  CHECK(folded == "\nl_{0,2,3} x3 15\nl_1 5\n");
}

TEST_CASE("-order_by and -n apply to folded rows, which keep their names") {
  Report report = ListOf({{"z", 0, 30}, {"l_0", 0, 9}, {"l_1", 0, 9}, {"l_2", 0, 9}, {"a", 0, 1}});
  Context context;
  REQUIRE(Fold(&report, context));
  Query query;
  query.display.order_column = "name";
  query.display.rows = 2;
  REQUIRE(Refine(report, query.display));
  const Table& table = report.tables[0];
  CHECK(Text(table) == "\na 1\nl_{0..2} x3 27\n");
  CHECK(table.omitted_rows == 1);
  CHECK(FoldedNames(table, 0).empty());
  CHECK(FoldedNames(table, 1).size() == 3);
}

TEST_CASE("Folding can be cancelled") {
  std::vector<std::string> names;
  for (int i = 0; i < 50'000; ++i) names.push_back("scope_" + std::string(i % 7, 'x'));
  std::vector<Row> rows;
  for (const std::string& name : names) rows.push_back({name, 0, 1});
  Report report = ListOf(rows);
  Context context;
  context.polls_until_cancel = 3;
  const Result<void> done = Fold(&report, context);
  REQUIRE_FALSE(done);
  CHECK(done.error().kind == ErrorKind::cancelled);
}

}  // namespace
}  // namespace tfprof::fold_test
