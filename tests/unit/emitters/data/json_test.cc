// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "core/store/note_catalogue.h"
#include "tests/support/sample_report.h"

namespace tfprof::data_json_test {
namespace {

Report OneColumn(ReportColumn column, size_t rows) {
  Report report;
  report.view = "v";
  report.tables.emplace_back();
  report.tables[0].name = "v";
  report.tables[0].rows = rows;
  report.tables[0].columns.push_back(std::move(column));
  return report;
}

Query Original() {
  Query query;
  query.display.original_ids = true;
  return query;
}

std::string OneText(std::string_view text) {
  return Emit("jsonl", OneColumn(TextColumn("t", {text}), 1));
}

TEST_CASE("json: the second version always has tables, units and ids of notes") {
  Report report = OneColumn(IntegerColumn("x", {1}, Unit::bytes), 1);
  report.tables[0].columns[0].spec.meaning = "What it is.";
  report.properties.push_back({.id = "size", .unit = Unit::bytes, .integer = 7});
  report.properties.push_back({.id = "step", .type = CellType::text, .text = "all"});
  report.notes.push_back(
      {note::With(note::other_devices, {"a \"b\""}), 3, "run_meta_0", 5'000'000});
  report.notes.push_back({note::files_given_twice, 1, "", kNoInt});
  CHECK(Emit("json", report) ==
        R"(
{"view":"v","schema_version":2,"tables":{"v":{"title":"v","columns":[)"
        R"({"id":"x","type":"number","unit":"B","title":"x",)"
        R"("meaning":"What it is."}],"rows":[
{"x":1}]}},
"properties":{"size":{"value":7,"unit":"B"},"step":{"value":"all","unit":null}},"notes":[)"
        R"({"id":"other_devices",)"
        R"("text":"other devices: a \"b\"","count":3,)"
        R"("first_place":"run_meta_0","cost_us":5},)"
        R"({"id":"files_given_twice","text":"files given twice, read once","count":1}]}
)");
}

TEST_CASE("json -ids original: a tree is written") {
  Report report = SampleScope({{"_TFProfRoot", 0, 0, 7, 0}, {"a", 1, kNoInt, 7}});
  report.properties.push_back({.id = "step", .type = CellType::text, .text = "average"});
  report.properties.push_back({.id = "share", .type = CellType::real, .real = 0.5});
  report.notes.push_back({note::With(note::other_devices, {"a \"b\""}), 3, "run_meta_0", 5});
  for (size_t i = 4; i < 8; ++i) report.tables[0].columns[i].spec.shown = false;
  CHECK(Emit("json", report, Original()) ==
        R"(
{"view":"scope","columns":[{"id":"depth","type":"number"},{"id":"parent","type":"number"},)"
        R"({"id":"name","type":"string"},)"
        R"({"id":"accounted","type":"boolean"},)"
        R"({"id":"micros","type":"number","unit":"us"},)"
        R"({"id":"total_micros","type":"number","unit":"us"}],"rows":[
{"depth":0,"parent":null,"name":"_TFProfRoot","accounted":false,"micros":0,"total_micros":7},
{"depth":1,"parent":0,"name":"a","accounted":true,"micros":null,"total_micros":7}],
"properties":{"total_micros":7,"total_accelerator_micros":7,"total_cpu_micros":7,)"
        R"("step":"average","share":0.5},)"
        R"("notes":[{"what":"other devices: a \"b\"","count":3,)"
        R"("first_place":"run_meta_0","cost_ps":5}]}
)");
}

TEST_CASE("json -ids original: several tables, and none, are written") {
  Report report = OneColumn(IntegerColumn("x", {1}), 1);
  report.tables.emplace_back();
  report.tables[1].name = "w";
  CHECK(Emit("json", report, Original()) == R"(
{"view":"v","tables":{"v":{"columns":[{"id":"x","type":"number"}],"rows":[
{"x":1}]},
"w":{"columns":[],"rows":[]}},
"properties":{},"notes":[]}
)");
  CHECK(Emit("jsonl", report) == "\n{\"table\":\"v\",\"x\":1}\n");
  report.tables.clear();
  CHECK(Emit("json", report, Original()) ==
        "\n{\"view\":\"v\",\"tables\":{},\n\"properties\":{},\"notes\":[]}\n");
}

TEST_CASE("json: integers are exact, and non-finite numbers are null") {
  constexpr int64_t kMax = std::numeric_limits<int64_t>::max();
  CHECK(Emit("jsonl", OneColumn(IntegerColumn("x", {kMax, -kMax, kNoInt}), 3)) ==
        "\n{\"x\":9223372036854775807}\n{\"x\":-9223372036854775807}\n{\"x\":null}\n");
  ReportColumn reals = IntegerColumn("x", {});
  reals.spec.type = CellType::real;
  reals.reals = {0.1, 1e300, NAN, INFINITY, 3, -0.0};
  CHECK(Emit("jsonl", OneColumn(reals, 6)) ==
        "\n{\"x\":0.1}\n{\"x\":1e+300}\n{\"x\":null}\n{\"x\":null}\n{\"x\":3}\n{\"x\":-0.0}\n");
}

TEST_CASE("json: strings are valid for any bytes in the profile") {
  using std::string_view_literals::operator""sv;
  CHECK(OneText("a\"\\\n\t\x01\x1b\x7f") == "\n{\"t\":\"a\\\"\\\\\\n\\t\\u0001\\u001b\\u007f\"}\n");
  CHECK(OneText("a\0b"sv) == "\n{\"t\":\"a\\u0000b\"}\n");
  CHECK(OneText("Größe 漢 😀") == "\n{\"t\":\"Größe 漢 😀\"}\n");
  CHECK(OneText("x\xff\xc3") == "\n{\"t\":\"x\\ufffdFF\\ufffdC3\"}\n");
  // A surrogate and an overlong slash are no UTF-8.
  CHECK(OneText("\xed\xa0\x80") == "\n{\"t\":\"\\ufffdED\\ufffdA0\\ufffd80\"}\n");
  CHECK(OneText("\xc0\xaf") == "\n{\"t\":\"\\ufffdC0\\ufffdAF\"}\n");
  CHECK(OneText("") == "\n{\"t\":\"\"}\n");
  CHECK(OneText({}) == "\n{\"t\":null}\n");
}

TEST_CASE("json: lists and tensors are written") {
  ReportColumn lists = TextColumn("x", {});
  lists.spec.type = CellType::texts;
  lists.lists = {{}, {"a", "\""}, {""}};
  CHECK(Emit("jsonl", OneColumn(lists, 3)) ==
        "\n{\"x\":[]}\n{\"x\":[\"a\",\"\\\"\"]}\n{\"x\":[\"\"]}\n");

  auto reals = std::make_shared<TensorValue>();
  reals->kind = TensorValue::Kind::real;
  reals->dtype = 1;
  reals->shape = {2, 2};
  reals->reals = {0.5, NAN, -INFINITY, 1e-7};
  auto unsupported = std::make_shared<TensorValue>();
  unsupported->dtype = 19;
  ReportColumn tensors = TextColumn("x", {});
  tensors.spec.type = CellType::tensor;
  tensors.tensors = {reals, unsupported, nullptr};
  CHECK(Emit("jsonl", OneColumn(tensors, 3)) == R"(
{"x":{"dtype":1,"shape":[2,2],"values":[0.5,"nan","-inf",1e-07]}}
{"x":{"dtype":19,"shape":[],"values":null}}
{"x":null}
)");
}

}  // namespace
}  // namespace tfprof::data_json_test
