// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <catch2/catch.hpp>
#include <string>

#include "core/report/keep_rows.h"
#include "core/report/refine.h"
#include "tests/support/store_of.h"
#include "tests/support/trace_of.h"

namespace tfprof::events_test {
namespace {

using Texts = std::vector<std::string_view>;
using Numbers = std::vector<int64_t>;

Report Ask(const StorePtr& store, const Query& query) {
  Context context;
  const Indexes indexes(store);
  Report report = EventsView(store, indexes, query, context).value();
  REQUIRE(Refine(report, query.display));
  REQUIRE(TakeBlocks(1'000'000, &report, context));
  return report;
}

const std::vector<std::string_view>& TextsOf(const Report& report, std::string_view id) {
  return report.tables[0].Find(id)->texts;
}
const Numbers& NumbersOf(const Report& report, std::string_view id) {
  return report.tables[0].Find(id)->integers;
}

StorePtr Calls() {
  return TraceOf(
      {{.lanes =
            {{.name = "main",
              .events = {{"outer", 100, 50, {{"id", int64_t{1}}}},
                         {"inner", 110, 20, {{"id", int64_t{2}}, {"shape", std::string("half")}}},
                         {"later", 500, 7}}}}},
       {.name = "/device:GPU:0",
        .lanes = {{.name = "1",
                   .events = {{"k", 120, 9, {{"id", ~uint64_t{0}}, {"occupancy", 0.5}}},
                              {"sum", kNoTime, 40}}}}}});
}

Query With(const std::vector<std::string>& columns, int64_t rows = -1) {
  Query query;
  query.display.columns = columns;
  query.display.rows = rows;
  return query;
}

}  // namespace

TEST_CASE("events: each event is a row, by line and start, with its place and times") {
  const Report report = Ask(Calls(), {});
  CHECK(TextsOf(report, "name") == Texts{"outer", "inner", "later", "sum", "k"});
  CHECK(TextsOf(report, "plane") ==
        Texts{"/host:CPU", "/host:CPU", "/host:CPU", "/device:GPU:0", "/device:GPU:0"});
  CHECK(TextsOf(report, "line") == Texts{"main", "main", "main", "1", "1"});
  CHECK(NumbersOf(report, "offset_us") == Numbers{0, 10, 400, kNoInt, 20});
  CHECK(NumbersOf(report, "duration_us") == Numbers{50, 20, 7, 40, 9});
  CHECK(NumbersOf(report, "self_us") == Numbers{30, 20, 7, 40, 9});
  CHECK(report.tables[0].Find("step") == nullptr);
}

TEST_CASE("events: a record whose kernel is of another type than its node says so") {
  StoreBuilder builder;
  builder.SetEpoch(0);
  AddTestNode({.name = "relu", .type = "Relu"}, builder);
  AddTestNode({.name = "x", .type = "Placeholder"}, builder);
  builder.AddRanAs(builder.FindNode(builder.Name("relu")), builder.Name("_FusedMatMul"));
  AddTestRun({.node = "relu", .start_us = 1, .us = 5}, builder);
  AddTestRun({.node = "x", .start_us = 2, .us = 5}, builder);
  const Report report = Ask(builder.Finish().value(), {});
  CHECK(TextsOf(report, "ran_as") == Texts{"_FusedMatMul", ""});
  const Report plain = Ask(StoreOf({{.name = "x"}}, {{.node = "x"}}), {});
  CHECK(plain.tables[0].Find("ran_as") == nullptr);
}

TEST_CASE("events: attributes are columns; identifiers beyond signed numbers are texts") {
  const Report report = Ask(Calls(), With({"name", "id", "occupancy", "shape"}));
  CHECK(TextsOf(report, "id")[0] == "1");
  CHECK(TextsOf(report, "id")[2].data() == nullptr);
  CHECK(TextsOf(report, "id")[4] == "18446744073709551615");
  CHECK(report.tables[0].Find("occupancy")->reals[4] == 0.5);
  CHECK(TextsOf(report, "shape")[1] == "half");
  Query query = With({"id"});
  query.place.device = "cpu";  // there all ids are small
  CHECK(NumbersOf(Ask(Calls(), query), "id") == Numbers{1, 2, kNoInt});
}

TEST_CASE("events: -where, -order_by and -n select before rows are kept") {
  Query query = With({"name"}, 2);
  CHECK(TextsOf(Ask(Calls(), query), "name") == Texts{"outer", "inner"});
  CHECK(Ask(Calls(), query).tables[0].omitted_rows == 3);
  query.display.order_column = "duration_us";
  CHECK(TextsOf(Ask(Calls(), query), "name") == Texts{"outer", "sum"});
  query.display.order_column = "self_us";
  CHECK(TextsOf(Ask(Calls(), query), "name") == Texts{"sum", "outer"});
  query.display.order_column = "name";
  query.display.rows = -1;
  CHECK(TextsOf(Ask(Calls(), query), "name") == Texts{"inner", "k", "later", "outer", "sum"});
  query.display.where = AllOf({{"id", "!=", "-"}});
  CHECK(TextsOf(Ask(Calls(), query), "name") == Texts{"inner", "k", "outer"});
  query.display.where = AllOf({{"duration_us", "<", "0.00001"}, {"line", "=", "1"}});
  query.display.order_column.clear();
  CHECK(TextsOf(Ask(Calls(), query), "name") == Texts{"k"});
}

TEST_CASE("events: many rows come in blocks, in order, without duplicates") {
  std::vector<TestEvent> events;
  for (int i = 0; i < 20'000; ++i) events.push_back({"e", i, i % 7});
  const StorePtr store = TraceOf({{.lanes = {{.name = "a", .events = events}}}});
  Report report = Ask(store, With({"offset_us"}));
  REQUIRE(report.tables[0].rows == 20'000);
  for (int64_t i = 0; i < 20'000; ++i) {
    if (NumbersOf(report, "offset_us")[static_cast<size_t>(i)] != i) FAIL("row " << i);
  }
  Query query = With({"duration_us", "offset_us"}, 3);
  query.display.order_column = "duration_us";
  report = Ask(store, query);
  CHECK(NumbersOf(report, "duration_us") == Numbers{6, 6, 6});
  CHECK(NumbersOf(report, "offset_us") == Numbers{6, 13, 20});
  CHECK(report.tables[0].omitted_rows == 19'997);
}

TEST_CASE("events: -step selects the steps of a run, or the groups of a trace") {
  const StorePtr run = StoreOf({{.name = "a"}}, {{.node = "a", .step = 0, .start_us = 10},
                                                 {.node = "a", .step = 1, .start_us = 20},
                                                 {.node = "a", .step = 1, .start_us = 30}});
  Query query;
  CHECK(NumbersOf(Ask(run, query), "step") == Numbers{0, 1, 1});
  query.place.step = 1;
  CHECK(Ask(run, query).tables[0].rows == 2);
  const StorePtr trace = TraceOf({{.lanes = {{.name = "main",
                                              .events = {{"a", 0, 5, {{"group", int64_t{4}}}},
                                                         {"b", 10, 5, {{"group", int64_t{5}}}},
                                                         {"c", 20, 5}}}}}});
  query.place.step = 5;
  query.display.columns = {"name", "step"};
  CHECK(TextsOf(Ask(trace, query), "name") == Texts{"b"});
  query.place.step = 9;
  Context context;
  CHECK(EventsView(trace, Indexes(trace), query, context).error().kind == ErrorKind::usage);
}

TEST_CASE("events: a column that no event has is refused") {
  Query query = With({"name", "no such"});
  Context context;
  const StorePtr store = Calls();
  Report report = EventsView(store, Indexes(store), query, context).value();
  const auto refined = Refine(report, query.display);
  REQUIRE_FALSE(refined);
  CHECK(refined.error().kind == ErrorKind::usage);
}

}  // namespace tfprof::events_test
