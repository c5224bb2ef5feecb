// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "tests/support/sample_report.h"

namespace tfprof::separated_test {
namespace {

Report Mixed() {
  Report report;
  report.view = "v";
  report.tables.emplace_back();
  Table& table = report.tables[0];
  table.name = "v";
  table.rows = 3;
  table.columns.push_back(TextColumn("text", {"a,b \"c\"", "line\nfeed\t|\\", {}}));
  table.columns.push_back(IntegerColumn("n", {kNoInt, -1, 9007199254740993}));
  ReportColumn lists = TextColumn("list", {});
  lists.spec.type = CellType::texts;
  lists.lists = {{"x", "y"}, {}, {"z"}};
  table.columns.push_back(lists);
  auto tensor = std::make_shared<TensorValue>();
  tensor->kind = TensorValue::Kind::integer;
  tensor->shape = {2, 1, 2};
  tensor->integers = {1, 2, 3, 4};
  auto scalar = std::make_shared<TensorValue>();
  scalar->kind = TensorValue::Kind::real;
  scalar->reals = {0.25};
  ReportColumn tensors = TextColumn("value", {});
  tensors.spec.type = CellType::tensor;
  tensors.tensors = {tensor, nullptr, scalar};
  table.columns.push_back(tensors);
  return report;
}

TEST_CASE("csv quotes cells that need it; absent cells are empty") {
  CHECK(Emit("csv", Mixed()) == R"(
text,n,list,value
"a,b ""c""",,x|y,"[[[1,2]],[[3,4]]]"
"line
feed	|\",-1,,
,9007199254740993,z,0.25
)");
}

TEST_CASE("tsv escapes special characters") {
  CHECK(Emit("tsv", Mixed()) ==
        "\ntext\tn\tlist\tvalue\n"
        "a,b \"c\"\t\tx|y\t[[[1,2]],[[3,4]]]\n"
        "line\\nfeed\\t|\\\\\t-1\t\t\n"
        "\t9007199254740993\tz\t0.25\n");
}

TEST_CASE("csv: trees have depth and parent columns, and tables their names") {
  Report report = SampleScope({{"_TFProfRoot", 0, 0, 7, 0}, {"a", 1, kNoInt, 7}});
  for (size_t i = 4; i < 8; ++i) report.tables[0].columns[i].spec.shown = false;
  CHECK(Emit("csv", report) == R"(
depth,parent,name,accounted,micros,total_micros
0,,_TFProfRoot,false,0,7
1,0,a,true,,7
)");
  report.tables.push_back(std::move(Mixed().tables[0]));
  report.tables[1].columns.resize(2);
  report.tables[1].rows = 0;
  report.tables[0].rows = 1;
  Query query;
  CHECK(Emit("csv", report, query) ==
        "\ndepth,parent,name,accounted,micros,total_micros\n0,,_TFProfRoot,false,0,7\n");
  query.display.table = "v";
  CHECK(Emit("csv", report, query) == "\ntext,n\n");
  query.display.table = "w";
  CHECK(Emit("csv", report, query) == "error: -table: scope has no table 'w'");
  query.display.original_ids = true;
  CHECK(Emit("csv", report, query) == R"(
# scope
depth,parent,name,accounted,micros,total_micros
0,,_TFProfRoot,false,0,7

# v
text,n
)");
}

}  // namespace
}  // namespace tfprof::separated_test
