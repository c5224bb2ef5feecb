// SPDX-License-Identifier: Apache-2.0
#include "views/views.h"

#include <fmt/core.h>

#include <catch2/catch.hpp>

#include "tests/support/store_of.h"
#include "tests/support/trace_of.h"

namespace tfprof::diff_test {
namespace {

using Lines = std::vector<std::string>;

StorePtr Before() {
  return StoreOf({{.name = "a/x", .type = "MatMul"}, {.name = "gone", .type = "Add"}},
                 {{.node = "a/x", .us = 10}, {.node = "gone", .start_us = 1010, .us = 1}});
}

StorePtr After() {
  return StoreOf({{.name = "a/x", .type = "MatMul"}, {.name = "b", .type = "Mul"}},
                 {{.node = "a/x", .us = 15}, {.node = "b", .start_us = 1020, .us = 30}});
}

Result<Report> Ask(Query query) {
  Context context;
  query.diff.base = Before();
  const StorePtr after = After();
  const Indexes indexes(after);
  return Diff(after, indexes, query, context);
}

Lines Rows(const Query& query) {
  const Report report = Ask(query).value();
  const Table& table = report.tables[0];
  const auto number = [&](const char* id, size_t row) {
    const int64_t value = table.Find(id)->Integer(row);
    return value == kNoInt ? std::string("-") : std::to_string(value);
  };
  Lines lines;
  for (size_t row = 0; row < table.rows; ++row) {
    lines.push_back(fmt::format("{} {} {} {} {}", table.Find("name")->texts[row],
                                table.Find("status")->texts[row], number("micros_before", row),
                                number("micros_after", row), number("micros_change", row)));
  }
  return lines;
}

Lines Exceeded(const std::vector<std::string>& limits) {
  Query query;
  query.fail_if = limits;
  return Ask(query).value().Find("exceeded")->texts;
}

}  // namespace

TEST_CASE("diff: rows of both sides are matched by name, the largest change first") {
  CHECK(Rows({}) == Lines{"Mul new - 30 30", "MatMul changed 10 15 5", "Add gone 1 - -1"});
  Query scope;
  scope.view = "scope";
  CHECK(Rows(scope) ==
        Lines{"b new - 30 30", "a changed 10 15 5", "a/x changed 10 15 5", "gone gone 1 - -1"});
}

TEST_CASE("diff: the mean steps of both sides are compared") {
  const Report report = Ask({}).value();
  CHECK(report.tables[1].Find("step_before")->Integer(0) == 11 * kPsPerUs);
  CHECK(report.tables[1].Find("step_after")->Integer(0) == 50 * kPsPerUs);
}

TEST_CASE("diff: a limit with p needs a change beyond the spread of the steps") {
  const auto steps = [](const std::vector<int64_t>& us) {
    std::vector<TestRun> runs;
    for (int64_t i = 0; i < std::ssize(us); ++i) {
      runs.push_back({.node = "a", .step = i, .us = us[static_cast<size_t>(i)]});
    }
    return StoreOf({{.name = "a", .type = "MatMul"}}, runs);
  };
  const auto sentences = [&](const std::vector<int64_t>& us, const char* property) {
    Context context;
    Query query;
    query.place.exact = true;
    query.diff.base = steps({10, 11, 12, 13});
    query.fail_if = {"step>+5% p<0.05", "op:MatMul>+5% p<0.05"};
    const StorePtr after = steps(us);
    const Report report = Diff(after, Indexes(after), query, context).value();
    const Property* found = report.Find(property);
    return found == nullptr ? Lines() : found->texts;
  };
  // p as of SciPy's mannwhitneyu([10, 11, 12, 13], [...]).
  CHECK(sentences({14, 15, 16, 17}, "exceeded") ==
        Lines{"step>+5% p<0.05: 11.5 us -> 15.5 us (p 0.029)",
              "op:MatMul>+5% p<0.05: 11.5 us -> 15.5 us (p 0.029)"});
  CHECK(sentences({9, 14, 15, 16}, "exceeded").empty());
  CHECK(sentences({9, 14, 15, 16}, "kept").size() == 2);
  CHECK(sentences({14, 15, 16}, "exceeded").empty());
  CHECK(sentences({14, 15, 16}, "not_judged_steps") ==
        Lines{"step>+5% p<0.05: 11.5 us -> 15.0 us, p needs 4 steps of each profile",
              "op:MatMul>+5% p<0.05: 11.5 us -> 15.0 us, p needs 4 steps of each profile"});
}

TEST_CASE("diff: the first line is the verdict") {
  CHECK(Ask({}).value().properties.front().text == "slower by 354.5%: step 11.0 us -> 50.0 us");
  Query query;
  query.fail_if = {"step>+5%", "op:MatMul>+90%"};
  CHECK(Ask(query).value().Find("verdict")->text ==
        "failed, 1 of 2 limits exceeded; slower by 354.5%: step 11.0 us -> 50.0 us");
}

TEST_CASE("diff: the total adds up") {
  Query exact;
  exact.place.exact = true;
  const Report report = Ask(exact).value();
  const Table& table = report.tables[0];
  CHECK(table.Find("base_time_us")->total == 11e6);  // ps
  CHECK(table.Find("time_us")->total == 45e6);
  CHECK(table.Find("change_time_us")->total == 34e6);
  CHECK(table.Find("change_time_us_pct")->total == Approx(34.0 / 11));
  CHECK(report.Find("change_total_time_us")->real == Approx(34));
}

TEST_CASE("diff: limits apply to steps and to rows") {
  CHECK(Exceeded({"step>+5%", "op:MatMul>+50%", "op:MatMul.micros>+49%"}) ==
        Lines{"step>+5%: 11.0 us -> 50.0 us", "op:MatMul.micros>+49%: 10 us -> 15 us"});
  CHECK(Exceeded({"scope:a>+10us"}).empty());
}

TEST_CASE("diff: a trace and a profile are compared in picoseconds, with limits in any unit") {
  Context context;
  Query query;
  query.diff.base = TraceOf({{.lanes = {{.events = {{"x:MatMul", 0, 1'500'000}}}}}});
  query.fail_if = {"op:MatMul.micros>+8us", "op:MatMul.micros>+9us", "op:MatMul>+500%"};
  const StorePtr after = StoreOf({{.name = "x", .type = "MatMul"}}, {{.node = "x", .us = 10}});
  const Report report = Diff(after, Indexes(after), query, context).value();
  const Table& table = report.tables.at(0);
  REQUIRE(table.rows == 1);
  CHECK(table.Find("micros_before")->Integer(0) == 1'500'000);
  CHECK(table.Find("micros_after")->Integer(0) == 10 * kPsPerUs);
  CHECK(table.Find("micros_change")->Integer(0) == 8'500'000);
  CHECK(table.Find("micros_change")->spec.unit == Unit::ps_as_us);
  CHECK(report.Find("exceeded")->texts ==
        Lines{"op:MatMul.micros>+8us: 1.50 us -> 10.0 us", "op:MatMul>+500%: 1.50 us -> 10.0 us"});
}

TEST_CASE("diff: a step that one side lacks is an error that names the side and its steps") {
  Context context;
  const auto with_step = [](int64_t number) {
    return StoreOf({{.name = "a", .type = "MatMul"}}, {{.node = "a", .step = number, .us = 10}});
  };
  for (const bool in_base : {true, false}) {
    Query query;
    query.place.step = 5;
    query.diff.base = with_step(in_base ? 3 : 5);
    const StorePtr after = with_step(in_base ? 5 : 3);
    const Error error = Diff(after, Indexes(after), query, context).error();
    CHECK(error.kind == ErrorKind::usage);
    CHECK(error.what == (in_base ? "no step 5 in the base" : "no step 5 in this profile"));
    CHECK(error.hint == "only step 3 was recorded");
  }
}

TEST_CASE("diff: sums over different numbers of hosts or devices are judged only on request") {
  Context context;
  const auto host = [](std::string name, int64_t ps) {
    return TestProcess{.lanes = {{.events = {{"x:MatMul", 0, ps}}}}, .host = std::move(name)};
  };
  Query query;
  query.diff.base = TraceOf({host("a", 2'000'000), host("b", 2'000'000), host("c", 2'000'000)});
  query.fail_if = {"op:MatMul.micros>+5%"};
  const StorePtr after = TraceOf({host("a", 3'000'000)});
  const Indexes indexes(after);
  const Report report = Diff(after, indexes, query, context).value();
  CHECK(report.Find("exceeded")->texts.empty());
  CHECK(report.Find("kept")->texts.empty());
  CHECK(report.Find("not_judged")->texts ==
        Lines{"op:MatMul.micros>+5%: 6.00 us -> 3.00 us, summed over 3 hosts of the base, 1 host "
              "of this profile"});
  query.place.host = "a";
  const Report chosen = Diff(after, indexes, query, context).value();
  CHECK(chosen.Find("exceeded")->texts == Lines{"op:MatMul.micros>+5%: 2.00 us -> 3.00 us"});
  CHECK(chosen.Find("not_judged")->texts.empty());
  query.place.host.clear();
  query.place.device = "CPU";  // of all hosts: somebody chose, so sums are compared as they are
  CHECK(Diff(after, indexes, query, context).value().Find("kept")->texts.size() == 1);
}

TEST_CASE("diff: a limit that can never be exceeded is refused") {
  for (const char* limit : {"op:NoSuch>+5%", "op:MatMul.bytes>+5%"}) {
    CAPTURE(limit);
    Query query;
    query.fail_if = {limit};
    CHECK(Ask(query).error().kind == ErrorKind::usage);
  }
}

}  // namespace tfprof::diff_test
