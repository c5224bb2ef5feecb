// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cstdio>
#include <random>

#include "emitters/classic/classic.h"
#include "tests/support/sample_report.h"

namespace tfprof::classic_text_test {
namespace {

template <class... Args>
std::string Printf(const char* format, Args... args) {
  char text[512];
  std::snprintf(text, sizeof text, format, args...);
  return text;
}

std::string Quotient(int64_t value, int64_t divisor) {
  char text[kNumberBytes];
  return {text, PutQuotient(value, divisor, text)};
}

TEST_CASE("quotients are rounded like those of printf, including ties") {
  for (int64_t value = 0; value < 1'000'000; ++value) {
    const std::string expected = Printf("%.2f", static_cast<double>(value) / 1000.0);
    if (Quotient(value, 1000) != expected) FAIL(value);
  }
  std::mt19937_64 random(7);
  for (const int64_t divisor : {1'000'000, 1'000'000'000}) {
    for (int i = 0; i < 300'000; ++i) {
      // All magnitudes; every other one a tie or one beside it.
      int64_t value = static_cast<int64_t>(random() >> (1 + random() % 44));
      if (i % 2 == 1) value -= value % (divisor / 100) - divisor / 200 + i % 3 - 1;
      if (value < 0) continue;
      const double quotient = static_cast<double>(value) / static_cast<double>(divisor);
      if (Quotient(value, divisor) != Printf("%.2f", quotient)) FAIL(value);
    }
  }
}

std::string Number(ClassicCell::Kind kind, int64_t value) {
  std::string text;
  AppendClassicNumber(kind, value, &text);
  return text;
}

TEST_CASE("classic units are chosen before rounding") {
  using Kind = ClassicCell::Kind;
  CHECK(Number(Kind::time, 999) == "999us");
  CHECK(Number(Kind::time, 1000) == "1.00ms");
  CHECK(Number(Kind::time, 999995) == "1000.00ms");
  CHECK(Number(Kind::time, 1000000) == "1.00sec");
  CHECK(Number(Kind::memory, 999) == "999B");
  CHECK(Number(Kind::memory, 1005) == "1.00KB");
  CHECK(Number(Kind::memory, 5'000'000'000) == "5000.00MB");
  CHECK(Number(Kind::count, 162) == "162");
  CHECK(Number(Kind::count, 1500) == "1.50k");
  CHECK(Number(Kind::count, 2'500'000) == "2.50m");
  CHECK(Number(Kind::count, 2'500'000'000) == "2.50b");
  CHECK(Number(Kind::count, -5) == "-5");
  CHECK(Number(Kind::count, kNoInt) == "0");
  CHECK(Number(Kind::memory, INT64_MAX) == "9223372036854.78MB");
}

const std::vector<SampleRow> kScope = {{"_TFProfRoot", 0, 0, 1500, 0},
                                       {"a", 1, 0, 1500},
                                       {"a/x", 2, 1000, 1000},
                                       {"b", 1, kNoInt, 3, 0}};

TEST_CASE("scope: rows are indented and show self values of unaccounted rows") {
  CHECK(FromProfile(Emit("classic", SampleScope(kScope))) == R"(
Profile:
node name | total execution time | accelerator execution time | cpu execution time
_TFProfRoot (--/1.50ms, --/1.50ms, --/1.50ms)
  a (0us/1.50ms, 0us/1.50ms, 0us/1.50ms)
    a/x (1.00ms/1.00ms, 1.00ms/1.00ms, 1.00ms/1.00ms)
  b (--/3us, --/3us, --/3us)
)");
}

TEST_CASE("our own output comes first and never contains the line Profile:") {
  Query query;
  query.display.select.clear();
  for (const AttributeInfo& info : Attributes()) query.display.select.push_back(info.attribute);
  for (const char* view : {"scope", "graph", "op", "code"}) {
    std::string doc;
    AppendClassicDoc(view, query.display, &doc);
    CHECK(doc.starts_with("\nDoc:\n"));
    CHECK(doc.ends_with("\n\n"));
    CHECK(doc.find("\nProfile:") == std::string::npos);
  }
}

TEST_CASE("a missing accelerator stream is reported before the explanations") {
  Report report = SampleScope(kScope);
  auto store = std::make_shared<Store>();
  store->steps.push_back({.number = 0, .lacks_accelerator_stream = false});
  store->steps.push_back({.number = 1, .lacks_accelerator_stream = true});
  report.store = store;
  const std::string text = Emit("classic", report);
  CHECK(text.starts_with("\n\n\nOperations"));
  CHECK(text.find("\n\n\nDoc:\n") != std::string::npos);
}

TEST_CASE("empty selections, lists, shapes and names with a NUL are printed") {
  std::vector<SampleRow> rows = kScope;
  rows[3].name = std::string_view("b\0c", 3);
  Report report = SampleScope(rows);
  Table& table = report.tables[0];
  Query query;
  query.display.select.clear();
  CHECK(FromProfile(Emit("classic", report, query)) == R"(
Profile:
node name | 
_TFProfRoot ()
  a ()
    a/x ()
  b ()
)");
  for (const char* id : {"op_types", "device", "input_shapes"}) {
    ReportColumn column = TextColumn(id, {});
    column.spec.type = CellType::texts;
    column.lists = {{}, {"Conv", "x"}, {}, {"", "y"}};
    table.columns.push_back(column);
  }
  table.columns.push_back(TextColumn("shape", {{}, "3x2", {}, "1"}));
  table.columns.push_back(IntegerColumn("params", {0, 6, 0, 1}));
  table.columns.push_back(IntegerColumn("total_params", {7, 6, 0, 1}));
  query.display.select = {Attribute::input_shapes, Attribute::device, Attribute::op_types,
                          Attribute::params};
  CHECK(FromProfile(Emit("classic", report, query)) == R"(
Profile:
node name | # parameters | assigned devices | op types | input shapes
_TFProfRoot (--/7 params, , )
  a (3x2, 6/6 params, Conv|x, Conv|x, Conv|x)
    a/x (0/0 params, , )
  b (1, --/1 params, |y, |y, |y)
)");
}

TEST_CASE("code has no occurrence and no input shapes") {
  Report report = SampleScope({{"_TFProfRoot", 0, 0, 2, 0}, {"a.py:1:f", 1, 0, 2}});
  report.view = "code";
  Query query;
  query.display.select = {Attribute::occurrence, Attribute::cpu_micros, Attribute::input_shapes};
  CHECK(FromProfile(Emit("classic", report, query)) == R"(
Profile:
node name | cpu execution time | op occurrence (run|defined) | input shapes
_TFProfRoot (--/2us, occurrence N/A in code view, input_shapes N/A in code view)
  a.py:1:f (0us/2us, occurrence N/A in code view, input_shapes N/A in code view)
)");
}

TEST_CASE("op: remainders and shares are padded") {
  const Report report = SampleOp({{"MatMul", 0, 3000, 4000}, {"Add", 0, 1000, 1000}}, 4000);
  Query query;
  query.display.select = {Attribute::cpu_micros};
  CHECK(FromProfile(Emit("classic", report, query)) == R"(
Profile:
node name | cpu execution time
MatMul                         3.00ms (100.00%, 75.00%)
Add                             1.00ms (25.00%, 25.00%)
)");
}

TEST_CASE("op: a share of nothing prints like a division by 0") {
  const Report report = SampleOp({{"MatMul", 0, 5, 5}, {"Add", 0, 0, 0}}, 0);
  Query query;
  query.display.select = {Attribute::cpu_micros};
  CHECK(FromProfile(Emit("classic", report, query)) == R"(
Profile:
node name | cpu execution time
MatMul                                 5us (inf%, inf%)
Add                                  0us (0.00%, 0.00%)
)");
}

TEST_CASE("op: without nodes, the root is printed without a legend") {
  Report report = SampleOp({{"_TFProfRoot", 0, 0, 0, 0}}, 0);
  Query query;
  query.display.select = {Attribute::cpu_micros};
  report.tables[0].synthetic_root = true;
  CHECK(FromProfile(Emit("classic", report, query)) == R"(
Profile:
_TFProfRoot                          0us (0.00%, 0.00%)
)");
}

TEST_CASE("op: occurrence and the block of input shapes are printed") {
  Report report = SampleOp({{"MatMul", 0, 3, 4}, {"Add", 0, 1, 1}}, 4);
  report.tables[0].columns.push_back(IntegerColumn("occurrence_run", {6, 1}));
  report.tables[0].columns.push_back(IntegerColumn("occurrence_defined", {3, 1000000}));
  Table shapes;
  shapes.name = "input_shapes";
  shapes.rows = 2;
  ReportColumn inputs;
  inputs.spec = {.id = "input_shapes", .type = CellType::texts};
  inputs.lists = {{"0:2x3", "1:3"}, {}};
  shapes.columns = {IntegerColumn("row", {0, 0}), inputs, IntegerColumn("run", {4, 2}),
                    IntegerColumn("defined", {2, 1}), IntegerColumn("micros", {1500, kNoInt})};
  report.tables.push_back(std::move(shapes));
  Query query;
  query.display.select = {Attribute::occurrence, Attribute::input_shapes};
  CHECK(FromProfile(Emit("classic", report, query)) ==
        "\nProfile:\n"
        "node name | op occurrence (run|defined) | input shapes\n"
        "MatMul                          6|3\n"
        "\n"
        "input_type: 0:2x3,\t1:3\t(run*4|defined*2)\texec_time: 1.50ms\n"
        "input_type: \t(run*2|defined*1)\texec_time: 0us\n"
        "\n"
        "Add                       1|1000000\n");
}

TEST_CASE("classic text of another view is refused") {
  Report report = SampleScope(kScope);
  report.view = "kernels";
  CHECK(Emit("classic", report).starts_with("error: classic text"));
}

TEST_CASE("writing classic text can be cancelled") {
  const Report report = SampleScope(kScope);
  for (const Emitter& emitter : Emitters()) {
    Sink sink;
    Context context;
    context.polls_until_cancel = 0;
    const Result<void> done = emitter.emit(report, {}, {.columns = 0}, sink, context);
    INFO(emitter.name);
    REQUIRE_FALSE(done);
    CHECK(done.error().kind == ErrorKind::cancelled);
  }
}

}  // namespace
}  // namespace tfprof::classic_text_test
