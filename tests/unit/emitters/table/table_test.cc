// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <sstream>

#include "core/report/refine.h"
#include "core/store/note_catalogue.h"
#include "emitters/printable.h"
#include "tests/support/sample_report.h"

namespace tfprof::table_test {
namespace {

Report Ops() {
  Report report = SampleOp(
      {{"MatMul", 0, 300000}, {"AllReduce", 0, 100000}, {"Zero", 0, 0}, {"None", 0, kNoInt}},
      450000);
  report.tables[0].omitted_rows = 27;
  for (ReportColumn& column : report.tables[0].columns) {
    if (column.spec.id == "micros" || column.spec.id == "total_micros") column.omitted_sum = 40000;
  }
  return report;
}

Report Scopes() {
  return SampleScope({{"_TFProfRoot", 0, 0, 300000, 0},
                      {"layer_1", 1, 0, 250000},
                      {"layer_1/mlp/a_name_that_goes_on_and_on_and_on", 2, 250000, 250000},
                      {"b\x1b[31m\xff", 1, kNoInt, 50000}});
}

TEST_CASE("table: a list adds up") {
  CHECK(Emit("table", Ops()) == R"(
name          micros      %  cum %
MatMul        300 ms   66.7   66.7  ████████
AllReduce     100 ms   22.2   88.9  ██▋
Zero            0 us    0.0   88.9
None               -      -   88.9
[27 others]  40.0 ms    8.9
[not shown]  10.0 ms    2.2
TOTAL         450 ms  100.0
- = absent; micros: not recorded for these rows
)");
}

TEST_CASE("table: ASCII output shows rows hidden by thresholds") {
  Report report = SampleOp({{"Größe", 0, 1}}, 4);
  CHECK(Emit("table", report, {}, {.columns = 0, .utf8 = false}) == R"(
name                 micros      %  cum %
Gr\xc3\xb6\xc3\x9fe    1 us   25.0   25.0  ###
[not shown]            3 us   75.0
TOTAL                  4 us  100.0
)");
}

TEST_CASE("table: a tree is indented, and names continue their parent's") {
  CHECK(Emit("table", Scopes()) == R"(
name                                       micros  total_micros      %
(total)                                                  300 ms  100.0  ████████████
  layer_1                                    0 us        250 ms   83.3  ██████████
    mlp/a_name_that_goes_on_and_on_and_on  250 ms        250 ms   83.3  ██████████
  b\x1b[31m\xff                                 -       50.0 ms   16.7  ██
- = absent; micros: not recorded for these rows
)");
}

TEST_CASE("table: names are cut in the middle, and the bar is dropped first") {
  CHECK(Emit("table", Scopes(), {}, {.columns = 60}) == R"(
name                             micros  total_micros      %
(total)                                        300 ms  100.0
  layer_1                          0 us        250 ms   83.3
    mlp/a_name_th…and_on_and_on  250 ms        250 ms   83.3
  b\x1b[31m\xff                       -       50.0 ms   16.7
- = absent; micros: not recorded for these rows
)");
}

TEST_CASE("table: the columns and filters of the query are shown") {
  Query query;
  query.display.select = {Attribute::cpu_micros, Attribute::micros};
  query.tree.min_micros = 100;
  query.tree.hide_name_regexes = PatternList({"a.*"});
  CHECK(Emit("table", SampleOp({{"MatMul", 0, 1}}, 1), query) == R"(
name    cpu_micros      %  cum %                micros
MatMul        1 us  100.0  100.0  ████████████    1 us
TOTAL         1 us  100.0                         1 us
filters: -min_micros 100  -hide_name_regexes 'a.*'
)");
}

TEST_CASE("table: empty tables, several tables and titles are printed") {
  Report report;
  report.view = "info";
  for (const char* name : {"sources", "lanes"}) {
    report.tables.emplace_back();
    report.tables.back().name = name;
    report.tables.back().columns.push_back(TextColumn("path", {}));
  }
  Table& table = report.tables[1];
  table.rows = 2;
  table.columns[0].texts = {"a", {}};
  table.columns.push_back(IntegerColumn("size", {2048, 1}, Unit::bytes));
  table.columns.push_back(IntegerColumn("ok", {1, 0}));
  table.columns.back().spec.type = CellType::boolean;
  table.title = "lanes of the file";
  report.properties.push_back({.id = "unseen", .integer = 7});
  CHECK(Emit("table", report) == R"(
sources
(no rows)

lanes of the file
path      size  ok
a     2.00 KiB  yes
-          1 B  no
- = unknown
)");
  report.tables[0].human_readable = false;
  CHECK(Emit("table", report).starts_with("\npath      size  ok\n"));
  CHECK(Emit("md", report).starts_with("\n| path | size | ok |\n"));
}

TEST_CASE("table and md: notes are below the table, at most eight") {
  Report report = SampleOp({{"MatMul", 0, 1}}, 1);
  report.notes.push_back({.what = note::With(note::recorder_error, {"lost\x1b[2J"})});
  report.notes.push_back({.what = note::malformed_events,
                          .count = 3,
                          .first_place = "a_b.pb",
                          .cost_ps = 1500 * kPsPerUs});
  const std::string text = Emit("table", report);
  CHECK(text.find("note: recorder error: lost\\x1b[2J\n"
                  "note: malformed events, skipped (3 times, 1.50 ms), first at a_b.pb\n") !=
        std::string::npos);
  CHECK(Emit("md", report)
            .find("|\n\n- note: recorder error: lost\\\\x1b\\[2J\n"
                  "- note: malformed events, skipped (3 times, 1.50 ms), first at a\\_b.pb\n") !=
        std::string::npos);
  report.notes.resize(8, {.what = note::no_planes});
  CHECK(Emit("table", report).find("more note") == std::string::npos);
  report.notes.resize(10, {.what = note::no_planes});
  CHECK(
      Emit("table", report)
          .find("note: no planes: `info` lists the devices\nand 2 more notes; info shows all\n") !=
      std::string::npos);
  report.tables.emplace_back().name = "notes";
  CHECK(Emit("table", report).find("note: ") == std::string::npos);
}

TEST_CASE("table: columns without values are listed instead of shown") {
  Report report;
  Table& table = report.tables.emplace_back();
  table.rows = 2;
  table.columns.push_back(TextColumn("name", {"a", "b"}));
  table.columns.push_back(IntegerColumn("size", {kNoInt, kNoInt}));
  table.columns.push_back(TextColumn("note", {"", {}}));
  table.columns[1].spec.title = "how large";
  CHECK(Emit("table", report) == R"(
name
a
b
not recorded: how large (size), note
)");
  table.omitted_rows = 3;  // which may tell it
  CHECK(Emit("table", report).find("not recorded for these rows: how large (size), note\n") !=
        std::string::npos);
  table.omitted_rows = 0;
  Query query;
  query.display.columns = {"name", "size"};
  REQUIRE(Refine(report, query.display));
  CHECK(Emit("table", report, query) == R"(
name  how large
a             -
b             -
- = unknown
)");
}

TEST_CASE("table: sums are below their columns, with labels below names or texts") {
  Query query;
  const auto emit = [&](std::vector<std::string> ids) {
    Report report = Ops();
    query.display.columns = std::move(ids);
    REQUIRE(Refine(report, query.display));
    const std::string text = Emit("table", report, query);
    return text.substr(0, text.find("- = absent"));
  };
  query.display.rows = 0;
  CHECK(emit({"total_micros", "name"}) == R"(
total_micros      %  cum %                name
(no rows)
      440 ms   97.8                       [31 others]
     10.0 ms    2.2                       [not shown]
      450 ms  100.0                       TOTAL
)");
  CHECK(emit({"micros"}) == R"(
              micros      %  cum %
(no rows)
[31 others]   440 ms   97.8
[not shown]  10.0 ms    2.2
TOTAL         450 ms  100.0
)");
}

TEST_CASE("table: rows too deep to indent show their depth") {
  std::vector<SampleRow> rows;
  for (uint32_t depth = 0; depth < 1000; ++depth) rows.push_back({"n", depth, 1, 1});
  const std::string text = Emit("table", SampleScope(rows));
  CHECK(text.find("\n" + std::string(80, ' ') + "n  ") != std::string::npos);
  CHECK(text.find("\n" + std::string(80, ' ') + "{41} n  ") != std::string::npos);
  CHECK(text.find("\n" + std::string(80, ' ') + "{999} n  ") != std::string::npos);
  CHECK(text.find(std::string(81, ' ') + "{") == std::string::npos);
}

TEST_CASE("table: sentences have lines of their own") {
  Report report;
  report.tables.emplace_back().rows = 2;
  report.tables[0].columns = {TextColumn("kind", {"time", "memory"}),
                              TextColumn("how", {"", "run it once more"})};
  report.tables[0].columns[1].spec.long_text = LongText::labeled;
  report.tables[0].columns[1].spec.label = "missing";
  CHECK(Emit("table", report) == R"(
kind
time
memory
missing memory: run it once more
)");
  CHECK(
      Emit("table", report, {}, {.columns = 20}).ends_with("missing memory: run\nit once more\n"));
  CHECK(Emit("md", report).find("| memory | run it once more |") != std::string::npos);
}

TEST_CASE("table: in a pipe, one long cell does not widen its column") {
  const auto emit = [](const std::vector<std::string>& names, int32_t columns) {
    Report report;
    Table& table = report.tables.emplace_back();
    table.rows = names.size();
    table.columns = {TextColumn("name", {names.begin(), names.end()}),
                     TextColumn("kind", std::vector<std::string_view>(names.size(), "x"))};
    return Emit("table", report, {}, {.columns = columns});
  };
  const std::string longest(500, 'n'), wide(150, 'w');
  CHECK(emit({"a", "b", longest}, 0) == "\nname  kind\na     x\nb     x\n" + longest + "  x\n");
  const std::string padded = emit({"a", "b", wide, longest}, 0);
  CHECK(padded.find("\na" + std::string(151, ' ') + "x\n") != std::string::npos);
  CHECK(padded.find("\n" + wide + "  x\n" + longest + "  x\n") != std::string::npos);
  const std::string all = emit({"a", longest, longest + "n", longest}, 0);
  CHECK(all.find("\na" + std::string(502, ' ') + "x\n") != std::string::npos);
  CHECK(emit({"a", longest}, 40).find(longest) == std::string::npos);  // a screen cuts it
}

TEST_CASE("table: of a large tensor the first values and their number are shown") {
  auto small = std::make_shared<TensorValue>();
  small->kind = TensorValue::Kind::integer;
  small->shape = {2};
  small->integers = {1, 2};
  auto large = std::make_shared<TensorValue>(*small);
  large->shape = {5000};
  large->integers.assign(5000, 12345);
  Report report;
  Table& table = report.tables.emplace_back();
  table.rows = 2;
  table.columns = {TextColumn("name", {"s", "l"}), TextColumn("value", {})};
  table.columns[1].spec.type = CellType::tensor;
  table.columns[1].tensors = {small, large};
  const std::string text = Emit("table", report);
  CHECK(text.find("\ns     [1,2]\n") != std::string::npos);
  CHECK(text.find("\nl     [12345,12345,") != std::string::npos);
  CHECK(text.find(",12345, ... 5000 values\n") != std::string::npos);
  CHECK(text.size() < 300);
}

TEST_CASE("table: color is used only on request") {
  const Report report = SampleOp({{"MatMul", 0, 9}, {"Add", 0, 1}}, 10);
  CHECK(Emit("table", report).find('\x1b') == std::string::npos);
  const std::string text = Emit("table", report, {}, {.columns = 80, .color = true});
  CHECK(text.find("\x1b[1mname\x1b[0m") != std::string::npos);
  CHECK(text.find("\x1b[31m90.0\x1b[0m") != std::string::npos);
  CHECK(text.find("\x1b[33m10.0\x1b[0m") != std::string::npos);
}

TEST_CASE("a table of changes adds up: its rows, those that -n cut, those without a change") {
  Report report;
  Table& table = report.tables.emplace_back();
  table.name = "op";
  table.rows = 1;
  table.omitted_rows = 2;
  table.unchanged_rows = 3;
  ReportColumn name;
  name.spec.id = name.spec.title = "name";
  name.spec.type = CellType::text;
  name.texts = {"MatMul"};
  ReportColumn base;
  base.spec = {.id = "base_time_us", .title = "base", .type = CellType::real, .unit = Unit::us};
  base.reals = {100};
  base.total = 160;
  base.adds_up = true;
  base.cut_sum = 40;
  base.unchanged_sum = 20;
  ReportColumn change;
  change.spec = {.id = "change", .title = "change %", .type = CellType::real};
  change.spec.unit = Unit::fraction;
  change.reals = {0.5};
  change.total = 0.25;  // shares do not add up
  table.columns = {name, base, change};
  CHECK(Emit("md", report) == R"(
| name | base | change % |
| --- | ---: | ---: |
| MatMul | 100 us | 50.0% |
| \[2 others] | 40.0 us |  |
| \[3 unchanged] | 20.0 us |  |
| TOTAL | 160 us | 25.0% |
)");
  CHECK(Emit("table", report) == R"(
name              base  change %
MatMul          100 us     50.0%
[2 others]     40.0 us
[3 unchanged]  20.0 us
TOTAL           160 us     25.0%
)");
}

TEST_CASE("md: a table has escaped markup") {
  Report report = Scopes();
  report.tables[0].columns[0].texts[1] = "a|b_*<i>";
  report.tables[0].rows = 2;
  CHECK(Emit("md", report) == R"(
| name | micros | total\_micros | % |
| --- | ---: | ---: | ---: |
| (total) |  | 300 ms | 100.0 |
| &nbsp;&nbsp;a\|b\_\*\<i> | 0 us | 250 ms | 83.3 |
)");
}

}  // namespace
}  // namespace tfprof::table_test
