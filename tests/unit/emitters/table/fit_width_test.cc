// SPDX-License-Identifier: Apache-2.0
#include "emitters/table/fit_width.h"

#include <catch2/catch.hpp>
#include <sstream>

#include "emitters/printable.h"
#include "tests/support/sample_report.h"

namespace tfprof::fit_width_test {
namespace {

TEST_CASE("table: droppable columns are hidden before names are cut") {
  Report report;
  Table& table = report.tables.emplace_back();
  table.rows = 1;
  table.columns.push_back(TextColumn("kernel", {"a_kernel_of_some_thirty_letters"}));
  table.columns.push_back(TextColumn("grid", {"1024,1024,1"}));
  table.columns.push_back(IntegerColumn("count", {12}));
  table.columns[1].spec.droppable = true;
  CHECK(Emit("table", report, {}, {.columns = 51}) == R"(
kernel                           grid         count
a_kernel_of_some_thirty_letters  1024,1024,1     12
)");
  CHECK(Emit("table", report, {}, {.columns = 30}) == R"(
kernel                   count
a_kernel_of…rty_letters     12
columns hidden: grid; -columns
selects
)");
}

TEST_CASE("table: droppable columns that fit after all are shown") {
  Report report;
  Table& table = report.tables.emplace_back();
  table.rows = 1;
  table.columns.push_back(IntegerColumn("total", {1}));
  table.columns.push_back(TextColumn("a_very_long_head", {"x"}));
  table.columns.push_back(TextColumn("short", {"y"}));
  table.columns[1].spec.droppable = table.columns[2].spec.droppable = true;
  CHECK(Emit("table", report, {}, {.columns = 20}) == R"(
total  short
    1  y
columns hidden:
a_very_long_head;
-columns selects
)");
}

TEST_CASE("table: labels of numbers are cut before columns are hidden, their cells never") {
  Report report;
  Table& table = report.tables.emplace_back();
  table.rows = 1;
  table.columns.push_back(IntegerColumn("duration", {1}));
  table.columns.push_back(IntegerColumn("device to device", {22}));
  table.columns.push_back(IntegerColumn("collectives", {123456789}));
  table.columns.push_back(IntegerColumn("other", {3}));
  CHECK(Emit("table", report, {}, {.columns = 47}) == R"(
duration  device to device  collectives  other
       1                22    123456789      3
)");
  CHECK(Emit("table", report, {}, {.columns = 36}) == R"(
duration  dev…vice  coll…ives  other
       1        22  123456789      3
)");
  CHECK(Emit("table", report, {}, {.columns = 33}) == R"(
duration  devi…evice  collectives
       1          22    123456789
columns hidden: other; -columns
selects
)");
}

TEST_CASE("table: a table without rows does not list hidden columns") {
  Report report;
  Table& table = report.tables.emplace_back();
  table.columns.push_back(IntegerColumn("a_long_head_of_it", {}));
  table.columns.push_back(IntegerColumn("another_long_head", {}));
  CHECK(Emit("table", report, {}, {.columns = 12}) == "\n(no rows)\n");
}

TEST_CASE("table: the widest texts are cut first") {
  Report report;
  Table& table = report.tables.emplace_back();
  table.rows = 1;
  table.columns.push_back(TextColumn("short", {"fifteen letters"}));
  table.columns.push_back(TextColumn("long", {"thirty letters are some more.."}));
  CHECK(Emit("table", report, {}, {.columns = 38}) == R"(
short            long
fifteen letters  thirty let…ome more..
)");
}

TEST_CASE("table: without room, texts lose their common prefix") {
  Report report;
  Table& table = report.tables.emplace_back();
  table.rows = 3;
  table.columns.push_back(TextColumn(
      "device", {"/job:localhost/task:0/gpu:0/stream:all", "/job:localhost/task:0/gpu:1/stream:all",
                 "/job:localhost/task:0/cpu:0"}));
  table.columns.push_back(IntegerColumn("records", {1, 2, 3}));
  CHECK(Emit("table", report, {}, {.columns = 40}) == R"(
device             records
…gpu:0/stream:all        1
…gpu:1/stream:all        2
…cpu:0                   3
)");
  CHECK(Emit("table", report, {}, {.columns = 40, .utf8 = false}).find("..gpu:1/stream:all  ") !=
        std::string::npos);
  CHECK(Emit("table", report, {}, {.columns = 0}).find("/job:localhost/task:0/cpu:0 ") !=
        std::string::npos);
}

TEST_CASE("table: no line is wider than the terminal") {
  std::vector<SampleRow> rows = {{"_TFProfRoot", 0, 0, 1, 0}};
  std::string name;
  std::vector<std::string> names(60);
  for (uint32_t depth = 1; depth < 60; ++depth) {
    name += "/漢字" + std::string(depth % 9, 'x');
    names[depth] = name;
    rows.push_back({names[depth], depth, 999, 123456789});
  }
  Report report = SampleScope(rows);
  ReportColumn types = TextColumn("op_types", {});
  types.spec.type = CellType::texts;
  types.lists.assign(rows.size(), std::vector<std::string_view>(40, "some_type"));
  report.tables[0].columns.push_back(types);
  Query query;
  query.display.select = {Attribute::micros, Attribute::op_types, Attribute::cpu_micros,
                          Attribute::accelerator_micros};
  for (int columns = 60; columns <= 250; columns += 5) {
    std::istringstream lines(Emit("table", report, query, {.columns = columns}));
    for (std::string line; std::getline(lines, line);) {
      INFO(line);
      CHECK(CellWidth(line) <= static_cast<size_t>(columns));
      CHECK((line.empty() || line.back() != ' '));
    }
  }
  CHECK(Emit("table", report, query, {.columns = 60}).find("columns hidden: ") !=
        std::string::npos);
}

}  // namespace
}  // namespace tfprof::fit_width_test
