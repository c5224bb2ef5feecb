// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "core/report/refine.h"
#include "tests/support/store_of.h"
#include "views/on_nodes.h"
#include "views/views.h"

namespace tfprof::exact_views_test {
namespace {

constexpr std::string_view kStream = "/device:gpu:0/stream:all";

Query Exactly() {
  Query query;
  query.place.exact = true;
  query.tree = HidesNone();
  query.display.order_by = OrderBy::micros;
  return query;
}

Report Answer(MakeReport* make, const StorePtr& store, const Query& query) {
  Context context;
  const Indexes indexes(store);
  return AnswerForNodes(make, NodeGranularity::one_per_name, store, indexes, query, context)
      .value();
}

size_t RowNamed(const Table& table, std::string_view name) {
  const ReportColumn& names = *table.Find("name");
  for (size_t row = 0; row < table.rows; ++row) {
    if (names.texts[row] == name) return row;
  }
  FAIL("no row " << name);
  return 0;
}

// A cell as it is printed; times in us.
double Printed(const Table& table, std::string_view id, std::string_view row) {
  const ReportColumn& column = *table.Find(id);
  const double unit = column.spec.unit == Unit::ps_as_us ? double{kPsPerUs} : 1;
  return static_cast<double>(column.Integer(RowNamed(table, row))) / unit /
         static_cast<double>(column.spec.divisor);
}

double Total(const Report& report, std::string_view id) {
  const Property& total = *report.Find(id);
  const double unit = total.unit == Unit::ps_as_us ? double{kPsPerUs} : 1;
  return static_cast<double>(total.integer) / unit / static_cast<double>(total.divisor);
}

// The number of a reason of `why`; NaN: there is no such reason.
double Reason(const StorePtr& store, const std::string& subject, std::string_view reason) {
  Query query = Exactly();
  query.subject = subject;
  const Report report = Answer(Why, store, query);
  const Table& table = report.tables[0];
  for (size_t row = 0; row < table.rows; ++row) {
    if (table.Find("reason")->texts[row] == reason) return table.Find("number")->reals[row];
  }
  return kNoReal;
}

// Three steps of 10, 10 and 31 us.
StorePtr ThreeSteps() {
  return StoreOf({{.name = "net/a", .type = "MatMul"}, {.name = "net/b", .type = "Add"}},
                 {{.node = "net/a", .step = 0, .us = 10},
                  {.node = "net/a", .step = 1, .us = 10},
                  {.node = "net/a", .step = 2, .us = 10},
                  {.node = "net/b", .step = 2, .start_us = 1010, .us = 21}});
}

}  // namespace

TEST_CASE("rows add up to TOTAL, and TOTAL to the mean of the steps") {
  const Report op = Answer(Op, ThreeSteps(), Exactly());
  CHECK(Printed(op.tables[0], "time_us", "MatMul") == 10);
  CHECK(Printed(op.tables[0], "time_us", "Add") == 7);
  CHECK(Printed(op.tables[0], "runs", "Add") == Approx(1.0 / 3));
  CHECK(Total(op, "total_time_us") == 17);
  CHECK(Total(op, "total_nodes") == 2);
  CHECK(op.Find("step")->text == "mean of 3 steps");
  Query all = Exactly();
  all.place.sum_steps = true;
  const Report sum = Answer(Op, ThreeSteps(), all);
  CHECK(Total(sum, "total_time_us") == 51);
  CHECK(sum.Find("step")->text == "sum of 3 steps");
  Query second = Exactly();
  second.place.step = 2;
  CHECK(Total(Answer(Op, ThreeSteps(), second), "total_time_us") == 31);
}

TEST_CASE("a mean lies between the least and the greatest step, also of what ran in one") {
  const Report top = Answer(Top, ThreeSteps(), Exactly());
  const Table& table = top.tables[0];
  const auto ps = [&](std::string_view id) {
    return table.Find(id)->Integer(RowNamed(table, "Add"));
  };
  CHECK(ps("step_min_us") == 0);
  CHECK(Printed(table, "time_us", "Add") == 7);
  CHECK(ps("step_max_us") == 21 * kPsPerUs);
}

TEST_CASE("scopes that are no nodes define nothing") {
  const Report scope = Answer(Scope, ThreeSteps(), Exactly());
  CHECK(Total(scope, "total_defined") == 2);
  CHECK(Printed(scope.tables[0], "total_defined", "net") == 2);
  CHECK(Printed(scope.tables[0], "inclusive_us", "net") == 17);
}

TEST_CASE("the rate of flops is that of the nodes that ran") {
  // 600 flops in 10 us; the other node has as many and never ran.
  const StorePtr store = StoreOf({{.name = "a", .type = "MatMul", .float_ops = 600},
                                  {.name = "b", .type = "MatMul", .float_ops = 600}},
                                 {{.node = "a", .us = 10}});
  CHECK(Reason(store, "op:MatMul", "flops_per_s") == 60e6);
}

TEST_CASE("the rate of flops on an accelerator is over its time, without that of the launch") {
  const StorePtr store = StoreOf({{.name = "c", .type = "Conv2D", .float_ops = 900}},
                                 {{.node = "c", .device = "/gpu:0", .us = 30},
                                  {.node = "c", .device = std::string(kStream), .us = 9}});
  CHECK(Reason(store, "op:Conv2D", "flops_per_s") == 100e6);
}

TEST_CASE("flops that are known for less than 90 % of the time have no rate") {
  const StorePtr store =
      StoreOf({{.name = "a", .type = "MatMul", .float_ops = 600}, {.name = "b", .type = "MatMul"}},
              {{.node = "a", .us = 89}, {.node = "b", .us = 11}});
  CHECK(std::isnan(Reason(store, "op:MatMul", "flops_per_s")));
  CHECK(Reason(store, "op:MatMul", "flops") == 600);
}

TEST_CASE("a call has its own time; what it contains is in its inclusive time") {
  const StorePtr store =
      StoreOf({{.name = "f", .type = "StatefulPartitionedCall"}, {.name = "a", .type = "MatMul"}},
              {{.node = "f", .us = 100}, {.node = "a", .start_us = 1010, .us = 80}});
  const Report op = Answer(Op, store, Exactly());
  CHECK(Printed(op.tables[0], "time_us", "StatefulPartitionedCall") == 20);
  CHECK(Printed(op.tables[0], "inclusive_us", "StatefulPartitionedCall") == 100);
  CHECK(Printed(op.tables[0], "inclusive_us", "MatMul") == 80);
  CHECK(Total(op, "total_time_us") == 100);
}

// Times in us in the fastest and the slowest step.
std::pair<int64_t, int64_t> RangeOf(const StorePtr& store, std::string_view type) {
  const Report top = Answer(Top, store, Exactly());
  const Table& table = top.tables[0];
  const auto us = [&](std::string_view id) {
    return table.Find(id)->Integer(RowNamed(table, type)) / kPsPerUs;
  };
  return {us("step_min_us"), us("step_max_us")};
}

TEST_CASE("single steps have the time that counts in their mean") {
  const StorePtr calls =
      StoreOf({{.name = "f", .type = "StatefulPartitionedCall"}, {.name = "a", .type = "MatMul"}},
              {{.node = "f", .step = 0, .start_us = 1000, .us = 100},
               {.node = "a", .step = 0, .start_us = 1010, .us = 80},
               {.node = "f", .step = 1, .start_us = 2000, .us = 200},
               {.node = "a", .step = 1, .start_us = 2010, .us = 90}});
  CHECK(RangeOf(calls, "StatefulPartitionedCall") == std::pair<int64_t, int64_t>(20, 110));
  CHECK(RangeOf(calls, "MatMul") == std::pair<int64_t, int64_t>(80, 90));
  // On an accelerator it is the time there, without that of launches.
  const std::string stream(kStream);
  const StorePtr launched =
      StoreOf({{.name = "c", .type = "Conv2D"}},
              {{.node = "c", .step = 0, .device = "/gpu:0", .start_us = 1000, .us = 30},
               {.node = "c", .step = 0, .device = stream, .start_us = 1005, .us = 9},
               {.node = "c", .step = 1, .device = "/gpu:0", .start_us = 2000, .us = 50},
               {.node = "c", .step = 1, .device = stream, .start_us = 2005, .us = 11}});
  CHECK(RangeOf(launched, "Conv2D") == std::pair<int64_t, int64_t>(9, 11));
}

TEST_CASE("thresholds are of the row's own value") {
  Query query = Exactly();
  query.tree.min_micros = 8;
  const Report op = Answer(Op, ThreeSteps(), query);
  CHECK(op.tables[0].Find("name")->texts == std::vector<std::string_view>{"MatMul"});
  query.tree.min_micros = 7;
  CHECK(Answer(Op, ThreeSteps(), query).tables[0].rows == 2);
}

TEST_CASE("-where compares the printed value") {
  Report op = Answer(Op, ThreeSteps(), Exactly());
  Display display;
  display.where = AllOf({{"time_us", ">", "7.5us"}});
  REQUIRE(Refine(op, display));
  CHECK(op.tables[0].Find("name")->texts == std::vector<std::string_view>{"MatMul"});
}

TEST_CASE("executions shorter than the resolution are counted in a note") {
  const StorePtr store =
      StoreOf({{.name = "v", .type = "VarHandleOp"}},
              {{.node = "v", .us = 0}, {.node = "v", .start_us = 1001, .us = 0}});
  const Report op = Answer(Op, store, Exactly());
  CHECK(Total(op, "total_time_us") == 0);
  REQUIRE(op.notes.size() == 1);
  CHECK(op.notes[0].what.row->id == "shorter_than_resolution");
  CHECK(op.notes[0].count == 2);
}

TEST_CASE("a profile differs from itself by nothing, and steps of both sides have one divisor") {
  Query query = Exactly();
  query.diff.base = ThreeSteps();
  const StorePtr two =
      StoreOf({{.name = "net/a", .type = "MatMul"}, {.name = "net/b", .type = "Add"}},
              {{.node = "net/a", .step = 0, .us = 10}, {.node = "net/b", .step = 1, .us = 15}});
  Context context;
  const StorePtr three = ThreeSteps();
  const Report same = Diff(three, Indexes(three), query, context).value();
  for (const std::string_view status : same.tables[0].Find("status")->texts)
    CHECK(status == "same");
  const Report diff = Diff(two, Indexes(two), query, context).value();
  const Table& table = diff.tables[0];
  CHECK(Printed(table, "base_time_us", "MatMul") == 10);
  CHECK(Printed(table, "time_us", "MatMul") == 5);
  CHECK(Printed(table, "change_time_us", "Add") == 0.5);
}

}  // namespace tfprof::exact_views_test
