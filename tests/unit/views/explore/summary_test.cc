// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <catch2/catch.hpp>

#include "analysis/contents.h"
#include "core/store/note_catalogue.h"
#include "tests/support/store_of.h"

namespace tfprof::summary_test {
namespace {

using Ask = Result<Report> (*)(const StorePtr&, const Indexes&, const Query&, Context&);

Report Answer(Ask ask, const StorePtr& store) {
  Context context;
  const Indexes indexes(store);
  return ask(store, indexes, {}, context).value();
}

// Step 0 lasts 30 us, step 3 lasts 10.
StorePtr TwoSteps() {
  return StoreOf(
      {{.name = "net/a", .type = "Mul"}, {.name = "net/b", .type = "Mul"}, {.name = "loss"}},
      {{.node = "net/a", .start_us = 100, .us = 20},
       {.node = "net/b", .start_us = 110, .us = 20},
       {.node = "loss", .start_us = 0, .us = 5},
       {.node = "net/a", .step = 3, .start_us = 200, .us = 10}});
}

std::string TextOf(const Report& report, std::string_view id) {
  const Property* property = report.Find(id);
  return property == nullptr ? "none" : property->text;
}

size_t TableNamed(const Report& report, std::string_view name) {
  for (size_t i = 0; i < report.tables.size(); ++i) {
    if (report.tables[i].name == name) return i;
  }
  FAIL("no table " << name);
  return 0;
}

}  // namespace

TEST_CASE("summary: operations by time, steps from first start to last end, next commands") {
  const Report report = Answer(Summary, TwoSteps());
  CHECK(report.view == "summary");
  REQUIRE(report.tables.at(0).rows == 2);
  CHECK(report.tables[0].Find("name")->texts[0] == "Mul");
  CHECK(report.Find("step_mean_micros")->integer == 20 * 1'000'000);
  CHECK(report.Find("step_min_micros")->integer == 10 * 1'000'000);
  CHECK(report.Find("step_max_micros")->integer == 30 * 1'000'000);
  CHECK(TextOf(report, "recorded_steps") == "0, 3");
  CHECK(report.Find("devices")->texts == std::vector<std::string>{"/device:cpu:0"});
  CHECK(TextOf(report, "next_1") == "why Mul");
  CHECK(TextOf(report, "next_2") == "ls net");
  CHECK(TextOf(report, "recorded") == "graph time");
  CHECK(TextOf(report, "not_recorded").find("memory") != std::string::npos);
}

TEST_CASE("summary: without runs only the graph is shown, by parameters") {
  const Report report = Answer(
      Summary, StoreOf({{.name = "small"}, {.name = "w", .type = "Var", .parameter = {{2, 3}}}}));
  CHECK(report.tables.at(0).Find("name")->texts[0] == "Var");
  CHECK(report.tables[0].Find("params")->Integer(0) == 6);
  CHECK(report.Find("step_mean_micros") == nullptr);
  CHECK(TextOf(report, "next_1") == "peek Var");
  CHECK(TextOf(report, "next_2") == "peek w");
}

TEST_CASE("summary: a graph without parameters is ordered by occurrences of types") {
  const Report report = Answer(Summary, StoreOf({{.name = "a"}, {.name = "n/b"}, {.name = "n/c"}}));
  const Table& table = report.tables.at(0);
  REQUIRE(table.Find("occurrence_defined") != nullptr);
  CHECK(table.Find("occurrence_defined")->Integer(0) == 3);
  CHECK(table.Find("occurrence_defined")->spec.shown);
  CHECK_FALSE(table.Find("occurrence_run")->spec.shown);
  CHECK(TextOf(report, "next_2") == "ls n");
}

TEST_CASE("summary: an empty profile is a table without rows") {
  const Report report = Answer(Summary, StoreOf({}));
  CHECK(report.tables.at(0).rows == 0);
  CHECK(TextOf(report, "next_1") == "none");
}

TEST_CASE("info: devices and steps have their times, and missing data is listed") {
  const Report report = Answer(ProfileInfo, TwoSteps());
  const Table& devices = report.tables[TableNamed(report, "devices")];
  REQUIRE(devices.rows == 1);
  CHECK(devices.Find("records")->Integer(0) == 4);
  CHECK(devices.Find("unplaced")->Integer(0) == 1);
  CHECK(devices.Find("time_ps")->Integer(0) == 50 * kPsPerUs);
  CHECK(devices.Find("span_ps")->Integer(0) == 110 * kPsPerUs);
  const Table& steps = report.tables[TableNamed(report, "steps")];
  REQUIRE(steps.rows == 2);
  CHECK(steps.Find("step")->Integer(1) == 3);
  CHECK(steps.Find("span_ps")->Integer(0) == 30 * kPsPerUs);
  const Table& contents = report.tables[TableNamed(report, "contents")];
  for (size_t i = 0; i < contents.rows; ++i) {
    const bool has = contents.Find("count")->Integer(i) > 0;
    const bool tells_how = !contents.Find("to_record")->texts[i].empty();
    INFO(contents.Find("kind")->texts[i]);
    CHECK((has ? !tells_how : tells_how || contents.Find("kind")->texts[i] == "runs"));
  }
}

TEST_CASE("info: notes are a table if there are any") {
  CHECK(Answer(ProfileInfo, TwoSteps()).tables.back().name == "contents");
  const StorePtr store = TwoSteps();
  const_cast<Store&>(*store).notes.push_back(
      {.what = note::malformed_records, .count = 2, .cost_ps = 7});
  const Report report = Answer(ProfileInfo, store);
  const Table& notes = report.tables[TableNamed(report, "notes")];
  REQUIRE(notes.rows == report.notes.size());
  CHECK(notes.Find("what")->texts[0] == "malformed records, skipped");
  CHECK(notes.Find("count")->Integer(0) == 2);
  CHECK(notes.Find("cost_ps")->Integer(0) == 7);
  CHECK(notes.Find("first_place")->texts[0].data() == nullptr);
}

TEST_CASE("a name as an expression contains no character that is special in a command line") {
  CHECK(ExpressionFor("net/dense_1/MatMul:0") == "net/dense_1/MatMul:0");
  CHECK(ExpressionFor("a b,c'd|e*") == "a.b.c.d.e.");
  CHECK(ExpressionFor("x\xc3\xa9y") == "x.*y");
}

TEST_CASE("where nothing was recorded no finding can be missing, and no device is known") {
  StoreBuilder builder;
  builder.SetTrace();
  const StorePtr empty = builder.Finish().value();
  CHECK(TextOf(Answer(Summary, empty), "finding_1") == "unknown: no execution was recorded");
  CHECK(Answer(Overview, empty).Find("device_type") == nullptr);
  CHECK(Answer(Pod, empty).Find("device_type") == nullptr);
  CHECK(TextOf(Answer(Summary, TwoSteps()), "finding_1") != "unknown: no execution was recorded");
}

}  // namespace tfprof::summary_test
