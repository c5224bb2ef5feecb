// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <limits>

#include "emitters/table/facts.h"
#include "tests/support/sample_report.h"

namespace tfprof::facts_test {
namespace {

Report Facts() {
  Report report;
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  report.properties = {
      {.id = "devices", .unit = Unit::count, .integer = 2, .head = "ran on", .title = "device"},
      {.id = "hosts", .unit = Unit::count, .integer = 3, .head = "ran on", .title = "launch"},
      {.id = "mean", .unit = Unit::us, .integer = 1500, .head = "step time", .title = "mean"},
      {.id = "deviation", .type = CellType::real, .real = kUnknown, .head = "step time"},
      {.id = "input_percent",
       .type = CellType::real,
       .unit = Unit::percent,
       .real = 12.345,
       .head = "step time",
       .title = "for input"},
      {.id = "verdict",
       .type = CellType::text,
       .text = "both",
       .head = "input bound",
       .display_text = "partly"},
      {.id = "core_id", .integer = 7},
      {.id = "next_1", .type = CellType::text, .text = "op -n 3", .head = "next", .command = true},
      {.id = "next_2",
       .type = CellType::text,
       .text = "steps -where 'duration_ps > 1ms'",
       .head = "next",
       .command = true}};
  Table& table = report.tables.emplace_back();
  table.rows = 1;
  table.columns.push_back(TextColumn("name", {"a"}));
  return report;
}

TEST_CASE("a name of more than three lines is cut, except in a pipe") {
  const auto lines = [](size_t bytes, int columns) {
    Report report;
    report.properties = {
        {.id = "name", .type = CellType::text, .text = std::string(bytes, 'x'), .head = "is"}};
    std::string out;
    AppendFacts(report, {.columns = columns}, &out);
    return out.size();
  };
  CHECK(lines(100, 44) == 4 + 100 + 1);
  CHECK(lines(1000, 44) == 4 + 39 + 3 + 1);  // three bytes are one cell
  CHECK(lines(1000, 0) == 4 + 1000 + 1);
}

TEST_CASE("facts: an empty name is marked as such") {
  const auto devices = [](std::vector<std::string> names) {
    Report report;
    report.properties = {{.id = "devices",
                          .type = CellType::texts,
                          .texts = std::move(names),
                          .head = "devices",
                          .names_shown = 2}};
    std::string out;
    AppendFacts(report, {}, &out);
    return out;
  };
  CHECK(devices({""}) == "devices  (unnamed)\n");
  CHECK(devices({"a", ""}) == "devices  a, (unnamed)\n");
  CHECK(devices({"", "x", "", "y", "z"}) == "devices  x, y and 1 more, 2 unnamed\n");
}

TEST_CASE("facts: one aligned line per label; absent and machine-readable facts are hidden") {
  CHECK(Emit("table", Facts()) == R"(
ran on       2 devices, 3 launches
step time    mean 1.50 ms, for input 12.3%
input bound  partly

name
a
next  op -n 3
      steps -where 'duration_ps > 1ms'
)");
}

TEST_CASE("facts: names are folded and cut, and lines break between them") {
  Report report;
  report.properties = {{.id = "device",
                        .type = CellType::texts,
                        .texts = {"a /device:GPU:0", "a /device:GPU:1", "a /host:CPU",
                                  "b /host:CPU", "c /host:CPU", "d /host:CPU", "e /host:CPU"},
                        .head = "device",
                        .names_shown = 3}};
  CHECK(Emit("table", report, {}, {.columns = 40}) == R"(
device  a /device:GPU:{0,1},
        a /host:CPU,
        b /host:CPU and 3 more
)");
  CHECK(Emit("json", report).find(R"("device":{"value":["a /device:GPU:0",)") != std::string::npos);
  report.properties[0].names_shown = 0;  // sentences
  CHECK(Emit("table", report).starts_with("\ndevice  a /device:GPU:0; a /device:GPU:1; "));
}

TEST_CASE("facts: long lines are indented below their texts, commands stay on one line") {
  const std::string text = Emit("table", Facts(), {}, {.columns = 30});
  CHECK(
      text.starts_with("\nran on       2 devices,\n"
                       "             3 launches\n"
                       "step time    mean 1.50 ms,\n"
                       "             for input 12.3%\n"));
  CHECK(text.find("\nnext\nop -n 3\nsteps -where 'duration_ps > 1ms'\n") != std::string::npos);
}

TEST_CASE("facts: md prints a list, json raw values") {
  CHECK(Emit("md", Facts()).starts_with("\n- ran on: 2 devices, 3 launches\n"));
  CHECK(Emit("json", Facts())
            .find(R"("core_id":{"value":7,"unit":null},"next_1":{"value":"op -n 3",)") !=
        std::string::npos);
}

}  // namespace
}  // namespace tfprof::facts_test
