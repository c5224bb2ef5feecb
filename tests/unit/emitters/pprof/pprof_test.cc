// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "emitters/emitter.h"
#include "tests/support/goldens/pprof_text.h"
#include "tests/support/store_of.h"
#include "views/views.h"

namespace tfprof::pprof_test {
namespace {

using Lines = std::vector<std::string>;

// main.py:1 main > net.py:2 net; a 5 and b 2 are of net, c 1 of main.
StorePtr Small() {
  const TestFrame main{"/src/main.py", 1, "main"}, net{"/src/net.py", 2, "net"};
  return StoreOf({{.name = "x/a", .type = "Mul", .stack = {{main, net}}},
                  {.name = "x/b", .type = "Add", .stack = {{main, net}}},
                  {.name = "c", .type = "Mul", .stack = {{main}}}},
                 {{.node = "x/a", .us = 5}, {.node = "x/b", .us = 2}, {.node = "c", .us = 1}});
}

using MakeView = Result<Report> (*)(const StorePtr&, const Indexes&, const Query&, Context&);

pb::pprof::Profile Written(const StorePtr& store, MakeView make, const Query& query) {
  Context context;
  const Report report = make(store, Indexes(store), query, context).value();
  Sink sink;
  REQUIRE(FindFileEmitter("pprof")->emit(report, query, {}, sink, context));
  pb::pprof::Profile profile;
  REQUIRE(profile.ParseFromString(sink.buffer));
  return profile;
}

}  // namespace

TEST_CASE("pprof: each node has a sample with its frames, labels and nanoseconds") {
  const pb::pprof::Profile profile = Written(Small(), Code, {});
  CHECK(PprofTypes(profile) == Lines{"time/nanoseconds", "cpu/nanoseconds"});  // no accelerator
  CHECK(profile.string_table(static_cast<int>(profile.default_sample_type())) == "time");
  CHECK(profile.string_table(0).empty());
  CHECK(
      PprofSamples(profile) ==
      Lines{
          "main@/src/main.py:1 | step=average op_type=Mul device=/device:cpu:0 node=c | 1000 1000",
          "net@/src/net.py:2 < main@/src/main.py:1 | step=average op_type=Mul "
          "device=/device:cpu:0 node=x/a | 5000 5000",
          "net@/src/net.py:2 < main@/src/main.py:1 | step=average op_type=Add "
          "device=/device:cpu:0 node=x/b | 2000 2000"});
}

TEST_CASE("pprof: hidden rows are samples of their parent row, so samples add up to the total") {
  Query query;
  query.display.select = {Attribute::cpu_micros, Attribute::occurrence};
  query.tree.max_depth = 2;
  const pb::pprof::Profile profile = Written(Small(), Scope, query);
  CHECK(PprofTypes(profile) == Lines{"cpu/nanoseconds", "runs/count", "defined/count"});
  CHECK(PprofSamples(profile) ==
        Lines{"c | step=average op_type=Mul device=/device:cpu:0 node=c | 1000 1 1",
              "x | step=average | 7000 2 3"});
}

TEST_CASE("pprof: time outside of the shown rows is one frame; a list has no stacks") {
  Query query;
  query.display.select = {Attribute::cpu_micros};
  query.tree.start_name_regexes = PatternList(std::vector<std::string>{"x"});
  CHECK(PprofSamples(Written(Small(), Scope, query)).back() == "[not shown] | step=average | 1000");
  CHECK(PprofSamples(Written(Small(), Op, query)) == Lines{"[not shown] | step=average | 8000"});
  query.tree.start_name_regexes = PatternList(std::vector<std::string>{".*"});
  query.tree.hide_name_regexes = PatternList(std::vector<std::string>{"Add"});
  CHECK(PprofSamples(Written(Small(), Op, query)) ==
        Lines{"Mul | step=average | 6000", "[not shown] | step=average | 2000"});
  query.tree.hide_name_regexes = {};
  CHECK(PprofSamples(Written(Small(), Op, query)) ==
        Lines{"Add | step=average | 2000", "Mul | step=average | 6000"});
}

TEST_CASE("pprof: a node that two expressions match counts twice but runs once") {
  Query query;
  query.display.select = {Attribute::cpu_micros};
  query.nodes.account_type_regexes = PatternList(std::vector<std::string>{"Add", "A.*"});
  Context context;
  const StorePtr store = Small();
  Report report = Code(store, Indexes(store), query, context).value();
  for (ReportColumn& column : report.tables[0].columns) {  // as the command pprof shows them
    if (column.spec.unit == Unit::count) column.spec.shown = true;
  }
  Sink sink;
  REQUIRE(FindFileEmitter("pprof")->emit(report, query, {}, sink, context));
  pb::pprof::Profile profile;
  REQUIRE(profile.ParseFromString(sink.buffer));
  CHECK(PprofTypes(profile) == Lines{"cpu/nanoseconds", "runs/count", "defined/count"});
  CHECK(PprofSamples(profile) ==
        Lines{"net@/src/net.py:2 < main@/src/main.py:1 | step=average op_type=Add "
              "device=/device:cpu:0 node=x/b | 4000 1 1"});
}

TEST_CASE("pprof: names of any bytes become UTF-8") {
  const StorePtr store = StoreOf({{.name = "a\xff\n"}}, {{.node = "a\xff\n", .us = 1}});
  Query query;
  query.display.select = {Attribute::cpu_micros};
  CHECK(PprofSamples(Written(store, Scope, query))[0].starts_with("a\\xff\\x0a |"));
}

TEST_CASE("pprof: without recorded values there are no samples, but pprof opens the file") {
  const pb::pprof::Profile profile = Written(StoreOf({{.name = "a"}}), Scope, {});
  CHECK(PprofTypes(profile) == Lines{"time/nanoseconds"});
  CHECK(profile.sample().empty());
}

TEST_CASE("pprof: rows without names are a usage error") {
  Context context;
  const StorePtr store = Small();
  const auto written = [&](bool named) {
    Report report = Op(store, Indexes(store), {}, context).value();
    const auto goes = [&](const ReportColumn& column) {
      return !named && column.spec.id == "name";
    };
    std::erase_if(report.tables[0].columns, goes);
    Sink sink;
    return Emit(*FindFileEmitter("pprof"), std::move(report), {}, {}, sink, context);
  };
  CHECK(written(true));
  const Result<void> unnamed = written(false);
  REQUIRE_FALSE(unnamed);
  CHECK(unnamed.error().kind == ErrorKind::usage);
  CHECK(unnamed.error().what == "op has no names for the frames of pprof");
}

TEST_CASE("pprof: writing samples and tables can be cancelled") {
  std::vector<TestNode> nodes;
  for (int i = 0; i < 10000; ++i) nodes.push_back({.name = "n" + std::to_string(i)});
  const StorePtr store = StoreOf(nodes);
  Query query;
  query.display.select = {Attribute::occurrence};
  Context calm;
  const Report report = Scope(store, Indexes(store), query, calm).value();
  for (const int64_t polls : {0, 40, 80}) {
    Context context;
    context.polls_until_cancel = polls;
    Sink sink;
    const Result<void> done = FindFileEmitter("pprof")->emit(report, query, {}, sink, context);
    REQUIRE(!done);
    CHECK(done.error().kind == ErrorKind::cancelled);
  }
}

TEST_CASE("pprof: comments, which precede every answer, are the command and the steps only") {
  const StorePtr store =
      StoreOf({{.name = "a"}}, {{.node = "a", .us = 5}, {.node = "a", .step = 1, .us = 5}});
  Context context;
  Query query;
  query.place.exact = true;
  Report report = Op(store, Indexes(store), query, context).value();
  report.recording.command = "p.pb pprof out";
  Sink sink;
  REQUIRE(FindFileEmitter("pprof")->emit(report, query, {}, sink, context));
  pb::pprof::Profile profile;
  REQUIRE(profile.ParseFromString(sink.buffer));
  Lines comments;
  for (const int64_t comment : profile.comment()) {
    comments.push_back(profile.string_table(static_cast<int>(comment)));
  }
  CHECK(comments == Lines{"tfprof p.pb pprof out", "values: mean of 2 steps"});
}

}  // namespace tfprof::pprof_test
